import { scenario } from '../../kit/scenario.ts';
import { app, cron, edited, floor, job, plain, service } from './parts/shop-floor.ts';

const role = (place: string, rules: object): Parameters<typeof plain> => [
  'rbac.authorization.k8s.io/v1',
  'Role',
  place,
  { rules },
];

export const stories = {
  'nightly-copy-is-signed-with-a-mistyped-key': scenario(
    'The key for a bucket is edited and mistyped; the database that is copied was restarted shortly before, in good order',
    (c) => {
      floor(c, '6m');
      const keys = c.secret('billing/backup-s3', { AWS_ACCESS_KEY_ID: 'QUtJQQ==', AWS_SECRET_ACCESS_KEY: 'b25l' });
      const db = c.object(
        app('StatefulSet', 'billing/postgres', 'registry.example/postgres:16.4', { replicas: 1, port: 5432 }),
      );
      c.object(service('billing/postgres', 5432));
      const image = 'registry.example/tools/pg-to-s3:2.1';
      const parts = {
        env: { PGHOST: 'postgres.billing.svc', BUCKET: 's3://billing-dumps' },
        secretEnv: {
          AWS_ACCESS_KEY_ID: 'backup-s3.AWS_ACCESS_KEY_ID',
          AWS_SECRET_ACCESS_KEY: 'backup-s3.AWS_SECRET_ACCESS_KEY',
        },
        more: { backoffLimit: 1 },
      };
      const run = c.object(cron('billing/dump', '* * * * *', image, parts));
      c.image(image, { exit: { afterSeconds: 6, code: 0 }, log: ['upload: - to s3://billing-dumps/billing.dump.zst'] });
      c.at('10s', () =>
        db.patch({
          spec: {
            template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T01:00:00Z' } } },
          },
        }),
      );
      c.at('50s', () => {
        keys.edit({ AWS_ACCESS_KEY_ID: 'QUtJQQ==', AWS_SECRET_ACCESS_KEY: 'dHdvCg==' });
        c.image(image, {
          exit: { afterSeconds: 6, code: 1 },
          log: [
            'pg_dump: last built-in OID is 16383',
            'upload failed: - to s3://billing-dumps/billing.dump.zst An error occurred (SignatureDoesNotMatch) when calling the CreateMultipartUpload operation: The request signature we calculated does not match the signature you provided. Check your key and signing method.',
          ],
        });
      });
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({
        root: 'Secret/billing/backup-s3',
        accepts: ['CronJob/billing/dump'],
        mustNotBlame: ['StatefulSet/billing/postgres'],
      });
    },
  ),

  'caretaker-of-old-pods-loses-its-binding': scenario(
    'A binding of rights is removed in a clean-up; the runs that delete old Pods may not list them any more',
    (c) => {
      floor(c, '6m');
      c.object(plain('v1', 'ServiceAccount', 'ops/caretaker'));
      c.object(plain(...role('ops/caretaker', [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'delete'] }])));
      const binding = c.object(
        plain('rbac.authorization.k8s.io/v1', 'RoleBinding', 'ops/caretaker', {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'caretaker' },
          subjects: [{ kind: 'ServiceAccount', name: 'caretaker', namespace: 'ops' }],
        }),
      );
      const image = 'registry.example/kubectl:1.31';
      const run = c.object(
        cron('ops/caretaker', '* * * * *', image, { account: 'caretaker', more: { backoffLimit: 1 } }),
      );
      c.image(image, { exit: { afterSeconds: 3, code: 0 }, log: ['No resources found'] });
      c.at('40s', () => {
        binding.delete();
        c.image(image, {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:ops:caretaker" cannot list resource "pods" in API group "" in the namespace "ops"',
          ],
        });
      });
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({
        root: 'RoleBinding/ops/caretaker',
        accepts: ['ServiceAccount/ops/caretaker', 'Role/ops/caretaker'],
      });
    },
  ),

  'export-gets-a-deadline-shorter-than-itself': scenario(
    'Somebody gives a run a deadline of twenty seconds; it has always taken forty',
    (c) => {
      floor(c, '7m');
      const image = 'registry.example/bi/export:3';
      const run = c.object(cron('bi/export', '* * * * *', image, { more: { backoffLimit: 0 } }));
      c.object(app('Deployment', 'bi/warehouse-proxy', 'registry.example/bi/proxy:1', { port: 5439 }));
      c.object(service('bi/warehouse-proxy', 5439));
      c.image(image, {
        exit: { afterSeconds: 40, code: 0 },
        log: ['exporting table orders (1/6)', 'exporting table customers (2/6)'],
      });
      c.at('45s', () => run.patch({ spec: { jobTemplate: { spec: { activeDeadlineSeconds: 20 } } } }));
      c.at('6m20s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({ root: 'CronJob/bi/export', mustNotBlame: ['Deployment/bi/warehouse-proxy'] });
    },
  ),

  'column-is-there-already-and-a-site-misses-its-key': scenario(
    'A migration wants to add a column that exists; on the same afternoon a site asks its Secret for a key it has not',
    (c) => {
      floor(c, '6m');
      c.object(app('StatefulSet', 'club/postgres', 'registry.example/postgres:15.8', { replicas: 1, port: 5432 }));
      c.object(service('club/postgres', 5432));
      c.secret('press/site', { database: 'b25l' });
      const site = c.object(
        app('Deployment', 'press/site', 'registry.example/press/site:5', {
          port: 8080,
          secretEnv: { DATABASE: 'site.database' },
        }),
      );
      c.image('registry.example/club/api:77', {
        exit: { afterSeconds: 4, code: 1 },
        log: [
          '== 20261127101500 AddIbanToMembers: migrating =================================',
          '-- add_column(:members, :iban, :string)',
          'rails aborted!',
          'StandardError: An error has occurred, this and all later migrations canceled:',
          'PG::DuplicateColumn: ERROR:  column "iban" of relation "members" already exists',
        ],
      });
      c.at('10s', () =>
        c.object(
          job('club/migrate-77', 'registry.example/club/api:77', { env: { DATABASE_HOST: 'postgres.club.svc' } }),
        ),
      );
      c.at('40s', () =>
        site.patch(
          edited(
            app('Deployment', 'press/site', 'registry.example/press/site:6', {
              port: 8080,
              secretEnv: { DATABASE: 'site.database', MAPS: 'site.maps-token' },
            }),
          ),
        ),
      );
      c.expectIncident({ root: 'Job/club/migrate-77', mustNotBlame: ['StatefulSet/club/postgres'] });
      c.expectIncident({ root: 'Deployment/press/site', accepts: ['Secret/press/site'] });
    },
  ),

  'schema-name-is-taken-out-of-the-settings-of-an-import': scenario(
    'A key is removed from settings because no Deployment uses it; a run by the clock does',
    (c) => {
      floor(c, '6m');
      const settings = c.configMap('stock/import', { SOURCE: 'sftp://supplier.example/out', SCHEMA: 'v3' });
      const image = 'registry.example/stock/import:9';
      const run = c.object(
        cron('stock/import', '* * * * *', image, { configEnv: { SOURCE: 'import.SOURCE', SCHEMA: 'import.SCHEMA' } }),
      );
      c.image(image, { exit: { afterSeconds: 5, code: 0 }, log: ['imported 812 articles'] });
      c.at('35s', () => settings.edit({ SOURCE: 'sftp://supplier.example/out', SCHEMA: null as never }));
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({ root: 'ConfigMap/stock/import' });
    },
  ),

  'dump-gets-an-unknown-flag-and-a-mailer-a-wrong-password': scenario(
    'Two teams, two edits: a flag of a dump is misspelt, and the password of a mailer does not fit',
    (c) => {
      floor(c, '6m');
      const image = 'registry.example/postgres:17.2';
      const parts = {
        container: { args: ['pg_dump', '--no-owner'] },
        env: { PGHOST: 'pg.hr.svc' },
        more: { backoffLimit: 1 },
      };
      const run = c.object(cron('hr/dump', '* * * * *', image, parts));
      c.image(image, { exit: { afterSeconds: 4, code: 0 }, log: ['done'] });
      const secret = c.secret('shopmail/smtp', { password: 'b25l' });
      const mailer = c.object(
        app('Deployment', 'shopmail/mailer', 'registry.example/shopmail/mailer:4', {
          env: { SMTP_HOST: 'smtp.provider.example' },
          secretEnv: { SMTP_PASSWORD: 'smtp.password' },
        }),
      );
      c.at('30s', () => {
        c.image(image, {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            "pg_dump: unrecognized option '--no-sincronized-snapshots'",
            'pg_dump: hint: Try "pg_dump --help" for more information.',
          ],
        });
        const next = cron('hr/dump', '* * * * *', image, {
          ...parts,
          container: { args: ['pg_dump', '--no-owner', '--no-sincronized-snapshots'] },
        });
        run.patch({ spec: next.spec });
      });
      c.at('50s', () => {
        secret.edit({ password: 'dHdv' });
        c.image('registry.example/shopmail/mailer:4', {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'connecting to smtp.provider.example:587',
            'Error: Invalid login: 535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6',
          ],
        });
      });
      c.at('55s', () =>
        mailer.patch({
          spec: {
            template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T14:00:00Z' } } },
          },
        }),
      );
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({ root: 'CronJob/hr/dump' });
      c.expectIncident({ root: 'Secret/shopmail/smtp', accepts: ['Deployment/shopmail/mailer'] });
    },
  ),

  'copies-of-volumes-find-a-lock-of-last-week': scenario(
    'A run of copies is taken up again and finds its repository locked by one that died last week; a cache next to it is upgraded without trouble',
    (c) => {
      floor(c, '6m');
      const image = 'registry.example/restic:0.17.3';
      const run = c.planned(
        cron('media/restic', '* * * * *', image, {
          env: { RESTIC_REPOSITORY: 's3:https://objects.example/media' },
          more: { backoffLimit: 1 },
        }),
      );
      const cache = c.object(app('Deployment', 'media/varnish', 'registry.example/varnish:7.5', { port: 6081 }));
      c.image(image, {
        exit: { afterSeconds: 5, code: 11 },
        log: [
          'repo already locked, waiting up to 0s for the lock',
          'unable to create lock in backend: repository is already locked exclusively by PID 21 on restic-29931902-xk2bl by root (UID 0, GID 0)',
          'lock was created at 2026-11-21 02:00:07 (151h12m4.1s ago)',
          'storage ID 8d1c7f3e',
          'the `unlock` command can be used to remove stale locks',
        ],
      });
      c.at('15s', () =>
        cache.patch(edited(app('Deployment', 'media/varnish', 'registry.example/varnish:7.6', { port: 6081 }))),
      );
      c.at('5s', () => run.create());
      c.at('5m30s', () => run.patch({ spec: { suspend: true } }));
      c.expectIncident({ root: 'CronJob/media/restic', mustNotBlame: ['Deployment/media/varnish'] });
    },
  ),
};
