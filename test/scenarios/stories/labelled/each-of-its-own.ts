/**
 * Programs that fail for reasons of their own while something that they use, name or share is edited, down or printed at their start: a table. What
 * is beside them is innocent, and each is to be told. Who is told wrongly today is in `known-misses.ts`.
 */

import { type Ref, refOf } from '../../../../src/model/ref.ts';
import { imageOf } from '../../kit/dependants.ts';
import { settingsVolume } from '../../kit/field.ts';
import { split } from '../../kit/manifests.ts';
import { after, killed, reported } from '../../kit/reported.ts';
import type { ClusterBuilder, Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

type Parts = Omit<Parameters<ClusterBuilder['deployment']>[1], 'image' | 'replicas' | 'memory'>;
/** Who fails, of what he says at his end, so many seconds after the beginning. */
type Failing = {
  readonly says: readonly string[];
  readonly after?: number;
  readonly code?: number;
  readonly memory?: true;
} & Parts;

/** Lines of the table: what is beside, who fails, and who may not be blamed. */
type Row = {
  readonly what: string;
  readonly failing: Readonly<Record<string, Failing>>;
  readonly beside?: (cluster: ClusterBuilder) => void;
  readonly innocent?: readonly Ref[];
};

const deploymentOf = (place: string): Ref => {
  const { namespace, name } = split(place);
  return refOf('Deployment', namespace, name);
};

/** A server that is well, with its Service. */
function healthy(cluster: ClusterBuilder, place: string): void {
  cluster.deployment(place, { replicas: 2, image: imageOf(place) });
  cluster.service(place);
}

/** Settings that somebody edits, so many seconds after the beginning. */
function edited(cluster: ClusterBuilder, place: string, seconds: number): void {
  const settings = cluster.configMap(place, { NEW_BANNER: 'false' });
  cluster.at(after(seconds), () => settings.edit({ NEW_BANNER: 'true' }));
}

const nilPointer = [
  '2026-03-01T10:00:00Z INFO  starting',
  'panic: runtime error: invalid memory address or nil pointer dereference',
  'goroutine 1 [running]:',
];
const seats = 'seat count 51 of 50 used, giving up';

const rows: Readonly<Record<string, Row>> = {
  'two-faults-of-their-own-on-one-machine': {
    what: 'Two workloads on one machine panic for reasons of their own',
    failing: { 'shop/web': { says: nilPointer, code: 2 }, 'crm/sync': { says: ['KeyError: "SYNC_SHARD"'], after: 40 } },
  },
  'prints-the-address-of-a-healthy-server': {
    what: 'A workload prints where its healthy server is and ends for a reason of its own',
    beside: (cluster) => healthy(cluster, 'shop/pricing'),
    failing: {
      'shop/web': {
        says: ['HTTP client: base=http://pricing.shop.svc:80 timeout=30s retries=3', seats],
        values: { PRICING: 'http://pricing.shop.svc:80' },
      },
    },
    innocent: ['Deployment/shop/pricing'],
  },
  'two-print-where-errors-are-sent': {
    what: 'Two workloads print where errors are sent and end for reasons of their own',
    failing: {
      'a/one': { says: ['Error tracking enabled: endpoint=https://o123.ingest.sentry.io/456', seats] },
      'b/two': { says: ['Error tracking enabled: endpoint=https://o123.ingest.sentry.io/456', 'bundle is stale'] },
    },
    innocent: ['ExternalEndpoint//o123.ingest.sentry.io:443'],
  },
  'memory-beside-settings-that-are-edited': {
    what: 'A workload runs out of its memory after settings that it mounts were edited',
    beside: (cluster) => edited(cluster, 'mon/rules', -20),
    failing: { 'mon/ruler': { says: ['replaying'], memory: true, pod: settingsVolume('rules') } },
    innocent: ['ConfigMap/mon/rules'],
  },
  'settings-edited-to-mend-what-had-failed': {
    what: 'A variable is missing; 45 s later somebody edits the settings, in vain',
    beside: (cluster) => edited(cluster, 'shop/imp', 45),
    failing: { 'shop/importer': { says: ["KeyError: 'IMPORT_TOKEN'"], envFrom: ['imp'] } },
    innocent: ['ConfigMap/shop/imp'],
  },
  'warns-of-what-is-off-and-ends-of-another-reason': {
    what: 'A workload warns that reporting is off and ends because of its tables',
    failing: {
      'shop/ledger': {
        says: [
          '2026-03-01T10:00:00Z WARN  telemetry SENTRY_DSN is not set. Error reporting is off.',
          'FATAL table partition 2026_04 overlaps partition 2026_03',
        ],
      },
    },
  },
  'visitors-are-rejected-before-it-ends': {
    what: 'Visitors are turned away, as always, and then a workload ends of its own',
    failing: { 'shop/portal': { says: ["Login failed for user 'bob@example.com'.", seats] } },
  },
  'two-teams-with-one-store-end-of-their-own': {
    what: 'Two teams whose workloads name one healthy store end for reasons of their own, 8 minutes apart',
    beside: (cluster) => healthy(cluster, 'shop/cache'),
    failing: {
      'shop/web': { says: [seats], values: { REDIS_URL: 'redis://cache.shop.svc:6379' } },
      'crm/sync': {
        says: ['import file header row missing'],
        after: 480,
        values: { REDIS_URL: 'redis://cache.shop.svc:6379' },
      },
    },
    innocent: ['Deployment/shop/cache'],
  },
};

function told({ what, failing, beside, innocent = [] }: Row): Scenario {
  return reported(
    what,
    (cluster) => {
      beside?.(cluster);
      for (const [place, { says, after: seconds = 0, code = 1, memory, ...parts }] of Object.entries(failing)) {
        cluster.deployment(place, { replicas: 2, image: imageOf(place), ...(memory && { memory: '64Mi' }), ...parts });
        cluster.at(after(seconds), () => cluster.befall(imageOf(place), memory ? killed(says) : ends(says, code)));
        cluster.expectIncident({ root: deploymentOf(place), mustNotBlame: innocent });
      }
    },
    { minutes: 12 },
  );
}

export const stories: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [name, told(row)]),
);
