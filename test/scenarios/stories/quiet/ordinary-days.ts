import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';
import { budget } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** Ordinary days. Nobody may hear of any of it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tutorials/stateful-application/basic-stateful-set/#rolling-update
  'members-are-renewed-one-by-one': scenario(
    'A database of three members is renewed one by one; its clients stay',
    (cluster) => {
      surroundings(cluster);
      const database = cluster.statefulSet('data/cockroach', { replicas: 3, image: image('cockroach:24.1') });
      cluster.service('data/cockroach', { clusterIP: 'None' });
      cluster.object(budget('data/cockroach', { maxUnavailable: 1 }));
      cluster.deployment('data/api', { replicas: 2, image: image('api:1') });
      cluster.image(image('cockroach:24.2'), { readyAfterSeconds: 6 });
      cluster.at('6s', () => database.setImage(image('cockroach:24.2')));
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/tasks/administer-cluster/cluster-upgrade/
  'machines-are-replaced': scenario(
    'All machines are replaced by new ones: a new one joins, an old one is drained and removed',
    (cluster) => {
      surroundings(cluster);
      for (const name of ['front', 'back']) {
        cluster.deployment(`app/${name}`, { replicas: 3, image: image(`${name}:1`) });
        cluster.service(`app/${name}`);
        cluster.object(budget(`app/${name}`, { maxUnavailable: 1 }));
      }
      for (const [index, name] of ['n1', 'n2', 'n3'].entries()) {
        const start = 10 + index * 60;
        cluster.at(`${start}s`, () => cluster.addNode({ name: `new-${name}` }));
        cluster.at(`${start + 10}s`, () => cluster.node(name).drain());
        cluster.at(`${start + 45}s`, () => cluster.node(name).remove());
      }
      cluster.lasts('4m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
  'runs-of-every-minute': scenario(
    'Two CronJobs run every minute; one of them needs a second attempt now and then',
    (cluster) => {
      surroundings(cluster);
      const minutely = [
        cluster.cronJob('mail/queue-flush', { schedule: '* * * * *', image: image('flush:1') }),
        cluster.cronJob('mail/bounces', { schedule: '* * * * *', image: image('bounces:1'), job: { backoffLimit: 3 } }),
      ];
      cluster.image(image('flush:1'), { exit: { afterSeconds: 4, code: 0 } });
      let attempts = 0;
      cluster.image(image('bounces:1'), () => {
        attempts += 1;
        return {
          exit: { afterSeconds: 3, code: attempts % 3 === 0 ? 1 : 0 },
          log: ['imap: connection reset by peer, giving up this round'],
        };
      });
      // What is recorded ends here: without an end, the runs after it would be missed.
      cluster.at('5m', () => {
        for (const cronJob of minutely) cronJob.patch({ spec: { suspend: true } });
      });
      cluster.lasts('5m20s');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/tasks/run-application/scale-deployment/
  'night-without-the-test-system': scenario(
    'A test system is scaled to nothing for the night, its database last, and comes back in the morning',
    (cluster) => {
      surroundings(cluster);
      const database = cluster.statefulSet('staging/db', { image: image('postgres:16') });
      cluster.service('staging/db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const all = ['api', 'worker'].map((name) => {
        cluster.service(`staging/${name}`);
        return cluster.deployment(`staging/${name}`, { replicas: 2, image: image(`${name}:7`) });
      });
      cluster.at('10s', () => {
        for (const workload of all) workload.scale(0);
      });
      cluster.at('20s', () => database.scale(0));
      cluster.at('2m', () => database.scale(1));
      cluster.at('2m10s', () => {
        for (const workload of all) workload.scale(2);
      });
      cluster.lasts('3m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/tutorials/configuration/updating-configuration-via-a-configmap/
  'settings-and-their-release': scenario(
    'Settings are edited and rolled out to three workloads, as every week',
    (cluster) => {
      surroundings(cluster);
      const settings = cluster.configMap('shop/common', { LOG_LEVEL: 'info' });
      const all = ['basket', 'orders', 'search'].map((name) => {
        cluster.service(`shop/${name}`);
        return cluster.deployment(`shop/${name}`, { replicas: 3, image: image(`${name}:1`), envFrom: ['common'] });
      });
      cluster.at('6s', () => settings.edit({ LOG_LEVEL: 'debug' }));
      cluster.at('12s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.at('1m10s', () => settings.edit({ LOG_LEVEL: 'info' }));
      cluster.at('1m15s', () => {
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/tasks/administer-cluster/namespaces/
  'preview-comes-and-goes': scenario(
    'A preview of a branch is set up, looked at, and deleted with its namespace',
    (cluster) => {
      surroundings(cluster);
      cluster.at('8s', () => {
        cluster.secret('preview-7/db', { password: 'guess' });
        cluster.statefulSet('preview-7/db', { image: image('postgres:16') });
        cluster.service('preview-7/db', {
          ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }],
        });
        cluster.deployment('preview-7/app', { image: image('app:pr-7'), env: { PASSWORD: 'secret/db/password' } });
        cluster.service('preview-7/app');
      });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'preview-7' } });
      cluster.at('1m20s', () => namespace.delete());
      cluster.lasts('2m10s');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#parallel-jobs
  'large-calculation': scenario(
    'A calculation in twelve parts runs four at a time and cleans up after itself',
    (cluster) => {
      surroundings(cluster);
      cluster.image(image('risk:3'), { exit: { afterSeconds: 8, code: 0 } });
      cluster.at('6s', () =>
        cluster.job('risk/overnight', {
          image: image('risk:3'),
          cpu: '500m',
          spec: { parallelism: 4, completions: 12, completionMode: 'Indexed', ttlSecondsAfterFinished: 30 },
        }),
      );
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md
  'machine-comes-when-needed': scenario(
    'A workload grows beyond the room there is; half a minute later the autoscaler has added a machine',
    (cluster) => {
      surroundings(cluster);
      const api = cluster.deployment('sales/api', { replicas: 3, image: image('api:2'), cpu: '1500m' });
      cluster.service('sales/api');
      cluster.at('8s', () => api.scale(7));
      cluster.at('10s', () =>
        cluster.event({
          about: 'Deployment/sales/api',
          type: 'Normal',
          reason: 'TriggeredScaleUp',
          message: 'pod triggered scale-up: [{general-pool 3->4 (max: 10)}]',
          by: 'cluster-autoscaler',
        }),
      );
      cluster.at('34s', () => cluster.addNode({ name: 'n4' }));
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff
  'registry-hiccup': scenario(
    'The first pull of a release fails as the registry is being restarted; the next one succeeds',
    (cluster) => {
      surroundings(cluster);
      const api = cluster.deployment('forum/api', { replicas: 3, image: image('forum:1') });
      cluster.service('forum/api');
      cluster.image(image('forum:2'), {
        pullError:
          'failed to pull and unpack image "registry.acme.example/forum:2": failed to resolve reference "registry.acme.example/forum:2": unexpected status from HEAD request to https://registry.acme.example/v2/forum/manifests/2: 503 Service Unavailable',
        failedPulls: 1,
      });
      cluster.at('8s', () => api.setImage(image('forum:2')));
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
  'leader-steps-down': scenario(
    'A member of a broker restarts once; its clients lose it for some seconds and find the next',
    (cluster) => {
      surroundings(cluster);
      cluster.statefulSet('bus/nats', { replicas: 3, image: image('nats:2.10') });
      cluster.service('bus/nats', { ports: [{ name: 'client', port: 4222, targetPort: 4222, protocol: 'TCP' }] });
      for (const name of ['pricing', 'audit'])
        cluster.deployment(`bus/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { NATS_URL: 'nats://nats.bus.svc:4222' },
        });
      cluster.at('10s', () =>
        cluster.befall(image('nats:2.10'), (pod) =>
          pod.metadata.name === 'nats-1'
            ? {
                exit: { afterSeconds: 1, code: 1 },
                exits: 1,
                log: ['[ERR] JetStream resource limits exceeded for server, stepping down'],
              }
            : {},
        ),
      );
      cluster.at('14s', () => cluster.befall(image('nats:2.10'), {}));
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://argo-rollouts.readthedocs.io/en/stable/concepts/#canary
  'canary-grows': scenario(
    'A canary beside the stable version gets more and more replicas, the stable one fewer, behind one Service',
    (cluster) => {
      surroundings(cluster);
      const labels = { 'app.kubernetes.io/name': 'search' };
      const stable = cluster.deployment('find/search-stable', { replicas: 4, image: image('search:1'), labels });
      const canary = cluster.deployment('find/search-canary', { replicas: 0, image: image('search:2'), labels });
      cluster.service('find/search', { selector: labels });
      for (const [index, share] of [1, 2, 4].entries())
        cluster.at(`${10 + index * 25}s`, () => {
          canary.scale(share);
          stable.scale(4 - share);
        });
      cluster.lasts('2m');
      cluster.recordedFrom('sandbox');
    },
  ),
  // https://kubernetes.io/docs/concepts/architecture/nodes/#graceful-node-shutdown
  'spot-machine-announced': scenario(
    'A spot machine is announced to go: it is drained in time, and its Pods are elsewhere before it is gone',
    (cluster) => {
      surroundings(cluster);
      cluster.deployment('batch/api', { replicas: 4, image: image('api:3') });
      cluster.service('batch/api');
      cluster.object(budget('batch/api', { minAvailable: 2 }));
      cluster.at('8s', () =>
        cluster.node('n2').warn('SpotInterruption', 'Spot Interruption event was triggered for the node'),
      );
      cluster.at('9s', () => cluster.node('n2').drain());
      cluster.at('50s', () => cluster.node('n2').remove());
      cluster.at('55s', () => cluster.addNode({ name: 'n4' }));
      cluster.lasts('2m10s');
      cluster.recordedFrom('sandbox');
    },
  ),
};
