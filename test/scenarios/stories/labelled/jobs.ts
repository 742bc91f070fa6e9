import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/ory/k8s/issues/320: the migration does not end, and what waits for it does not start.
  'migration-fails-before-the-release': scenario(
    'The Job that migrates the database fails, and the release waits for it',
    (cluster) => {
      surroundings(cluster);
      const image = 'registry.acme.example/identity';
      const identity = cluster.deployment('id/identity', { replicas: 2, image: `${image}:1`, init: `${image}-wait:1` });
      cluster.image(`${image}-migrate:2`, {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          'Running migration 20260301_add_totp',
          'ERROR: canceling statement due to lock timeout (SQLSTATE 55P03)',
          'migration failed, rolled back',
        ],
      });
      cluster.image(`${image}-wait:2`, {
        exit: { afterSeconds: 100_000, code: 0 },
        log: ['waiting for migration 20260301_add_totp'],
      });
      cluster.at('8s', () => cluster.job('id/migrate-2', { image: `${image}-migrate:2`, spec: { backoffLimit: 1 } }));
      cluster.at('10s', () => identity.change({ image: `${image}:2`, init: `${image}-wait:2` }));
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Job/id/migrate-2',
        mustNotBlame: ['Deployment/id/identity', 'Deployment/office/wiki'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup
  'job-runs-out-of-time': scenario('A reindexing Job does not end in the time it is given', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    cluster.at('5s', () =>
      cluster.job('shop/reindex', {
        image: 'registry.acme.example/reindex:3',
        spec: { activeDeadlineSeconds: 60, backoffLimit: 3 },
      }),
    );
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Job/shop/reindex',
      beginsAfterSeconds: 65,
      mustNotBlame: ['Deployment/web/storefront'],
    });
  }),

  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshoot-403-errors.html
  'export-is-denied': scenario(
    'An export every ten minutes is denied its bucket since a role was changed',
    (cluster) => {
      surroundings(cluster);
      const image = 'registry.acme.example/export:5';
      // What is there at the start is a day old, and would have missed a day.
      cluster.at('1s', () => {
        cluster.cronJob('billing/export', { schedule: '*/10 * * * *', image });
        cluster.cronJob('billing/archive', { schedule: '0 3 * * *', image: 'registry.acme.example/archive:5' });
      });
      cluster.image(image, { exit: { afterSeconds: 5, code: 0 }, log: ['exported 1204 rows'] });
      cluster.image('registry.acme.example/archive:5', { exit: { afterSeconds: 8, code: 0 }, log: ['archived'] });
      cluster.at('25m', () =>
        cluster.image(image, {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the PutObject operation: User: arn:aws:sts::111122223333:assumed-role/export/1 is not authorized to perform: s3:PutObject on resource: "arn:aws:s3:::acme-exports/2026/03"',
          ],
        }),
      );
      cluster.lasts('70m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'CronJob/billing/export',
        firstMessageWithinSeconds: 3_000,
        mustNotBlame: ['CronJob/billing/archive'],
      });
    },
  ),
};
