/** Prometheus and Alertmanager, as Debian packages them: an alert that a test fires and ends, sent to a webhook. */
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { answers, directoryFor, freePort, run, type Server, startServer } from './server.ts';

/** Where a program is, by the names that packages and archives give it. */
function find(...names: readonly string[]): string {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  const found = places.flatMap((place) => names.map((name) => join(place, name))).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    `The tests against a real Alertmanager need ${names.at(-1)}, and it is not here: install it (\`apt-get install prometheus prometheus-alertmanager\`).\n` +
      'Neither need run: the tests start their own, on loopback.',
  );
}

/** An alert that Prometheus fires, by its labels and what it says. */
export type Rule = {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
};

/** Both while they run. */
export type Monitoring = AsyncDisposable & {
  /** The address of Alertmanager. */
  readonly url: string;
  /** From now on Prometheus fires these and no others. */
  fire(...rules: readonly Rule[]): Promise<void>;
  /** What amtool prints, as JSON, of the alerts that Alertmanager has and that are not over. */
  amtool(): readonly { readonly labels: Record<string, string>; readonly annotations: Record<string, string> }[];
};

/** Starts both; alerts go to `webhook` with `token`. Everything is evaluated and sent each second. */
export async function startMonitoring(webhook: string, token: string): Promise<Monitoring> {
  const directory = directoryFor('alertmanager');
  const ports = { alertmanager: await freePort(), prometheus: await freePort() };
  const url = `http://127.0.0.1:${ports.alertmanager}`;
  const prometheus = `http://127.0.0.1:${ports.prometheus}`;
  const rulesFile = join(directory, 'rules.json');
  const write = (name: string, content: object): void => writeFileSync(join(directory, name), JSON.stringify(content));
  // YAML is a superset of JSON.
  write('alertmanager.yml', {
    route: {
      receiver: 'tocsin',
      group_by: ['alertname'],
      group_wait: '1s',
      group_interval: '1s',
      repeat_interval: '5s',
    },
    receivers: [
      {
        name: 'tocsin',
        webhook_configs: [
          { url: webhook, send_resolved: true, http_config: { authorization: { type: 'Bearer', credentials: token } } },
        ],
      },
    ],
  });
  write('prometheus.yml', {
    global: { evaluation_interval: '1s' },
    rule_files: [rulesFile],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${ports.alertmanager}`] }] }] },
  });
  write('rules.json', { groups: [] });
  const started: Server[] = [];
  const start = async (name: string, path: string, args: readonly string[], healthy: string): Promise<void> => {
    const server = { name, path, args, directory, cwd: directory, healthy: () => answers(healthy) };
    started.push(await startServer(server));
  };
  const listen = `--web.listen-address=127.0.0.1:${ports.alertmanager}`;
  await start(
    'alertmanager',
    find('alertmanager', 'prometheus-alertmanager'),
    ['--config.file=alertmanager.yml', '--storage.path=am', '--cluster.listen-address=', listen],
    `${url}/-/ready`,
  );
  await start(
    'prometheus',
    find('prometheus'),
    [
      ...['--config.file=prometheus.yml', '--storage.tsdb.path=data', '--web.enable-lifecycle'],
      ...[`--web.listen-address=127.0.0.1:${ports.prometheus}`, '--rules.alert.resend-delay=1s'],
    ],
    `${prometheus}/-/ready`,
  );
  const amtool = find('amtool');
  return {
    url,
    async fire(...rules) {
      const groups = rules.map(({ alert, labels, summary }) => ({
        ...{ name: alert, rules: [{ alert, expr: 'vector(1)', labels, annotations: { summary } }] },
      }));
      write('rules.json', { groups });
      const answer = await fetch(`${prometheus}/-/reload`, { method: 'POST' });
      if (!answer.ok) throw new Error(`Prometheus does not take the rules: ${await answer.text()}`);
    },
    amtool: () => JSON.parse(run(amtool, [`--alertmanager.url=${url}`, 'alert', '-o', 'json'])),
    async [Symbol.asyncDispose]() {
      for (const server of started.reverse()) await server[Symbol.asyncDispose]();
    },
  };
}
