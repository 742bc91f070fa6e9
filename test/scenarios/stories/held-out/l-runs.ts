import type { Scenario } from '../../kit/scenario.ts';
import { scenario } from '../../kit/scenario.ts';
import { budget, storageClass } from '../../kit/things.ts';

/** A Service of one port, the same inside. */
const on = (port: number, more: object = {}): object => ({
  ports: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' }],
  ...more,
});

/** Jobs, runs by the clock, builders, machines and disks. */
export const stories: Readonly<Record<string, Scenario>> = {
  'copies-are-signed-with-a-key-of-two-halves': scenario(
    'The key for the store of backups is edited, half of it; each run by the clock fails since, while that of a neighbour goes on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const key = cluster.secret('wiki/backup-s3', { AWS_ACCESS_KEY_ID: 'AKIAOLD', AWS_SECRET_ACCESS_KEY: 's-old' });
      cluster.statefulSet('wiki/postgres', { image: 'registry.example/library/postgres:16.4', probe: false });
      cluster.service('wiki/postgres', on(5432));
      cluster.image('registry.example/tools/pg-backup:2.3', {
        exit: { afterSeconds: 6, code: 0 },
        log: [
          'Dumping wiki@postgres.wiki.svc.cluster.local',
          'upload: ./wiki.dump to s3://corp-backups/wiki/wiki.dump',
        ],
      });
      cluster.image('registry.example/tools/tidy:1.0', { exit: { afterSeconds: 4, code: 0 } });
      const template = {
        metadata: { labels: { app: 'pg-backup' } },
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              ...{ name: 'pg-backup', image: 'registry.example/tools/pg-backup:2.3' },
              envFrom: [{ secretRef: { name: 'backup-s3' } }],
              env: [{ name: 'PGHOST', value: 'postgres.wiki.svc.cluster.local' }],
            },
          ],
        },
      };
      const copies = cluster.cronJob('wiki/pg-backup', {
        ...{
          schedule: '*/3 * * * *',
          image: 'registry.example/tools/pg-backup:2.3',
          job: { template, backoffLimit: 0 },
        },
        spec: { failedJobsHistoryLimit: 3 },
      });
      const tidy = cluster.cronJob('wiki/tidy', { schedule: '*/4 * * * *', image: 'registry.example/tools/tidy:1.0' });
      cluster.at('4m', () => key.edit({ AWS_ACCESS_KEY_ID: 'AKIANEW' }));
      cluster.at('4m10s', () =>
        cluster.image('registry.example/tools/pg-backup:2.3', {
          exit: { afterSeconds: 7, code: 1 },
          log: [
            'Dumping wiki@postgres.wiki.svc.cluster.local',
            'upload failed: ./wiki.dump to s3://corp-backups/wiki/wiki.dump An error occurred (SignatureDoesNotMatch) when calling the PutObject operation: The request signature we calculated does not match the signature you provided. Check your key and signing method.',
          ],
        }),
      );
      cluster.at('15m', () => {
        copies.patch({ spec: { suspend: true } });
        tidy.patch({ spec: { suspend: true } });
      });
      cluster.lasts('16m');
      cluster.expectIncident({
        root: 'Secret/wiki/backup-s3',
        mustNotBlame: ['StatefulSet/wiki/postgres', 'CronJob/wiki/tidy'],
      });
    },
  ),

  'builders-have-no-room-and-a-cache-of-theirs-forgets-its-file': scenario(
    'More builders are wanted than the quota of their namespace has room for; the cache of packages beside it reads a broken file',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.quota('builds/builds', { pods: '6', 'requests.memory': '6Gi' });
      const runners = cluster.deployment('builds/runner', {
        ...{ replicas: 3, image: 'registry.example/actions/actions-runner:2.320.0', memory: '1Gi', probe: false },
      });
      const image = 'registry.example/tools/verdaccio:5.33';
      const settings = cluster.configMap('packages/verdaccio', {
        'config.yaml': 'storage: /verdaccio/storage\nuplinks:\n  npmjs:\n    url: https://registry.npmjs.example/\n',
      });
      const cache = cluster.deployment('packages/verdaccio', {
        ...{ image, spec: { strategy: { type: 'Recreate' } } },
        container: { volumeMounts: [{ name: 'conf', mountPath: '/verdaccio/conf' }] },
        pod: { volumes: [{ name: 'conf', configMap: { name: 'verdaccio' } }] },
      });
      cluster.service('packages/verdaccio', on(4873));
      cluster.at('10s', () => runners.scale(9));
      cluster.at('60s', () =>
        settings.edit({
          'config.yaml':
            'storage: /verdaccio/storage\nuplinks:\n  npmjs:\n  url: https://registry.npmjs.example/\n   timeout: 30s\n',
        }),
      );
      cluster.at('75s', () => {
        cluster.image(image, {
          ...{ readyAfterSeconds: 'never', exit: { afterSeconds: 1, code: 1 } },
          log: [
            'fatal--- cannot open config file /verdaccio/conf/config.yaml: Error: CONFIG: it does not look like a valid config file',
            'YAMLException: bad indentation of a mapping entry (5:4)',
            ' 4 |   url: https://registry.npmjs.example/',
            ' 5 |    timeout: 30s',
          ],
        });
        cache.restart();
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ResourceQuota/builds/builds',
        reason: 'QuotaExceeded',
        accepts: ['Deployment/builds/runner'],
      });
      cluster.expectIncident({ root: 'ConfigMap/packages/verdaccio', mustNotBlame: ['Deployment/builds/runner'] });
    },
  ),

  'machine-goes-dark-a-minute-after-an-edit': scenario(
    'A Node loses its power a minute after the settings of a service on it were edited; the edit is harmless',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('stock/levels', { LOG_LEVEL: 'info', BATCH: '200' });
      cluster.statefulSet('stock/levels-db', { replicas: 3, image: 'registry.example/library/postgres:16.4' });
      cluster.service('stock/levels-db', on(5432));
      const levels = cluster.deployment('stock/levels', {
        ...{ replicas: 3, image: 'registry.example/stock/levels:4.1', envFrom: ['levels'] },
        values: { DB_HOST: 'levels-db.stock.svc.cluster.local' },
      });
      cluster.service('stock/levels');
      cluster.at('5s', () => settings.edit({ LOG_LEVEL: 'debug' }));
      cluster.at('15s', () => levels.restart());
      cluster.at('75s', () => cluster.node('n2').losePower());
      cluster.lasts('9m');
      cluster.expectIncident({
        root: 'Node//n2',
        reason: 'NodeUnreachable',
        mustNotBlame: ['ConfigMap/stock/levels', 'Deployment/stock/levels', 'StatefulSet/stock/levels-db'],
      });
    },
  ),

  'disks-are-asked-of-a-class-from-another-cloud': scenario(
    'A chart that was moved from another cloud asks for a class of disks that is not here; a neighbour on the right class is released meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk.csi.example' } },
        spec: { attachRequired: true },
      });
      cluster.object(storageClass('ssd-zonal', { volumeBindingMode: 'WaitForFirstConsumer' }));
      const claims = (storageClassName: string): object => ({
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } },
          },
        ],
      });
      const old = cluster.statefulSet('metrics/victoria', {
        ...{ replicas: 1, image: 'registry.example/vm/victoria-metrics:v1.105.0', spec: claims('ssd-zonal') },
      });
      cluster.service('metrics/victoria', on(8428));
      cluster.at('5s', () => old.setImage('registry.example/vm/victoria-metrics:v1.106.0'));
      cluster.at('20s', () => {
        cluster.statefulSet('graph/neo4j', {
          ...{ replicas: 1, image: 'registry.example/library/neo4j:5.24', spec: claims('managed-premium') },
        });
        cluster.service('graph/neo4j', on(7687));
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/graph/neo4j',
        accepts: ['PersistentVolumeClaim/graph/data-neo4j-0', 'StorageClass//managed-premium'],
        mustNotBlame: ['StatefulSet/metrics/victoria', 'StorageClass//ssd-zonal'],
      });
    },
  ),

  'training-may-not-go-where-its-cards-are': scenario(
    'A training run names the pool with the cards and does not tolerate its taint; a release elsewhere lacks a variable',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'cpu-1', labels: { pool: 'general' } },
        { name: 'cpu-2', labels: { pool: 'general' } },
        {
          name: 'gpu-1',
          labels: { pool: 'gpu-a100' },
          taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
        },
      ]);
      const image = 'registry.example/geo/tiles:7.0';
      const tiles = cluster.deployment('geo/tiles', { replicas: 2, image });
      cluster.service('geo/tiles');
      cluster.at('10s', () =>
        cluster.job('ml/train-ranker-0931', {
          ...{ image: 'registry.example/ml/trainer:cu124', nodeSelector: { pool: 'gpu-a100' }, memory: '2Gi' },
          spec: { backoffLimit: 1 },
        }),
      );
      cluster.image('registry.example/geo/tiles:7.1', {
        ...{ readyAfterSeconds: 'never', exit: { afterSeconds: 2, code: 78 } },
        log: [
          'INFO  tileserver 7.1.0 starting',
          'ERROR fatal: required environment variable TILES_STYLE_DIR is not set',
        ],
      });
      cluster.at('50s', () => tiles.setImage('registry.example/geo/tiles:7.1'));
      cluster.lasts('7m');
      cluster.expectIncident({ root: 'Job/ml/train-ranker-0931', mustNotBlame: ['Node//gpu-1', 'Node//cpu-1'] });
      cluster.expectIncident({ root: 'Deployment/geo/tiles' });
    },
  ),

  'upgrade-of-a-machine-waits-for-a-budget-of-one': scenario(
    'A Node is drained for its upgrade and never gets empty: a service of one copy has a budget that allows nothing; another team releases meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'n1', labels: { pool: 'legacy' } }, 'n2', 'n3']);
      cluster.deployment('reports/renderer', {
        ...{ replicas: 1, image: 'registry.example/reports/renderer:1.8', nodeSelector: { pool: 'legacy' } },
      });
      cluster.service('reports/renderer');
      cluster.object(budget('reports/renderer', { minAvailable: 1 }));
      const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/shop/api:50' });
      cluster.service('shop/api');
      cluster.at('5s', () => api.setImage('registry.example/shop/api:51'));
      cluster.at('60s', () => cluster.node('n1').drain());
      cluster.lasts('30m');
      // That it can never let a Pod go is known before anybody drains.
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'PodDisruptionBudget/reports/renderer',
        reason: 'PDBBlocksDrain',
        beginsAfterSeconds: 60,
        mustNotBlame: ['Deployment/shop/api'],
      });
    },
  ),

  'settlement-is-cut-off-and-a-key-for-payments-is-wrong': scenario(
    'A nightly settlement does not end in the time that it is given; the key of a payment provider is edited wrongly in another namespace',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/finance/settle:9.2', {
        exit: { afterSeconds: 7200, code: 0 },
        log: [
          '2026-11-24 01:00:03 INFO  settle: day 2026-11-23, 1482210 bookings',
          '2026-11-24 01:01:00 INFO  settle: 11840 of 1482210 done',
          '2026-11-24 01:02:00 INFO  settle: 23702 of 1482210 done',
        ],
      });
      const key = cluster.secret('checkout/stripe', { STRIPE_API_KEY: 'rk_live_old' });
      const image = 'registry.example/checkout/payments:14.3';
      const payments = cluster.deployment('checkout/payments', {
        ...{ replicas: 2, image, env: { STRIPE_API_KEY: 'secret/stripe/STRIPE_API_KEY' } },
      });
      cluster.service('checkout/payments');
      cluster.at('10s', () =>
        cluster.job('finance/settle-20261123', {
          ...{ image: 'registry.example/finance/settle:9.2', memory: '512Mi' },
          spec: { activeDeadlineSeconds: 180, backoffLimit: 0 },
        }),
      );
      cluster.at('30s', () => key.edit({ STRIPE_API_KEY: 'rk_live_new ' }));
      cluster.at('45s', () => {
        cluster.image(image, {
          ...{ readyAfterSeconds: 'never', exit: { afterSeconds: 3, code: 1 } },
          log: [
            '{"level":"info","msg":"payments 14.3.0 starting, provider stripe"}',
            '{"level":"error","msg":"provider self-test failed","type":"StripeAuthenticationError","statusCode":401,"err":"Invalid API Key provided: rk_live_****new"}',
            'StripeAuthenticationError: Invalid API Key provided: rk_live_****new',
            '    at StripeError.generate (/app/node_modules/stripe/cjs/Error.js:15:24)',
          ],
        });
        payments.restart();
      });
      cluster.lasts('6m');
      // The condition of a Job has that for a reason; what is told of Jobs that fail for good is JobFailed, with this in words.
      cluster.expectIncident({ root: 'Job/finance/settle-20261123', reason: 'JobFailed' });
      cluster.expectIncident({ root: 'Secret/checkout/stripe' });
    },
  ),
};
