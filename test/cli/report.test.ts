import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runReport } from '../../src/cli/report/run.ts';
import type { Delivery, DeliveryReport } from '../../src/model/delivery.ts';
import { replay } from '../../src/runtime/recording/replay.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { golden } from './golden.ts';
import { type Printed, printed } from './streams.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-report-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const start = Date.parse('2026-11-20T09:00:00Z');
const header = JSON.stringify({ tocsinLog: 1, clusterId: 'c', version: '1.0.0' });
const line = (now: number, ...inputs: readonly object[]): string => JSON.stringify({ now, inputs });
const at = (seconds: number, ...inputs: readonly object[]): string => line(start + seconds * 1000, ...inputs);
const wake = { kind: 'wake' };
const watching = {
  kind: 'source',
  coverage: { source: 'nodes', kind: 'Node', state: 'Watching', reason: 'Synced', since: start, required: true },
};

/** Nodes as they are after `seconds`; the time is that of the change. */
function nodes(ready: 'True' | 'False', seconds: number, ...names: readonly string[]): object {
  const events = names.map((name) => ({
    is: 'put',
    raw: {
      ...{ apiVersion: 'v1', kind: 'Node', spec: {} },
      metadata: { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
      status: {
        conditions: [
          {
            ...{ type: 'Ready', status: ready, reason: 'KubeletNotReady', message: '' },
            lastTransitionTime: new Date(start + seconds * 1000).toISOString(),
          },
        ],
        nodeInfo: { kubeletVersion: 'v1.36.0' },
      },
    },
  }));
  return { kind: 'objects', source: 'nodes', events };
}

/** A Node fails and recovers, and another one fails while it is silenced. */
const run = [
  header,
  at(
    0,
    {
      kind: 'settings',
      settings: {
        ...replaySettings,
        app: { ...replaySettings.app, clusterName: 'prod-eu' },
        silences: [
          {
            ...{ ref: 'Silence/tocsin/move', namespace: 'tocsin', selector: { names: ['quiet'] } },
            ...{ startsAt: start - 60_000, endsAt: start + 3_600_000 },
          },
        ],
      },
    },
    watching,
    nodes('True', -600, 'n1', 'quiet'),
  ),
  at(1, { kind: 'baseline' }),
  at(5, nodes('False', 5, 'n1')),
  ...[65, 125, 305].map((seconds) => at(seconds, wake)),
  at(600, nodes('True', 600, 'n1')),
  at(610, wake),
  ...[700, 900].map((seconds) => at(seconds, wake)),
  at(1300, nodes('False', 1300, 'quiet')),
  ...[1370, 1500, 2400].map((seconds) => at(seconds, wake)),
];

/** What providers answered: the first message at the second attempt, the others at once. */
function answered(lines: readonly string[]): readonly string[] {
  const sent = [...replay(lines)].flatMap(({ effects }) => effects.save.enqueue);
  const outcome = (delivery: Delivery, afterMs: number, how: Partial<DeliveryReport>): string => {
    const { id, stream, provider, providerUid, act, createdAt } = delivery;
    const report: DeliveryReport = {
      ...{ delivery: id, stream, provider, providerUid, act, ended: 'delivered', attempts: 1 },
      ...{ mayHaveArrived: false, sequence: 1, durationMs: 120, at: createdAt + afterMs, ...how },
    };
    return line(createdAt + afterMs, { kind: 'outcome', report });
  };
  const failure = { class: 'retryable', code: 'ServerError', message: 'HTTP 503 from hooks.example.com' } as const;
  const more = sent.flatMap((delivery, index) =>
    index === 0
      ? [
          outcome(delivery, 900, { ended: 'pending', failure }),
          outcome(delivery, 6_900, { attempts: 2, durationMs: 340 }),
        ]
      : [outcome(delivery, 400, {})],
  );
  const [first = '', ...rest] = lines;
  const time = (text: string): number => (JSON.parse(text) as { readonly now: number }).now;
  return [first, ...[...rest, ...more].sort((a, b) => time(a) - time(b))];
}

const recording = join(folder, 'outage.jsonl');
writeFileSync(recording, `${answered(run).join('\n')}\n`);

const report = (asked: Partial<Parameters<typeof runReport>[0]> = {}): Promise<Printed> =>
  printed((streams) => runReport({ file: recording, tocsinNamespace: 'tocsin', ...asked }, streams));

test('the report of a recording tells what broke, when people were told, and what the product answered', async () => {
  const { code, out } = await report();
  assert.equal(code, 0);
  // The look is not what is told.
  golden('report.html', out.replace(/<style>[\s\S]*?<\/style>/, '').replace(/sha256-[^&]*/, 'sha256-…'));
  assert.match(out, /Incident report · prod-eu/);
  assert.match(out, /Node n1 is not ready/);
  assert.match(out, /Notified: incident opened/);
  assert.match(out, /Resolution sent/);
  assert.match(out, /before: ServerError: HTTP 503 from hooks\.example\.com/);
  assert.match(out, /<td>delivered<\/td><td><time[^>]*>09:0\d:\d\d<\/time><\/td><td class="number">2<\/td>/);
  assert.match(out, /It is silenced by Silence tocsin\/move\./);
});

test('it is the same each time, and of standard input too', async () => {
  assert.equal((await report()).out, (await report()).out);
  const piped = await printed(
    (streams) => runReport({ file: '-', tocsinNamespace: 'tocsin' }, streams),
    `${answered(run).join('\n')}\n`,
  );
  assert.match(piped.out, /From a recording\./);
});

test('a failed attempt is kept until a later one has an answer', async () => {
  const whole = answered(run);
  const cut = whole.slice(0, whole.findIndex((text) => text.includes('"pending"')) + 1);
  writeFileSync(join(folder, 'cut.jsonl'), `${cut.join('\n')}\n`);
  const { out } = await report({ file: join(folder, 'cut.jsonl') });
  assert.match(out, /failed, tried again/);
  assert.match(out, /ServerError: HTTP 503 from hooks\.example\.com/);
});

test('it stands alone: no scripts, nothing from elsewhere, and a policy that allows its own style alone', async () => {
  const { out } = await report();
  assert.doesNotMatch(out, /<script|<link|<img|<iframe| style=| on\w+=|src=|url\(|@import/);
  const [, sheet = ''] = /<style>([\s\S]*?)<\/style>/.exec(out) ?? [];
  const hash = createHash('sha256').update(sheet).digest('base64');
  const policy = /content-security-policy" content="([^"]*)"/.exec(out)?.[1]?.replaceAll('&#39;', "'") ?? '';
  assert.match(policy, /^default-src 'none'; /);
  assert.ok(policy.includes(`style-src 'sha256-${hash}'`), policy);
});

test('it can be limited to an object and to a time', async () => {
  const only = await report({ object: 'node/quiet' });
  assert.match(only.out, /Only what concerns node\/quiet\./);
  assert.doesNotMatch(only.out, /Node n1 is not ready/);
  const later = await report({ from: '2026-11-20T09:40:00Z' });
  assert.doesNotMatch(later.out, /Node n1 is not ready/);
  assert.match(later.out, /Node quiet/);
  const before = await report({ until: '2026-11-20T09:00:01Z' });
  assert.match(before.out, /Nothing was wrong that Tocsin could see\./);
});

test('what it is limited to is asked for as of `tocsin why`: by the ID of an incident, a bare name, a short kind', async () => {
  const [, id = assert.fail()] =
    /id="i-([0-9a-f]{16})"[^>]*>\s*<summary>[^\n]*<b>Node n1 /.exec((await report()).out) ?? [];
  for (const object of [id, 'n1', 'no/n1', 'no n1']) {
    const { out } = await report({ object });
    assert.match(out, /Node n1 is not ready/, object);
    assert.doesNotMatch(out, /<b>Node quiet /, object);
  }
});

test('what cannot be made says why: no file, no log, no name, no time, a terminal', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'hello\n');
  await assert.rejects(report({ file: join(folder, 'absent') }), /there is no file/);
  await assert.rejects(report({ file: join(folder, 'notes.txt') }), /notes\.txt: line 1 is not JSON/);
  await assert.rejects(report({ object: 'shop' }), /Tocsin knows no incident and no object of the name "shop"/);
  await assert.rejects(report({ from: 'yesterday' }), /--from is no time/);
  const terminal = printed((streams) => runReport({ file: recording, tocsinNamespace: 'tocsin' }, streams), '', true);
  await assert.rejects(terminal, /send it to a file/);
});
