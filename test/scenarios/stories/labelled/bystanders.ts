/** Two faults at once: who fails for a reason of its own beside something that is down and that it names, and who fails for want of it. */
import { port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import type { Behaviour } from '../../kit/hands.ts';
import { after, killed, reported } from '../../kit/reported.ts';
import type { ClusterBuilder, ExpectedIncident, Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

const panic = ends(
  [
    'panic: runtime error: invalid memory address or nil pointer dereference',
    'goroutine 1 [running]:',
    'main.main()',
    '\t/src/cmd/web/main.go:41 +0x1d',
  ],
  2,
);
const withoutModule = ends(["Error: Cannot find module '/app/dist/main.js'"]);
const once = { open: 1, update: 0, resolve: 0 } as const;

/** A Deployment that crashes is told once, by itself. */
const crashes = (
  root: ExpectedIncident['root'],
  severity: ExpectedIncident['severity'] = 'critical',
): ExpectedIncident => ({
  ...{ root, severity, reason: 'CrashLoopBackOff', messages: once },
});

/** A server that many know and nobody needs, and those whose variables name it. */
function serverAndClients(cluster: ClusterBuilder, ...clients: readonly string[]): void {
  cluster.deployment('shop/legacy', { replicas: 2, image: imageOf('shop/legacy') });
  cluster.service('shop/legacy');
  for (const place of clients) {
    const values = { LEGACY_API: 'http://legacy.shop.svc:80' };
    cluster.deployment(place, { replicas: 2, image: imageOf(place), values });
    cluster.service(place);
  }
}

const befalls = (cluster: ClusterBuilder, seconds: number, place: string, what: Behaviour): void =>
  cluster.at(after(seconds), () => cluster.befall(imageOf(place), what));

/** The server breaks, and so many seconds later its client does as it is told. */
function both(cluster: ClusterBuilder, seconds: number, does: Behaviour): void {
  serverAndClients(cluster, 'shop/web');
  befalls(cluster, 0, 'shop/legacy', withoutModule);
  befalls(cluster, seconds, 'shop/web', does);
}

export const stories: Readonly<Record<string, Scenario>> = {
  'client-panics-beside-a-server-that-it-names': reported(
    'A server lacks a module; seconds later a workload that names it in a variable panics of its own',
    (cluster) => {
      both(cluster, 4, panic);
      for (const root of ['Deployment/shop/legacy', 'Deployment/shop/web'] as const)
        cluster.expectIncident(crashes(root));
    },
    { minutes: 10 },
  ),

  'client-says-that-its-server-is-down': reported(
    'The same, but the workload says that the server refuses its connections: one cause, one message',
    (cluster) => {
      both(cluster, 4, ends(['Error: connect ECONNREFUSED legacy.shop.svc:80']));
      cluster.expectIncident({ ...crashes('Deployment/shop/legacy'), mustNotBlame: ['Deployment/shop/web'] });
    },
    { minutes: 10 },
  ),

  'client-ends-in-its-own-words-beside-a-dead-server': reported(
    'The same, but what the workload says nobody can read: a name in a variable is no reason to keep silent about it',
    (cluster) => {
      both(cluster, 4, ends(['seat count 51 of 50 used, giving up']));
      for (const root of ['Deployment/shop/legacy', 'Deployment/shop/web'] as const)
        cluster.expectIncident(crashes(root));
    },
    { minutes: 10 },
  ),

  'four-clients-end-in-their-own-words-with-their-server': reported(
    'Four workloads end within seconds of the server that all of them name, each in words that nobody can read: one cause',
    (cluster) => {
      const clients = {
        'shop/web': 'no quotes',
        'shop/cart': 'basket lost',
        'crm/sync': 'bye',
        'ads/bids': 'sold out',
      };
      serverAndClients(cluster, ...Object.keys(clients));
      befalls(cluster, 0, 'shop/legacy', withoutModule);
      for (const [place, words] of Object.entries(clients)) befalls(cluster, 3, place, ends([words]));
      cluster.expectIncident(crashes('Deployment/shop/legacy'));
    },
    { minutes: 10 },
  ),

  'client-panics-beside-what-was-broken-at-the-start': reported(
    'A server has been broken for a day when Tocsin starts; a workload that names it panics of its own later',
    (cluster) => {
      cluster.image(imageOf('shop/legacy'), withoutModule);
      cluster.deployment('shop/legacy', { replicas: 2, image: imageOf('shop/legacy'), broken: true });
      cluster.service('shop/legacy');
      const values = { LEGACY_API: 'http://legacy.shop.svc:80' };
      cluster.deployment('shop/web', { replicas: 2, image: imageOf('shop/web'), values });
      cluster.service('shop/web');
      befalls(cluster, 60, 'shop/web', panic);
      cluster.expectIncident(crashes('Deployment/shop/web'));
      cluster.expectIncident({ ...crashes('Deployment/shop/legacy'), severity: 'high', messages: once });
      cluster.expectSummaries(1);
    },
    { minutes: 10 },
  ),

  'client-panics-minutes-after-its-server-was-told': reported(
    'A server lacks a module and is told; five minutes later a workload that names it panics of its own',
    (cluster) => {
      both(cluster, 300, panic);
      for (const root of ['Deployment/shop/legacy', 'Deployment/shop/web'] as const)
        cluster.expectIncident(crashes(root));
    },
    { minutes: 14 },
  ),

  'five-teams-fail-of-their-own-beside-one-dead-server': reported(
    'Five workloads of five teams lack a variable each, a minute apart, while a server that all of them name is down',
    (cluster) => {
      const teams = ['ads', 'bank', 'crm', 'docs', 'edge'];
      serverAndClients(cluster, ...teams.map((team) => `${team}/${team}-api`));
      befalls(cluster, 0, 'shop/legacy', withoutModule);
      for (const [index, team] of teams.entries())
        befalls(cluster, 120 + 60 * index, `${team}/${team}-api`, ends([`KeyError: 'TOKEN_${team.toUpperCase()}'`]));
      cluster.expectIncident(crashes('Deployment/shop/legacy'));
      for (const team of teams) cluster.expectIncident(crashes(`Deployment/${team}/${team}-api`));
    },
    { minutes: 16 },
  ),

  'payments-panic-while-the-collector-is-down': reported(
    'The collector of traces runs out of memory; four minutes later a workload that sends to it panics of its own',
    (cluster) => {
      cluster.deployment('obs/collector', { replicas: 1, image: imageOf('obs/collector') });
      cluster.service('obs/collector', port(4317));
      const values = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.obs.svc:4317' };
      cluster.deployment('shop/pay', { replicas: 3, image: imageOf('shop/pay'), values });
      cluster.service('shop/pay');
      befalls(cluster, 0, 'obs/collector', killed());
      befalls(cluster, 240, 'shop/pay', panic);
      cluster.expectIncident({ ...crashes('Deployment/obs/collector'), reason: 'OOMKilled' });
      cluster.expectIncident(crashes('Deployment/shop/pay'));
    },
    { minutes: 14 },
  ),

  'database-without-space-beside-a-dead-tracer': reported(
    'A database has no disk space left while the tracer that it names is down',
    (cluster) => {
      cluster.deployment('obs/jaeger', { replicas: 1, image: imageOf('obs/jaeger') });
      cluster.service('obs/jaeger', port(4318));
      const values = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://jaeger.obs.svc:4318' };
      cluster.statefulSet('shop/db', { image: imageOf('shop/db'), values });
      cluster.service('shop/db', port(5432));
      befalls(cluster, 0, 'obs/jaeger', killed());
      const full = 'PANIC:  could not write to file "pg_wal/xlogtemp.31": No space left on device';
      befalls(cluster, 120, 'shop/db', ends([full]));
      cluster.expectIncident({ ...crashes('Deployment/obs/jaeger'), reason: 'OOMKilled' });
      cluster.expectIncident(crashes('StatefulSet/shop/db'));
    },
    { minutes: 10 },
  ),

  'flag-edited-before-a-password-outside-is-refused': reported(
    'A flag that a workload has in its variables is edited; the run that began long before is refused by a database outside',
    (cluster) => {
      const flags = cluster.configMap('shop/flags', { NEW_BANNER: 'false' });
      cluster.deployment('shop/checkout', { replicas: 2, image: imageOf('shop/checkout'), envFrom: ['flags'] });
      cluster.at(after(-20), () => flags.edit({ NEW_BANNER: 'true' }));
      const refused =
        'psycopg2.OperationalError: connection to server at "pg.example.com" (203.0.113.9), port 5432 failed: FATAL:  password authentication failed for user "checkout"';
      befalls(cluster, 0, 'shop/checkout', ends([refused]));
      cluster.expectIncident({
        ...crashes('Deployment/shop/checkout'),
        severity: 'high',
        mustNotBlame: ['ConfigMap/shop/flags'],
      });
    },
    { minutes: 10 },
  ),

  'settings-edited-after-the-first-crash': reported(
    'A workload lacks a variable; a person who wants to mend it edits its settings, 45 s after its first crash',
    (cluster) => {
      const settings = cluster.configMap('shop/import', { SIZE: '1' });
      cluster.deployment('shop/import', { image: imageOf('shop/import'), envFrom: ['import'] });
      befalls(cluster, 0, 'shop/import', ends(["KeyError: 'IMPORT_TOKEN'"]));
      cluster.at(after(45), () => settings.edit({ SIZE: '2' }));
      cluster.expectIncident({
        ...crashes('Deployment/shop/import'),
        severity: 'high',
        mustNotBlame: ['ConfigMap/shop/import'],
      });
    },
    { minutes: 10 },
  ),
};
