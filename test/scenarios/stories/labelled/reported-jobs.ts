import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** Work that is done once, or by the clock. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/schickling/dockerfiles/issues/163, https://github.com/SierraSoftworks/minback-postgres/issues/5
  'backup-is-older-than-its-server': reported(
    'The server was upgraded, and the nightly dump is made with an older client, which refuses',
    (cluster) => {
      const postgres = server(cluster, 'accounts/postgres', 'docker.io/library/postgres:14.11', 5432);
      const image = 'docker.io/schickling/postgres-backup-s3:14';
      cluster.image(image, { exit: { afterSeconds: 20, code: 0 }, log: ['Creating dump of accounts database...'] });
      const backup = cluster.cronJob('accounts/postgres-backup', { schedule: '*/5 * * * *', image });
      cluster.at('60s', () => postgres.setImage('docker.io/library/postgres:16.2'));
      cluster.at(after(-30), () =>
        cluster.image(image, {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            'Creating dump of all databases from postgres.accounts.svc.cluster.local...',
            'pg_dumpall: error: server version: 16.2 (Debian 16.2-1.pgdg120+2); pg_dumpall version: 14.4',
            'pg_dumpall: error: aborting because of server version mismatch',
          ],
        }),
      );
      cluster.at(after(900), () => backup.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/accounts/postgres-backup',
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/accounts/postgres', 'Service/accounts/postgres'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/istio/istio/issues/11045: the companion of the mesh never ends, so the Job never does.
  'companion-of-a-run-does-not-end': reported(
    'A Job gets a companion of the mesh that never ends; the work is done, and the Job runs into its deadline',
    (cluster, firm) => {
      server(cluster, 'sales/postgres', 'docker.io/library/postgres:15.6', 5432);
      const proxy = 'docker.io/istio/proxyv2:1.23.2';
      cluster.image(imageAt('month-end', 12), {
        exit: { afterSeconds: 45, code: 0 },
        log: ['month-end: 48211 invoices closed', 'month-end: done'],
      });
      cluster.image(proxy, { log: ['info\tEnvoy proxy is ready'] });
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () =>
        cluster.job('sales/month-end', {
          image: imageAt('month-end', 12),
          pod: {
            containers: [
              { name: 'month-end', image: imageAt('month-end', 12) },
              { name: 'istio-proxy', image: proxy },
            ],
          },
          spec: { activeDeadlineSeconds: 600, backoffLimit: 0 },
        }),
      );
      cluster.expectIncident({
        root: 'Job/sales/month-end',
        messages: { resolve: 0 },
        beginsAfterSeconds: 930,
        firstMessageWithinSeconds: 300,
        mustNotBlame: ['Deployment/logistics/tracking', 'StatefulSet/sales/postgres'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/ansible/awx/issues/5939, https://github.com/PostHog/posthog/issues/6025
  'migration-before-an-upgrade-was-half-done': reported(
    'A first try left half a migration behind, and the Job that runs before an upgrade fails for it each time; the application runs on',
    (cluster) => {
      server(cluster, 'automation/postgres', 'docker.io/library/postgres:13.14', 5432);
      cluster.deployment('automation/awx-web', { replicas: 2, image: imageAt('awx-web', '9.1') });
      cluster.service('automation/awx-web');
      cluster.image(imageAt('awx-migrate', '9.2'), {
        exit: { afterSeconds: 9, code: 1 },
        log: [
          'Operations to perform:',
          '  Apply all migrations: auth, conf, contenttypes, main, oauth2_provider, sessions, sites, social_django, sso, taggit',
          'Running migrations:',
          '  Applying main.0100_v370_projectupdate_job_tags...Traceback (most recent call last):',
          '  File "/var/lib/awx/venv/awx/lib/python3.6/site-packages/django/db/backends/utils.py", line 84, in _execute',
          '    return self.cursor.execute(sql, params)',
          'psycopg2.errors.DuplicateColumn: column "job_tags" of relation "main_projectupdate" already exists',
          'django.db.utils.ProgrammingError: column "job_tags" of relation "main_projectupdate" already exists',
        ],
      });
      cluster.at(after(0), () =>
        cluster.job('automation/awx-migrate', { image: imageAt('awx-migrate', '9.2'), spec: { backoffLimit: 3 } }),
      );
      cluster.expectIncident({
        root: 'Job/automation/awx-migrate',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/automation/postgres', 'Deployment/automation/awx-web'],
      });
    },
  ),
};
