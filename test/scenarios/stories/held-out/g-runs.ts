import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Images that cannot be had, work that is done once or by the clock, and two things at the same time. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubeflow/trainer/issues/1400, https://github.com/openreplay/openreplay/issues/4076
  'gallery-of-images-counts-the-pulls-of-two-teams': reported(
    'Two teams scale up at once, and the public gallery that their images come from counts too many pulls',
    (cluster, firm) => {
      const images = {
        'replay/chalice': 'public.ecr.aws/p1t3u8a3/chalice:v1.22.0',
        'kubeflow/training-operator': 'public.ecr.aws/j1r0q0g6/training/training-operator:5ef6c405',
      };
      const handles = Object.entries(images).map(([place, image]) => cluster.deployment(place, { replicas: 2, image }));
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        for (const [index, image] of Object.values(images).entries()) {
          cluster.image(image, {
            pullError: `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: unexpected status code https://${image.replace(/\/(.*):(.*)/, '/v2/$1/manifests/$2')}: 429 Too Many Requests - Server message: toomanyrequests: Rate exceeded`,
          });
          handles[index]?.scale(6);
        }
      });
      cluster.expectIncident({
        root: 'Registry//public.ecr.aws',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...['Deployment/replay/chalice', 'Deployment/kubeflow/training-operator', 'Deployment/logistics/tracking'],
          'Registry//registry.borealis.example',
        ] as const,
      });
    },
  ),

  // https://github.com/tmforum-oda/oda-canvas/issues/536: latest was taken away for two days.
  'latest-tag-of-a-check-is-taken-away': reported(
    'A chart checks its cluster in a Job before it installs; the image of that Job has no tag of that name any more',
    (cluster, firm) => {
      cluster.deployment('canvas/component-gateway', { replicas: 2, image: imageAt('component-gateway', '1.9') });
      cluster.service('canvas/component-gateway');
      cluster.image('docker.io/bitnami/kubectl:latest', {
        pullError:
          'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/bitnami/kubectl:latest": failed to resolve reference "docker.io/bitnami/kubectl:latest": docker.io/bitnami/kubectl:latest: not found',
      });
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () =>
        cluster.job('canvas/pre-install-check-istio', {
          image: 'docker.io/bitnami/kubectl:latest',
          spec: { backoffLimit: 3 },
        }),
      );
      cluster.expectIncident({
        root: 'Job/canvas/pre-install-check-istio',
        accepts: ['Registry//docker.io'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/canvas/component-gateway', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/devantler-tech/platform/pull/1635: the rotated password went to the Deployment, and not to the CronJob.
  'run-by-the-clock-is-left-with-the-old-password': reported(
    'A password of a MySQL is rotated into a new Secret; the server reads that one, its run by the clock the old one, and is denied',
    (cluster) => {
      server(cluster, 'fleet/mysql', 'docker.io/library/mysql:8.4.3', 3306, { spec: disks(cluster) });
      cluster.secret('fleet/mysql', { password: 'bootstrap' });
      const image = 'docker.io/fleetdm/fleet:v4.77.0';
      const first = { replicas: 2, image, env: { FLEET_MYSQL_PASSWORD: 'secret/mysql/password' } };
      const fleet = cluster.deployment('fleet/fleet', first);
      cluster.service('fleet/fleet');
      const worker = 'docker.io/fleetdm/vulnprocessing:v4.77.0';
      cluster.image(worker, { exit: { afterSeconds: 25, code: 0 }, log: ['level=info cron=vulnerabilities msg=done'] });
      const run = cluster.cronJob('fleet/fleet-vulnprocessing', {
        ...{ schedule: '*/5 * * * *', image: worker },
        job: {
          template: {
            metadata: { labels: { app: 'fleet-vulnprocessing' } },
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  ...{ name: 'fleet-vulnprocessing', image: worker },
                  env: [
                    { name: 'FLEET_MYSQL_PASSWORD', valueFrom: { secretKeyRef: { name: 'mysql', key: 'password' } } },
                  ],
                },
              ],
            },
          },
        },
      });
      cluster.at(after(-40), () => {
        cluster.secret('fleet/mysql-fleet-rotated', { password: 'rotated' });
        fleet.change({ env: { FLEET_MYSQL_PASSWORD: 'secret/mysql-fleet-rotated/password' } });
        cluster.image(worker, {
          exit: { afterSeconds: 12, code: 1 },
          log: [
            'level=warn ts=2026-11-23T10:00:04Z msg="could not connect to db" cron=vulnerabilities err="Error 1045 (28000): Access denied for user \'fleet\'@\'10.244.1.222\' (using password: YES)"',
            "Failed to start: initializing datastore: could not connect to db: Error 1045 (28000): Access denied for user 'fleet'@'10.244.1.222' (using password: YES)",
          ],
        });
      });
      cluster.at(after(900), () => run.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/fleet/fleet-vulnprocessing',
        accepts: ['Secret/fleet/mysql'],
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/fleet/mysql', 'Deployment/fleet/fleet', 'Secret/fleet/mysql-fleet-rotated'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/Infisical/infisical/issues/3978: the migration fails, and the new version finds its tables as they were.
  'migration-fails-and-the-new-version-comes-nevertheless': reported(
    'The Job that changes the tables of an Infisical fails at one file; the new version is rolled out all the same and does not find what it needs',
    (cluster) => {
      server(cluster, 'secrets/postgresql', 'docker.io/library/postgres:16.4', 5432, { spec: disks(cluster) });
      const repository = 'docker.io/infisical/infisical';
      const infisical = cluster.deployment('secrets/infisical', {
        replicas: 2,
        image: `${repository}:v0.132.4-postgres`,
      });
      cluster.service('secrets/infisical');
      const migrates = 'docker.io/infisical/infisical-migration:v0.136.1-postgres';
      cluster.image(migrates, {
        exit: { afterSeconds: 7, code: 1 },
        log: [
          '> backend@1.0.0 migration:latest',
          'migration file "20250602155451_fix-secret-versions.mjs" failed',
          'migration failed with error: insert into "secret_versions_v2" - null value in column "folderId" of relation "secret_versions_v2" violates not-null constraint',
        ],
      });
      cluster.image(
        `${repository}:v0.136.1-postgres`,
        ends(
          [
            '{"level":50,"time":1795425586155,"pid":1,"msg":"select * from \\"secret_versions_v2\\" - column \\"actorType\\" does not exist"}',
            'error: column "actorType" does not exist',
          ],
          1,
          6,
        ),
      );
      cluster.at(after(0), () =>
        cluster.job('secrets/infisical-schema-migration', { image: migrates, spec: { backoffLimit: 3 } }),
      );
      cluster.at(after(50), () => infisical.setImage(`${repository}:v0.136.1-postgres`));
      cluster.expectIncident({
        root: 'Job/secrets/infisical-schema-migration',
        accepts: ['Deployment/secrets/infisical'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['StatefulSet/secrets/postgresql', 'Service/secrets/infisical'],
      });
    },
  ),

  // https://github.com/renovatebot/renovate/issues/13054: it worked with the version before.
  'bot-cannot-log-in-since-its-upgrade': reported(
    'A bot that updates dependencies by the clock is upgraded, and its host of repositories lets it in no more',
    (cluster) => {
      const [before, upgraded] = ['docker.io/renovate/renovate:29.41.0', 'docker.io/renovate/renovate:30.2.1'];
      cluster.image(before, {
        exit: { afterSeconds: 40, code: 0 },
        log: [' INFO: Repository finished (repository=a/b)'],
      });
      cluster.image(upgraded, {
        exit: { afterSeconds: 8, code: 1 },
        log: [
          'FATAL: Authentication failure',
          ' INFO: Renovate is exiting with a non-zero code due to the following logged errors',
          '       "loggerErrors": [{"name": "renovate", "level": 60, "logContext": "67bKnpgTSodJzQrXUQRwe", "msg": "Authentication failure"}]',
        ],
      });
      const bot = cluster.cronJob('ci/renovate', { schedule: '*/5 * * * *', image: before });
      cluster.at(after(-20), () =>
        bot.patch({
          spec: {
            jobTemplate: { spec: { template: { spec: { containers: [{ name: 'renovate', image: upgraded }] } } } },
          },
        }),
      );
      cluster.at(after(900), () => bot.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/ci/renovate',
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Registry//docker.io'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/Graylog2/docker-compose/pull/33 and https://github.com/nocodb/nocodb/issues/11501
  'secret-is-too-short-here-and-a-module-is-missing-there': reported(
    'One team shortens the secret of its Graylog below what it takes; another turns on a cache of its NocoDB, whose module is not in the image',
    (cluster, firm) => {
      const secret = cluster.secret('logs/graylog', { 'password-secret': 'somepasswordpepper' });
      const image = 'docker.io/graylog/graylog:5.1.3';
      const graylog = server(cluster, 'logs/graylog', image, 9000, {
        env: { GRAYLOG_PASSWORD_SECRET: 'secret/graylog/password-secret' },
      });
      const tables = 'docker.io/nocodb/nocodb';
      const nocodb = cluster.deployment('tables/nocodb', { replicas: 2, image: `${tables}:0.260.7` });
      cluster.service('tables/nocodb');
      cluster.image(
        `${tables}:0.263.8`,
        ends(
          [
            '    at Function._load (node:internal/modules/cjs/loader:1211:37)',
            '    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:170:5)',
            "    at node:internal/main/run_main_module:36:49 { code: 'MODULE_NOT_FOUND', requireStack: [] }",
            'Node.js v22.15.1',
          ],
          1,
          2,
        ),
      );
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => secret.edit({ 'password-secret': 'tooshort' }));
      cluster.at(after(5), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23 09:46:18,124 INFO : org.graylog2.featureflag.ImmutableFeatureFlagsCollector - Following feature flags are used: {default properties file=[scripting_api_preview=off, search_filter=on]}',
              '2026-11-23 09:46:18,273 ERROR: org.graylog2.bootstrap.CmdLineTool - Invalid configuration',
              'com.github.joschi.jadconfig.ValidationException: The minimum length for "password_secret" is 16 characters.',
            ],
            1,
            4,
          ),
        );
        graylog.restart();
      });
      cluster.at(after(40), () => nocodb.setImage(`${tables}:0.263.8`));
      cluster.expectIncident({
        root: 'Secret/logs/graylog',
        accepts: ['StatefulSet/logs/graylog'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/tables/nocodb', 'Deployment/logistics/tracking'],
      });
      cluster.expectIncident({
        root: 'Deployment/tables/nocodb',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['StatefulSet/logs/graylog', 'Secret/logs/graylog'],
      });
    },
  ),
};
