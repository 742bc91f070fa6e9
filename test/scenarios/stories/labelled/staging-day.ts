import type { Ref } from '../../../../src/model/ref.ts';
import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';

/** Forty workloads of eight teams. */
const teams = ['shop', 'search', 'office', 'maps', 'media', 'billing', 'identity', 'reports'];
const apps = ['api', 'web', 'worker', 'cache', 'admin'];
const places = teams.flatMap((team) => apps.map((app) => `${team}/${app}`));
const imageOf = (place: string, tag: string): string => `registry.example/${place.replace('/', '-')}:${tag}`;
const crash = (says: string) => ({ exit: { afterSeconds: 10, code: 1 }, log: [says] });

/** Minutes after midnight as a moment of the story. */
const at = (hours: number, minutes: number): string => `${hours * 60 + minutes}m`;

/** What is normal all day: releases, scale changes, restarts, drains. */
function normalDay(
  cluster: ClusterBuilder,
  workloads: ReadonlyMap<string, ReturnType<ClusterBuilder['deployment']>>,
): void {
  // A release of some workload every 20 minutes in the day.
  for (const [index, place] of places.slice(8, 32).entries())
    cluster.at(at(8 + Math.floor(index / 3), (index % 3) * 20 + 3), () =>
      workloads.get(place)?.setImage(imageOf(place, '1.1')),
    );
  // Load comes in the morning and goes in the evening.
  for (const place of places.filter((each) => each.endsWith('/web'))) {
    cluster.at(at(7, 11), () => workloads.get(place)?.scale(4));
    cluster.at(at(20, 17), () => workloads.get(place)?.scale(2));
  }
  // Workers rest at night.
  for (const place of places.filter((each) => each.endsWith('/worker')).slice(0, 3)) {
    cluster.at(at(1, 7), () => workloads.get(place)?.scale(0));
    cluster.at(at(5, 31), () => workloads.get(place)?.scale(2));
  }
  // Two machines are maintained.
  for (const [index, name] of ['n5', 'n6'].entries()) {
    cluster.at(at(10 + 4 * index, 41), () => cluster.node(name).drain());
    cluster.at(at(10 + 4 * index, 55), () => cluster.node(name).uncordon());
  }
  cluster.at(at(13, 29), () => workloads.get('reports/admin')?.restart());
}

/** The fault of one workload: from when, what, and for how long (minutes). */
type Fault = {
  readonly place: string;
  readonly hours: number;
  readonly minutes: number;
  readonly takes: number;
  readonly behaviour: Parameters<ClusterBuilder['image']>[1];
};

/** Releases that go wrong, some at the same time, and are taken back. */
const faults: readonly Fault[] = [
  { place: 'shop/api', hours: 0, minutes: 33, takes: 14, behaviour: crash('panic: runtime error: index out of range') },
  { place: 'search/api', hours: 2, minutes: 9, takes: 25, behaviour: { pullError: 'NotFound' } },
  {
    place: 'office/api',
    hours: 3,
    minutes: 21,
    takes: 12,
    behaviour: { exit: { afterSeconds: 8, code: 137, oom: true } },
  },
  {
    place: 'maps/api',
    hours: 6,
    minutes: 2,
    takes: 18,
    behaviour: { exit: { afterSeconds: 0, code: 127, message: 'exec: "serve": not found' } },
  },
  { place: 'media/api', hours: 6, minutes: 8, takes: 18, behaviour: { pullError: 'Unauthorized' } },
  {
    place: 'billing/api',
    hours: 9,
    minutes: 47,
    takes: 15,
    behaviour: crash('ERROR: relation "invoices" does not exist'),
  },
  {
    place: 'identity/api',
    hours: 11,
    minutes: 13,
    takes: 13,
    behaviour: crash('java.lang.IllegalStateException: no signing key'),
  },
  { place: 'reports/api', hours: 12, minutes: 50, takes: 22, behaviour: { pullError: 'NotFound' } },
  { place: 'shop/cache', hours: 15, minutes: 36, takes: 16, behaviour: crash("Fatal: can't load module") },
  {
    place: 'search/cache',
    hours: 18,
    minutes: 12,
    takes: 20,
    behaviour: { exit: { afterSeconds: 9, code: 137, oom: true } },
  },
  {
    place: 'office/cache',
    hours: 21,
    minutes: 44,
    takes: 15,
    behaviour: crash('ModuleNotFoundError: No module named "redis"'),
  },
];

export const story = scenario(
  'A day of a staging cluster: forty workloads, releases, scaling, drains, and fourteen faults',
  (cluster) => {
    cluster.nodes(['n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
    const workloads = new Map(
      places.map((place) => [place, cluster.deployment(place, { replicas: 2, image: imageOf(place, '1.0') })] as const),
    );
    for (const team of teams) {
      cluster.service(`${team}/api`);
      cluster.service(`${team}/web`);
    }
    normalDay(cluster, workloads);

    for (const { place, hours, minutes, takes, behaviour } of faults) {
      cluster.image(imageOf(place, '2.0'), behaviour);
      cluster.at(at(hours, minutes), () => workloads.get(place)?.setImage(imageOf(place, '2.0')));
      cluster.at(at(hours, minutes + takes), () => workloads.get(place)?.setImage(imageOf(place, '1.0')));
      cluster.expectIncident({
        root: `Deployment/${place}` as Ref,
        messages: { open: 1, update: 0, resolve: 1 },
        firstMessageWithinSeconds: 180,
        mustNotBlame: ['Registry//registry.example', 'Node//n1'],
      });
    }

    // Settings that two workloads share are deleted; both are restarted before somebody notices.
    const settings = cluster.configMap('maps/settings', { region: 'eu' });
    cluster.at(at(16, 20), () => {
      workloads.get('maps/cache')?.change({ envFrom: ['settings'] });
      workloads.get('maps/admin')?.change({ envFrom: ['settings'] });
    });
    cluster.at(at(17, 2), () => settings.delete());
    cluster.at(at(17, 4), () => {
      workloads.get('maps/cache')?.restart();
      workloads.get('maps/admin')?.restart();
    });
    cluster.at(at(17, 20), () => cluster.configMap('maps/settings', { region: 'eu' }));
    cluster.expectIncident({
      root: 'ConfigMap/maps/settings',
      messages: { open: 1, update: '≤1', resolve: 1 },
      firstMessageWithinSeconds: 180,
      mustNotBlame: ['Deployment/maps/cache', 'Deployment/maps/admin'],
    });

    // A machine is lost for a quarter of an hour.
    cluster.at(at(19, 5), () => cluster.node('n4').losePower());
    cluster.at(at(19, 21), () => cluster.node('n4').comeBack());
    cluster.expectIncident({
      root: 'Node//n4',
      messages: { open: 1, update: '≤1', resolve: 1 },
      firstMessageWithinSeconds: 180,
    });

    // A database of three workloads crashes in the evening.
    cluster.statefulSet('billing/db', { image: 'registry.example/postgres:16' });
    cluster.service('billing/db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
    const lost = crash('dial tcp: connect to db.billing.svc.cluster.local:5432: connect: connection refused');
    cluster.at(at(22, 30), () =>
      cluster.befall(
        'registry.example/postgres:16',
        crash('PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device'),
      ),
    );
    for (const place of ['billing/worker', 'billing/admin', 'billing/cache']) {
      // What each runs at that time of the day.
      for (const tag of ['1.0', '1.1']) {
        cluster.at(at(22, 31), () => cluster.befall(imageOf(place, tag), lost));
        cluster.at(at(22, 52), () => cluster.befall(imageOf(place, tag), {}));
      }
    }
    cluster.at(at(22, 50), () => cluster.befall('registry.example/postgres:16', {}));
    cluster.expectIncident({
      root: 'StatefulSet/billing/db',
      messages: { open: 1, update: '≤1', resolve: 1 },
      firstMessageWithinSeconds: 180,
      mustNotBlame: ['Deployment/billing/worker', 'Deployment/billing/admin', 'Deployment/billing/cache'],
    });

    cluster.lasts('24h');
    cluster.recordedFrom('sandbox');
  },
);
