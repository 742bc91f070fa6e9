import { imageAt } from '../../kit/company.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Runs to completion: what they leave behind, and what they read. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/vm0-ai/vm0/pull/34084, https://github.com/Soju06/codex-lb/pull/2422: a column that others still read.
  'migration-takes-a-column-away': reported(
    'A run that migrates a shared database drops a column; three services of other teams that read it fail',
    (cluster) => {
      server(cluster, 'core/postgres', 'docker.io/library/postgres:15.7', 5432);
      cluster.at(after(0), () =>
        cluster.job('core/migrate-2-14', {
          image: imageAt('core-migrations', '2.14'),
          values: { DB_HOST: 'postgres.core.svc.cluster.local' },
        }),
      );
      cluster.image(imageAt('core-migrations', '2.14'), {
        exit: { afterSeconds: 12, code: 0 },
        log: ['INFO  [alembic.runtime.migration] Running upgrade 1f3 -> 2a9, drop customer.phone'],
      });
      const innocents = clients(cluster, 25, {
        'crm/customers': {
          does: unready(['ERROR: column customer.phone does not exist at character 42 (SQLSTATE 42703)']),
          values: { DATABASE_URL: 'postgres://crm@postgres.core:5432/core' },
        },
        'crm/calls': {
          does: ends([
            'psycopg2.errors.UndefinedColumn: column c.phone does not exist',
            'LINE 1: SELECT c.id, c.phone FROM customer c',
          ]),
          values: { PGHOST: 'postgres.core.svc.cluster.local' },
        },
        'support/tickets': {
          does: ends([
            'PrismaClientKnownRequestError: The column `customer.phone` does not exist in the current database.',
            "  code: 'P2022',",
          ]),
          values: { DATABASE_URL: 'postgresql://tickets@postgres.core.svc:5432/core' },
        },
      });
      cluster.expectIncident({
        root: 'Job/core/migrate-2-14',
        accepts: ['StatefulSet/core/postgres', 'Service/core/postgres'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/awslabs/amazon-s3-data-replication-hub-plugin/issues/87, https://github.com/velero-io/velero/issues/1128: one Secret, two runs by the clock.
  'keys-of-the-backups-were-replaced': reported(
    'The Secret with the keys of the backups is replaced by a wrong one; two runs by the clock that read it fail in their own words',
    (cluster) => {
      const secret = cluster.secret('ops/backup-keys', { access: 'one', secret: 'one' });
      const dumps = imageAt('dumps', '1.0');
      const files = imageAt('files', '1.0');
      const envFrom = [{ secretRef: { name: 'backup-keys' } }];
      const run = (image: string, name: string): object => ({
        backoffLimit: 0,
        template: { spec: { restartPolicy: 'Never', containers: [{ name, image, envFrom }] } },
      });
      for (const [place, image, schedule] of [
        ['ops/dumps', dumps, '*/5 * * * *'],
        ['ops/files', files, '*/4 * * * *'],
      ] as const) {
        const runs = cluster.cronJob(place, { schedule, image, job: run(image, place.slice(4)) });
        cluster.at(after(1190), () => runs.patch({ spec: { suspend: true } }));
      }
      for (const image of [dumps, files]) cluster.image(image, { exit: { afterSeconds: 9, code: 0 } });
      cluster.at(after(0), () => {
        secret.edit({ access: 'two', secret: 'two' });
        cluster.image(
          dumps,
          ends(
            [
              'upload failed: - to s3://backups/core.dump An error occurred (SignatureDoesNotMatch) when calling the PutObject operation: The request signature we calculated does not match the signature you provided. Check your key and signing method.',
            ],
            1,
            6,
          ),
        );
        cluster.image(
          files,
          ends(
            [
              'Fatal: unable to open config file: Stat: The Access Key Id you provided does not exist in our records.',
              'Is there a repository at the following location?',
            ],
            1,
            4,
          ),
        );
      });
      cluster.expectIncident({
        root: 'Secret/ops/backup-keys',
        firstMessageWithinSeconds: 900,
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: ['CronJob/ops/dumps', 'CronJob/ops/files'],
      });
    },
  ),

  // https://github.com/etcd-io/etcd/issues/14688, https://github.com/reactive-tech/kubegres/issues/36: the script is in a ConfigMap.
  'script-of-a-nightly-run-was-edited': reported(
    'A script that runs by the clock is in a ConfigMap; an edit leaves a quotation open',
    (cluster) => {
      const script = cluster.configMap('ops/vacuum-script', { 'vacuum.sh': 'psql -c "vacuum"' });
      const image = imageAt('vacuum', '1.0');
      const template = {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'vacuum', image, command: ['/bin/sh', '/scripts/vacuum.sh'] }],
          volumes: [{ name: 'scripts', configMap: { name: 'vacuum-script' } }],
        },
      };
      const runs = cluster.cronJob('ops/vacuum', {
        schedule: '*/3 * * * *',
        image,
        job: { backoffLimit: 0, template },
      });
      cluster.at(after(1190), () => runs.patch({ spec: { suspend: true } }));
      cluster.image(image, { exit: { afterSeconds: 5, code: 0 } });
      cluster.at(after(0), () => {
        script.edit({ 'vacuum.sh': 'psql -c "vacuum' });
        cluster.image(
          image,
          ends(['/scripts/vacuum.sh: line 1: unexpected EOF while looking for matching `"\''], 2, 1),
        );
      });
      cluster.expectIncident({
        root: 'ConfigMap/ops/vacuum-script',
        firstMessageWithinSeconds: 600,
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: ['CronJob/ops/vacuum'],
      });
    },
  ),
};
