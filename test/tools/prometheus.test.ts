import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { dashboard } from '../../scripts/generate/dashboard.ts';
import { metricTable } from '../../src/telemetry/metric-table.ts';
import { freePort } from '../controlplane/part.ts';

const project = join(import.meta.dirname, '../..');
const config = join(project, 'config/prometheus');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-prometheus-'));

type Rules = {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
};
const alerts = (parse(readFileSync(join(config, 'alerts.yaml'), 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);
const board = JSON.parse(dashboard()) as {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
};
const queries = board.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr.replaceAll('$cluster', '.*')),
);

before(() => {
  for (const program of ['promtool', 'prometheus'])
    if (spawnSync(program, ['--version']).error)
      throw new Error(`There is no ${program} on the PATH. Debian and Ubuntu have it: apt-get install prometheus`);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function promtool(args: readonly string[], input = ''): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: config, encoding: 'utf8', input });
  assert.equal(status, 0, stdout + stderr);
}

test('the alerts are rules, and each fires when it must and is silent in a case that looks alike', () => {
  promtool(['check', 'rules', 'alerts.yaml']);
  promtool(['test', 'rules', 'alerts.test.yaml']);
  const { tests } = parse(readFileSync(join(config, 'alerts.test.yaml'), 'utf8')) as {
    readonly tests: readonly { readonly name: string }[];
  };
  const wanted = alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} stays silent`]);
  const names = tests.map(({ name }) => name);
  assert.deepEqual(
    wanted.filter((name) => !names.includes(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => !wanted.some((one) => name.startsWith(one))),
    [],
  );
});

test('alerts and dashboard ask only for metrics that there are', () => {
  const histograms = Object.entries(metricTable).flatMap(([name, { kind }]) =>
    kind === 'histogram' ? [`${name}_bucket`] : [],
  );
  const known = new Set([...Object.keys(metricTable), ...histograms]);
  for (const expression of [...alerts.map(({ expr }) => expr), ...queries])
    for (const [name] of expression.matchAll(/tocsin_\w+/g))
      assert.ok(known.has(name) || name.startsWith('tocsin_process_'), name);
});

/** The demo, once its endpoints are there, and where they are. */
async function startDemo(): Promise<{ readonly demo: ChildProcess; readonly address: string }> {
  const demo = spawn(process.execPath, [join(project, 'src/main.ts'), 'demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: demo.stdout })) {
    const address = /http:\/\/(127\.0\.0\.1:\d+)\/status/.exec(line)?.[1];
    if (address === undefined) continue;
    demo.stdout.resume();
    return { demo, address };
  }
  throw new Error('the demo ended before it said where its page is');
}

/** What Prometheus says to a query: how many series. Rejects when it is no query. */
async function seriesOf(prometheus: string, query: string): Promise<number> {
  const answer = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
  const { status, error, data } = (await answer.json()) as {
    readonly status: string;
    readonly error?: string;
    readonly data?: { readonly result: readonly unknown[] };
  };
  assert.equal(status, 'success', `${query}: ${error}`);
  return data?.result.length ?? 0;
}

test('a real Prometheus scrapes the demo: every query of the dashboard has data, every alert can be evaluated, none cries wolf', async () => {
  const { demo, address } = await startDemo();
  const port = await freePort();
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(config, 'alerts.yaml')],
    scrape_configs: [{ job_name: 'tocsin', static_configs: [{ targets: [address] }] }],
  };
  const file = join(folder, 'prometheus.json');
  writeFileSync(file, JSON.stringify(settings));
  const prometheus = spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  try {
    const text = await (await fetch(`http://${address}/metrics`)).text();
    promtool(['check', 'metrics'], text);
    const deadline = Date.now() + 180_000;
    let without: string[] = [];
    do {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const up = await fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!up) continue;
      without = [];
      for (const query of queries) if ((await seriesOf(url, query)) === 0) without.push(query);
      if (without.length === 0) break;
    } while (Date.now() < deadline);
    assert.deepEqual(without, [], 'queries without data');
    for (const { alert, expr } of alerts) assert.equal(await seriesOf(url, expr), 0, `${alert} while all is healthy`);
  } finally {
    demo.kill('SIGTERM');
    prometheus.kill('SIGTERM');
  }
});
