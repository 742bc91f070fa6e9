import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** What runs once, or by the clock. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://restic.readthedocs.io/en/stable/080_examples.html
  'backup-with-a-revoked-key': scenario(
    'The key for backups is renewed wrongly in its Secret, and the next backup fails',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const key = cluster.secret('backup/s3', { id: 'AKIA1', key: 'guess' });
      cluster.object({
        ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'etcd-snapshot', namespace: 'backup' } },
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: {
              backoffLimit: 1,
              template: {
                spec: {
                  restartPolicy: 'Never',
                  containers: [
                    { name: 'snapshot', image: image('snapshot:2'), envFrom: [{ secretRef: { name: 's3' } }] },
                  ],
                },
              },
            },
          },
        },
      });
      cluster.image(image('snapshot:2'), { exit: { afterSeconds: 5, code: 0 } });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('20s', () => {
        key.edit({ id: 'AKIA2', key: 'typo' });
        cluster.image(
          image('snapshot:2'),
          ends(
            [
              'Snapshot saved at /tmp/etcd.db',
              'An error occurred (SignatureDoesNotMatch) when calling the PutObject operation: The request signature we calculated does not match the signature you provided. Check your key and signing method.',
            ],
            1,
            4,
          ),
        );
      });
      cluster.lasts('4m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'CronJob/backup/etcd-snapshot',
        accepts: ['Secret/backup/s3'],
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy
  'import-out-of-memory': scenario(
    'A large import is killed for its memory at each attempt, until it is given up',
    (cluster) => {
      surroundings(cluster);
      cluster.deployment('crm/api', { replicas: 2, image: image('crm-api:1') });
      cluster.image(image('import:7'), {
        exit: { afterSeconds: 4, code: 137, oom: true },
        log: ['INFO reading customers.csv (2.1 GB)', 'INFO 1,200,000 rows in memory'],
      });
      cluster.at('8s', () =>
        cluster.job('crm/import-customers', { image: image('import:7'), memory: '256Mi', spec: { backoffLimit: 2 } }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Job/crm/import-customers',
        mustNotBlame: ['Deployment/crm/api', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#concurrency-policy
  'report-by-the-clock-has-no-image': scenario(
    'The image of a report that runs every minute is cleaned out of the registry',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      cluster.cronJob('finance/rates', {
        schedule: '* * * * *',
        image: image('rates:2024-01'),
        spec: { concurrencyPolicy: 'Forbid' },
      });
      cluster.image(image('rates:2024-01'), { exit: { afterSeconds: 3, code: 0 } });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('10s', () => cluster.image(image('rates:2024-01'), { pullError: 'NotFound' }));
      cluster.lasts('3m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'CronJob/finance/rates',
        mustNotBlame: ['Registry//registry.acme.example', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/security/rbac-good-practices/
  'cleaner-may-not-list-any-more': scenario(
    'The rights of a cleaner that runs by the clock are taken away, and all its runs fail since',
    (cluster) => {
      surroundings(cluster);
      const metadata = { name: 'preview-cleaner', namespace: 'previews' };
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
      const binding = cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'preview-cleaner' },
        },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
        subjects: [{ kind: 'ServiceAccount', ...metadata }],
      });
      cluster.object({
        ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata },
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: {
              backoffLimit: 0,
              template: {
                spec: {
                  ...{ restartPolicy: 'Never', serviceAccountName: 'preview-cleaner' },
                  containers: [{ name: 'kubectl', image: image('kubectl:1.36') }],
                },
              },
            },
          },
        },
      });
      cluster.image(image('kubectl:1.36'), { exit: { afterSeconds: 3, code: 0 } });
      cluster.at('15s', () => {
        binding.delete();
        cluster.image(
          image('kubectl:1.36'),
          ends(
            [
              'Error from server (Forbidden): namespaces is forbidden: User "system:serviceaccount:previews:preview-cleaner" cannot list resource "namespaces" in API group "" at the cluster scope',
            ],
            1,
            2,
          ),
        );
      });
      cluster.lasts('4m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'CronJob/previews/preview-cleaner',
        accepts: ['ServiceAccount/previews/preview-cleaner', 'ClusterRoleBinding//preview-cleaner'],
        messages: { update: '≤1' },
      });
    },
  ),
};
