import type { Reason } from '../../../../src/model/reason.ts';
import type { Behaviour } from '../../kit/hands.ts';
import type { Workload } from '../../kit/manifests.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';

/** How a release goes wrong. `says` ends "A … whose release". */
type Failure = {
  readonly says: string;
  readonly reason: Reason;
  readonly behaviour?: Behaviour;
  readonly change?: Partial<Workload>;
  readonly lasts?: string;
};

const failures: Readonly<Record<string, Failure>> = {
  crashes: {
    says: 'crashes with a stack trace',
    reason: 'CrashLoopBackOff',
    behaviour: {
      exit: { afterSeconds: 2, code: 1 },
      log: [
        'Exception in thread "main" java.lang.IllegalStateException: no migrations found',
        '\tat com.example.Main.main(Main.java:14)',
      ],
    },
    lasts: '1m50s',
  },
  'wrong-tag': {
    says: 'names an image that does not exist',
    reason: 'ImageNotFound',
    behaviour: { pullError: 'NotFound' },
  },
  'wrong-command': {
    says: 'has a command that is not in the image',
    reason: 'StartError',
    behaviour: { exit: { afterSeconds: 0, code: 127, message: 'exec: "serve": executable file not found in $PATH' } },
  },
  'out-of-memory': {
    says: 'needs more memory than its limit',
    reason: 'OOMKilled',
    behaviour: {
      exit: { afterSeconds: 3, code: 137, oom: true },
      log: ['java.lang.OutOfMemoryError: Java heap space'],
    },
    lasts: '1m50s',
  },
  'missing-settings': {
    says: 'wants settings that nobody has applied',
    reason: 'ConfigMapMissing',
    change: { envFrom: ['settings'] },
    lasts: '1m30s',
  },
  'init-fails': {
    says: 'has a migration that fails',
    reason: 'InitContainerError',
    change: { init: 'registry.example/migrate:2' },
    lasts: '1m50s',
  },
  'too-large': {
    says: 'asks for more CPU than any machine has',
    reason: 'Unschedulable',
    change: { cpu: '32' },
    lasts: '1m30s',
  },
};

const kinds = {
  Deployment: (cluster: ClusterBuilder, workload: Workload) => cluster.deployment('shop/api', workload),
  StatefulSet: (cluster: ClusterBuilder, workload: Workload) => cluster.statefulSet('shop/api', workload),
  DaemonSet: (cluster: ClusterBuilder, workload: Workload) => cluster.daemonSet('shop/api', workload),
} as const;

/** What scenarios of their own tell already. */
const told = new Set([
  'Deployment-crashes',
  'Deployment-wrong-tag',
  'StatefulSet-crashes',
  'DaemonSet-crashes',
  'Deployment-init-fails',
  'Deployment-wrong-command',
]);

function failing(kind: keyof typeof kinds, failure: Failure): Scenario {
  return scenario(`A ${kind} whose release ${failure.says}`, (cluster) => {
    const workload = kinds[kind](cluster, {
      replicas: 2,
      image: 'registry.example/api:1.0',
      memory: '64Mi',
      cpu: '100m',
    });
    cluster.image('registry.example/api:1.1', failure.behaviour ?? {});
    cluster.image('registry.example/migrate:2', {
      exit: { afterSeconds: 2, code: 1 },
      log: ['ERROR: relation "orders" already exists'],
    });
    cluster.at('5s', () => workload.change({ image: 'registry.example/api:1.1', ...failure.change }));
    cluster.lasts(failure.lasts ?? '70s');
    const root = failure.reason === 'ConfigMapMissing' ? 'ConfigMap/shop/settings' : (`${kind}/shop/api` as const);
    cluster.expectIncident({
      root,
      reason: failure.reason,
      messages: { open: 1, update: 0, resolve: 0 },
      mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Registry//registry.example'],
    });
  });
}

const releases = Object.keys(kinds).flatMap((kind) =>
  Object.entries(failures).flatMap(([name, failure]): [string, Scenario][] =>
    told.has(`${kind}-${name}`)
      ? []
      : [[`${kind.toLowerCase()}-${name}`, failing(kind as keyof typeof kinds, failure)]],
  ),
);

/** A Job or a bare Pod does not serve: it fails once and for all, or never starts. */
const once = (
  description: string,
  tell: (cluster: ClusterBuilder) => void,
  expected: Parameters<ClusterBuilder['expectIncident']>[0],
): Scenario =>
  scenario(description, (cluster) => {
    tell(cluster);
    cluster.lasts('1m40s');
    cluster.expectIncident({ messages: { resolve: 0 }, ...expected });
  });

/** The same failures by kind of workload. */
export const stories: Readonly<Record<string, Scenario>> = {
  ...Object.fromEntries(releases),
  'job-wrong-tag': once(
    'A Job names an image that does not exist',
    (cluster) => {
      cluster.image('registry.example/import:9', { pullError: 'NotFound' });
      cluster.at('5s', () => cluster.job('shop/import', { image: 'registry.example/import:9' }));
    },
    { root: 'Job/shop/import', reason: 'ImageNotFound' },
  ),
  'job-missing-secret': once(
    'A Job wants a Secret that nobody has applied',
    (cluster) =>
      cluster.at('5s', () =>
        cluster.job('shop/import', { image: 'registry.example/import:1', env: { TOKEN: 'secret/token/token' } }),
      ),
    { root: 'Secret/shop/token', reason: 'SecretMissing', mustNotBlame: ['Job/shop/import'] },
  ),
  'job-out-of-retries': once(
    'A Job fails three times and gives up',
    (cluster) => {
      cluster.image('registry.example/import:1', {
        exit: { afterSeconds: 2, code: 3 },
        log: ['ValueError: row 17 has 4 columns, expected 5'],
      });
      cluster.at('5s', () =>
        cluster.job('shop/import', { image: 'registry.example/import:1', spec: { backoffLimit: 2 } }),
      );
    },
    { root: 'Job/shop/import', reason: 'JobFailed' },
  ),
  'job-too-slow': once(
    'A Job runs longer than its deadline',
    (cluster) =>
      cluster.at('5s', () =>
        cluster.job('shop/import', { image: 'registry.example/import:1', spec: { activeDeadlineSeconds: 20 } }),
      ),
    { root: 'Job/shop/import', reason: 'JobFailed' },
  ),
  'pod-wrong-tag': once(
    'A bare Pod names an image that does not exist',
    (cluster) => {
      cluster.image('registry.example/once:9', { pullError: 'NotFound' });
      cluster.at('5s', () => cluster.pod('shop/once', { image: 'registry.example/once:9' }));
    },
    { root: 'Pod/shop/once', reason: 'ImageNotFound' },
  ),
  'pod-crashes': once(
    'A bare Pod crashes after it has served',
    (cluster) => {
      cluster.pod('shop/once', { image: 'registry.example/once:1' });
      cluster.at('5s', () =>
        cluster.befall('registry.example/once:1', {
          exit: { afterSeconds: 2, code: 139 },
          log: ['Segmentation fault (core dumped)'],
        }),
      );
    },
    // The recording may end while it runs.
    { root: 'Pod/shop/once', reason: 'CrashLoopBackOff', messages: { resolve: '≤1' } },
  ),
  'replica-set-crashes': once(
    'A ReplicaSet that nobody owns crashes',
    (cluster) => {
      const template = {
        metadata: { labels: { app: 'old' } },
        spec: { containers: [{ name: 'old', image: 'registry.example/old:1' }] },
      };
      cluster.object({
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name: 'old', namespace: 'shop' },
        spec: { replicas: 2, selector: { matchLabels: { app: 'old' } }, template },
      });
      cluster.at('8s', () =>
        cluster.befall('registry.example/old:1', {
          exit: { afterSeconds: 2, code: 1 },
          log: ["thread 'main' panicked at src/main.rs:9:5: called `Option::unwrap()` on a `None` value"],
        }),
      );
    },
    { root: 'ReplicaSet/shop/old', reason: 'CrashLoopBackOff' },
  ),
};
