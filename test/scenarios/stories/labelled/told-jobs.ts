import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Work by the clock, and work that is done once. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/zalando/postgres-operator/issues/1678: the CronJob keeps the version that the server had before.
  'dump-is-older-than-the-server-since-its-upgrade': reported(
    'A PostgreSQL is raised by a major version, and the CronJob of its dumps is not; each dump since ends for the difference',
    (cluster) => {
      const repository = 'docker.io/library/postgres';
      const database = server(cluster, 'crm/crm-db', `${repository}:13.4`, 5432);
      const image = 'registry.opensource.zalan.do/acid/logical-backup:v1.7.1';
      cluster.image(image, { exit: { afterSeconds: 20, code: 0 }, log: ['++ dump', '++ upload 14220812'] });
      cluster.cronJob('crm/logical-backup-crm-db', { schedule: '*/5 * * * *', image });
      cluster.at('200s', () => database.setImage(`${repository}:14.0`));
      cluster.at(after(-40), () =>
        cluster.image(image, {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            'pg_dumpall: error: server version: 14.0 (Debian 14.0-1.pgdg110+1); pg_dumpall version: 13.4 (Ubuntu 13.4-4.pgdg18.04+1)',
            'pg_dumpall: error: aborting because of server version mismatch',
          ],
        }),
      );
      cluster.expectIncident({
        root: 'CronJob/crm/logical-backup-crm-db',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/crm/crm-db', 'Service/crm/crm-db'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/kubernetes/kubernetes/issues/101584: a run whose image never comes is never over, and no other begins.
  'run-that-never-starts-holds-up-the-next': reported(
    'The image of a CronJob is set to a tag that does not exist; its run waits for ever, and by its policy no other may begin',
    (cluster) => {
      const repository = 'private.mills.example/invoices';
      cluster.image(`${repository}:5.2.0`, { exit: { afterSeconds: 10, code: 0 }, log: ['sent 214 invoices'] });
      const job = cluster.cronJob('billing/invoices', {
        ...{ schedule: '*/2 * * * *', image: `${repository}:5.2.0` },
        spec: { concurrencyPolicy: 'Forbid' },
      });
      cluster.image(`${repository}:5.2.l`, { pullError: 'NotFound' });
      cluster.at(after(0), () =>
        job.patch({
          spec: {
            jobTemplate: {
              spec: {
                template: { spec: { containers: [{ name: 'invoices', image: `${repository}:5.2.l` }] } },
              },
            },
          },
        }),
      );
      cluster.expectIncident({
        root: 'CronJob/billing/invoices',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/kubeflow/spark-operator/issues/1907, https://github.com/kubeflow/spark-operator/issues/1004: it fails open.
  'drivers-begin-without-what-a-webhook-adds': reported(
    'The certificate of a webhook has run out, and it fails open: the runs of Spark begin without the settings it would mount, and fail',
    (cluster) => {
      cluster.secret('spark-operator/spark-webhook-certs', { 'server-cert.pem': 'one', 'server-key.pem': 'one' });
      cluster.deployment('spark-operator/spark-operator', { image: 'ghcr.io/kubeflow/spark-operator:v1beta2-1.3.8' });
      cluster.service('spark-operator/spark-operator-webhook', { selector: { app: 'spark-operator' } });
      const image = 'docker.io/apache/spark:3.5.1';
      cluster.image(image, { exit: { afterSeconds: 40, code: 0 }, log: ['Pi is roughly 3.1418'] });
      cluster.cronJob('analytics/hourly-rollup', { schedule: '*/4 * * * *', image });
      cluster.at(after(-30), () =>
        cluster.image(image, {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'Exception in thread "main" java.lang.reflect.InvocationTargetException',
            'Caused by: java.io.FileNotFoundException: /etc/metrics/conf/prometheus.yaml (No such file or directory)',
            'FATAL ERROR in native method: processing of -javaagent failed',
          ],
        }),
      );
      cluster.expectIncident({
        root: 'CronJob/analytics/hourly-rollup',
        accepts: ['Deployment/spark-operator/spark-operator', 'Secret/spark-operator/spark-webhook-certs'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/pieterlange/kube-backup/issues/71: the repository takes its key no more.
  'backup-may-not-push-any-more': reported(
    'The key that the backup of a cluster pushes with is taken away at the code host; one run by hand uses up its tries',
    (cluster) => {
      cluster.secret('kube-system/kube-backup-ssh', { id_rsa: 'one' });
      const image = 'docker.io/ptlange/kube-backup:1.18.0-1';
      cluster.image(
        image,
        ends(
          [
            "Cloning into '/backup/git/'...",
            'git@github.com: Permission denied (publickey).',
            'fatal: Could not read from remote repository.',
            'Please make sure you have the correct access rights and the repository exists.',
          ],
          128,
          3,
        ),
      );
      cluster.at(after(0), () =>
        cluster.job('kube-system/kube-state-backup-manual', { image, spec: { backoffLimit: 3 } }),
      );
      cluster.expectIncident({
        root: 'Job/kube-system/kube-state-backup-manual',
        accepts: ['Secret/kube-system/kube-backup-ssh', 'ExternalEndpoint//github.com'],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Node//n1', 'Deployment/kube-system/coredns'],
      });
    },
  ),
};
