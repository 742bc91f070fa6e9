import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { templateOf } from '../../kit/manifests.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { mounts } from '../../kit/things.ts';

/** A Job whose Pods fail so. */
const failing = (log: readonly string[], code = 1, afterSeconds = 3) => ({ exit: { afterSeconds, code }, log });
const ledger = (cluster: ClusterBuilder): void => {
  cluster.statefulSet('data/warehouse', { image: 'docker.io/library/postgres:17' });
  cluster.service('data/warehouse', port(5432));
};

/** Work that is done once, or by the clock. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/job/pod-failure-policy/#using-pod-failure-policy-to-avoid-unnecessary-pod-retries-based-on-custom-error-codes
  'policy-ends-a-run-for-its-exit-code': scenario(
    'A Job ends at once, as its policy says of an exit code that no retry can help',
    (cluster) => {
      const firm = company(cluster);
      cluster.image(
        imageAt('reconcile', 8),
        failing(['FATAL input file 2026-11-21.csv has 14 columns, expected 13; giving up with code 42'], 42),
      );
      innocentRelease(cluster, '3s', firm);
      cluster.at('6s', () =>
        cluster.job('bank/reconcile', {
          image: imageAt('reconcile', 8),
          spec: {
            backoffLimit: 6,
            podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
          },
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Job/bank/reconcile',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#backoff-limit-per-index
  'one-part-of-a-split-run-fails': scenario(
    'One of five parts of an Indexed Job fails for good, the others are done',
    (cluster) => {
      company(cluster);
      cluster.image(imageAt('tiles', 3), ({ metadata }) =>
        metadata.annotations?.['batch.kubernetes.io/job-completion-index'] === '3'
          ? failing(['rasterio.errors.RasterioIOError: part-3.tif: not recognized as being in a supported file format'])
          : { exit: { afterSeconds: 6, code: 0 } },
      );
      cluster.at('5s', () =>
        cluster.job('maps/tiles', {
          image: imageAt('tiles', 3),
          spec: {
            completionMode: 'Indexed',
            completions: 5,
            parallelism: 5,
            backoffLimitPerIndex: 1,
            maxFailedIndexes: 5,
          },
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'Job/maps/tiles', messages: { resolve: 0 } });
    },
  ),

  // https://www.postgresql.org/docs/current/auth-password.html: the password that three nightly runs share was changed in one place.
  'three-runs-with-one-wrong-password': scenario(
    'The password that three runs share is edited, and all three are refused by a healthy database',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      ledger(cluster);
      const secret = cluster.secret('night/warehouse-login', { password: 'one' });
      cluster.at('5s', () => secret.edit({ password: 'two' }));
      const names = ['sales-facts', 'stock-facts', 'customer-facts'];
      cluster.at('12s', () => {
        for (const name of names) {
          cluster.image(
            imageAt(name, 1),
            failing([
              'psycopg2.OperationalError: connection to server at "warehouse.data.svc", port 5432 failed: FATAL:  password authentication failed for user "night"',
            ]),
          );
          cluster.job(`night/${name}`, {
            image: imageAt(name, 1),
            env: { PGPASSWORD: 'secret/warehouse-login/password' },
            values: { PGHOST: 'warehouse.data.svc' },
            spec: { backoffLimit: 1 },
          });
        }
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Secret/night/warehouse-login',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/data/warehouse', ...names.map((name) => `Job/night/${name}` as const)],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes: a run on another machine wants the disk of a service.
  'run-wants-the-disk-of-a-service': scenario(
    'A run by hand wants the disk that a service has mounted on another machine',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'disks' },
        provisioner: 'disk.csi.example',
      });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: { attachRequired: true },
      });
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'uploads', namespace: 'wiki' } },
        spec: {
          storageClassName: 'disks',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '5Gi' } },
        },
      });
      cluster.deployment('wiki/pages', {
        image: imageAt('pages', 1),
        pod: mounts('uploads'),
        nodeSelector: { 'kubernetes.io/hostname': 'n1' },
      });
      cluster.service('wiki/pages');
      cluster.image(imageAt('thumbnailer', 1), {
        heldUp: {
          reason: 'FailedAttachVolume',
          message:
            'Multi-Attach error for volume "pvc-30c134ca-377c-4c29-8000-7e29c0850b7e" Volume is already used by pod(s) pages-6f4b9d7c55-x2x7k',
        },
      });
      cluster.at('6s', () =>
        cluster.job('wiki/thumbnails', {
          image: imageAt('thumbnailer', 1),
          pod: mounts('uploads'),
          nodeSelector: { 'kubernetes.io/hostname': 'n2' },
        }),
      );
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'Job/wiki/thumbnails',
        accepts: ['PersistentVolumeClaim/wiki/uploads'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/wiki/pages'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup
  'run-waits-for-a-partner-until-its-deadline': scenario(
    'A run waits for the files of a partner until its deadline is over',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.image(imageAt('fetch-catalogue', 2), {
        log: [
          'connecting to ftp.supplier.example:21',
          'timeout after 30s, attempt 1 of 20: dial tcp: connect to ftp.supplier.example:21: i/o timeout',
        ],
      });
      cluster.at('5s', () =>
        cluster.job('purchasing/fetch-catalogue', {
          image: imageAt('fetch-catalogue', 2),
          values: { FTP_HOST: 'ftp.supplier.example:21' },
          spec: { activeDeadlineSeconds: 60, backoffLimit: 2 },
        }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Job/purchasing/fetch-catalogue',
        accepts: ['ExternalEndpoint//ftp.supplier.example:21', 'ExternalEndpoint//ftp.supplier.example'],
        messages: { resolve: 0 },
      });
    },
  ),

  // https://spark.apache.org/docs/latest/running-on-kubernetes.html#rbac: the rights of the driver were pruned.
  'driver-may-make-no-helpers': scenario(
    'The rights of a Spark driver are pruned, and its run may make no executors',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'spark', namespace: 'spark' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['create', 'get', 'watch'] }],
      });
      const binding = cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'spark', namespace: 'spark' },
        },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'spark' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'spark' }],
      });
      cluster.image(
        imageAt('features', 1),
        failing([
          'io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: https://kubernetes.default.svc/api/v1/namespaces/spark/pods. Message: pods is forbidden: User "system:serviceaccount:spark:default" cannot create resource "pods" in API group "" in the namespace "spark".',
        ]),
      );
      cluster.at('4s', () => binding.delete());
      cluster.at('10s', () =>
        cluster.job('spark/features', { image: imageAt('features', 1), spec: { backoffLimit: 1 } }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'RoleBinding/spark/spark',
        messages: { resolve: 0 },
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/: each run by the clock fails since its image was released.
  'run-of-every-minute-fails-since-its-release': scenario(
    'A CronJob of every minute fails in each run since it got another image',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.image(imageAt('rates-import', 4), { exit: { afterSeconds: 4, code: 0 } });
      cluster.image(imageAt('rates-import', 5), failing(["ModuleNotFoundError: No module named 'lxml'"]));
      const cron = cluster.cronJob('treasury/rates-import', {
        schedule: '* * * * *',
        image: imageAt('rates-import', 4),
      });
      cluster.at('20s', () =>
        cron.patch({
          spec: {
            jobTemplate: {
              spec: { template: templateOf('rates-import', { image: imageAt('rates-import', 5) }, 'Never') },
            },
          },
        }),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'CronJob/treasury/rates-import',
        firstMessageWithinSeconds: 240,
        messages: { update: '≤2', resolve: 0 },
      });
    },
  ),
};
