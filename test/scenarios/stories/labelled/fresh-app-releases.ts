import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts } from '../../kit/things.ts';

/** Releases that do not work, for other reasons than those that were told before. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/bokysan/docker-postfix/issues/199
  'relay-gets-a-root-it-may-not-write-to': reported(
    'A stricter security context makes the file system of a mail relay read-only; its start script changes files and ends',
    (cluster, firm) => {
      const image = 'docker.io/boky/postfix:v4.2.1';
      const relay = cluster.statefulSet('mail/postfix', { image });
      cluster.service('mail/postfix', { ports: [{ name: 'smtp', port: 587, targetPort: 587 }] });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              "chmod: changing permissions of '/scripts/common-run.sh': Read-only file system",
              "chmod: changing permissions of '/scripts/common.sh': Read-only file system",
              "chmod: changing permissions of '/scripts/cron.sh': Read-only file system",
              "chmod: changing permissions of '/scripts/healthcheck.sh': Read-only file system",
              "chmod: changing permissions of '/scripts/run.sh': Read-only file system",
            ],
            1,
            1,
          ),
        );
        relay.change({
          container: { securityContext: { readOnlyRootFilesystem: true, runAsNonRoot: true, runAsUser: 1000 } },
        });
      });
      cluster.expectIncident({
        root: 'StatefulSet/mail/postfix',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/keycloak/keycloak/issues/19467: a patch release changed changesets that had been applied.
  'sign-on-does-not-know-its-own-changelog': reported(
    'A patch release of Keycloak refuses the change log in its database; two applications cannot reach it any more',
    (cluster) => {
      const repository = 'quay.io/keycloak/keycloak';
      server(cluster, 'sso/postgres', 'docker.io/library/postgres:15.6', 5432, { clusterIP: '10.96.20.4' });
      const keycloak = server(cluster, 'sso/keycloak', `${repository}:21.0.1`, 8080, {
        ...{ replicas: 2, clusterIP: '10.96.20.9' },
        values: { KC_DB_URL: 'jdbc:postgresql://postgres.sso.svc:5432/keycloak' },
        spec: { podManagementPolicy: 'Parallel', updateStrategy: { type: 'OnDelete' } },
      });
      const checksums = [
        'liquibase.exception.ValidationFailedException: Validation Failed:',
        '     2 changesets check sum',
        '          META-INF/jpa-changelog-14.0.0.xml::14.0.0-KEYCLOAK-18286-supported-dbs::keycloak was: 8:f43dfba07ba249d5d932dc489fd2b886 but is now: 8:c0f6eaac1f3be773ffe54cb5b8482b70',
      ];
      cluster.image(
        `${repository}:21.0.2`,
        ends(
          [
            '2026-11-22 09:25:11,120 INFO  [org.keycloak.quarkus.runtime.storage.legacy.liquibase.QuarkusJpaUpdaterProvider] (main) Updating database. Using changelog META-INF/jpa-changelog-master.xml',
            '2026-11-22 09:25:20,460 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to start server in (production) mode',
            `2026-11-22 09:25:20,466 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: ${checksums[0]}`,
            ...checksums.slice(1),
          ],
          1,
          14,
        ),
      );
      cluster.at(after(0), () => keycloak.setImage(`${repository}:21.0.2`));
      cluster.at(after(8), () => cluster.evict('sso', 'keycloak'));
      const innocents = clients(cluster, 15, {
        'intranet/handbook-proxy': {
          does: ends([
            '[2026/11/22 09:25:31] [main.go:60] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC configuration: failed to discover OIDC configuration: error performing request: Get "http://keycloak.sso.svc:8080/realms/staff/.well-known/openid-configuration": dial tcp 10.96.20.9:8080: connect: connection refused',
          ]),
          values: { OAUTH2_PROXY_OIDC_ISSUER_URL: 'http://keycloak.sso.svc:8080/realms/staff' },
        },
        'crm/portal': {
          does: unready([
            'error: JwksClient: request failed',
            'Error: connect ECONNREFUSED 10.96.20.9:8080',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
          ]),
          values: { JWKS_URL: 'http://keycloak.sso.svc:8080/realms/staff/protocol/openid-connect/certs' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/sso/keycloak',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'StatefulSet/sso/postgres', 'Service/sso/keycloak'],
      });
    },
  ),

  // https://github.com/maxdorninger/MediaManager/issues/379: a Service of the name of a setting makes a variable of the name of the setting.
  'service-of-an-unlucky-name': reported(
    'A new Service gives the Pods of its namespace a variable that a program takes for its own setting; the next start fails',
    (cluster, firm) => {
      const image = 'ghcr.io/maxdorninger/mediamanager/mediamanager:1.12';
      cluster.deployment('media/mediamanager', { image });
      cluster.service('media/mediamanager');
      innocentRelease(cluster, after(-70), firm);
      cluster.at(after(-60), () => {
        cluster.deployment('media/sabnzbd', { image: 'docker.io/linuxserver/sabnzbd:4.5.5' });
        cluster.service('media/sabnzbd');
      });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'Traceback (most recent call last):',
              '  File "/app/media_manager/main.py", line 24, in <module>',
              '    config = MediaManagerConfig()',
              'pydantic_core._pydantic_core.ValidationError: 1 validation error for SabnzbdConfig',
              'port',
              "  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='tcp://10.43.54.79:8080', input_type=str]",
              '    For further information visit https://errors.pydantic.dev/2.12/v/int_parsing',
            ],
            1,
            3,
          ),
        );
        cluster.evict('media', 'mediamanager');
      });
      cluster.expectIncident({
        root: 'Deployment/media/mediamanager',
        accepts: ['Service/media/sabnzbd'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/media/sabnzbd', 'Deployment/logistics/tracking', 'Service/media/mediamanager'],
      });
    },
  ),

  // https://github.com/BerriAI/litellm/issues/36938: the migration is an ordinary Job beside the Deployment, and has failed.
  'new-pods-before-a-migration-that-fails': reported(
    'An upgrade starts its migration and its new Pods together; the migration fails, and the new Pods miss a column',
    (cluster) => {
      server(cluster, 'ai/postgres', 'docker.io/library/postgres:16.2', 5432, { clusterIP: '10.96.30.3' });
      const repository = 'ghcr.io/berriai/litellm-database';
      const values = { DATABASE_URL: 'postgresql://llm@postgres.ai.svc:5432/litellm' };
      const proxy = cluster.deployment('ai/litellm', { replicas: 2, image: `${repository}:v1.80.0`, values });
      cluster.service('ai/litellm');
      cluster.image('ghcr.io/berriai/litellm-migrations:v1.81.3', {
        exit: { afterSeconds: 7, code: 1 },
        log: [
          'Prisma schema loaded from schema.prisma',
          'Datasource "client": PostgreSQL database "litellm", schema "public" at "postgres.ai.svc:5432"',
          '128 migrations found in prisma/migrations',
          'Error: P3009',
          'migrate found failed migrations in the target database, new migrations will not be applied. Read more about how to resolve migration issues in a production database: https://pris.ly/d/migrate-resolve',
          'The `20261020_add_team_budget` migration started at 2026-10-21 08:14:02.112 UTC failed',
        ],
      });
      cluster.image(`${repository}:v1.81.3`, {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 503',
        log: [
          'LiteLLM: Proxy initialized with Config, Set models: gpt-4o',
          'prisma.errors.MissingColumnError: The column `LiteLLM_TeamTable.budget_limits` does not exist in the current database.',
          'LiteLLM Proxy:ERROR: utils.py:2214 - Error getting LiteLLM_TeamTable: The column `LiteLLM_TeamTable.budget_limits` does not exist in the current database.',
        ],
      });
      cluster.at(after(0), () => {
        cluster.job('ai/litellm-migrations', {
          image: 'ghcr.io/berriai/litellm-migrations:v1.81.3',
          ...{ values, spec: { backoffLimit: 2 } },
        });
        proxy.setImage(`${repository}:v1.81.3`);
      });
      cluster.expectIncident({
        root: 'Job/ai/litellm-migrations',
        accepts: ['Deployment/ai/litellm'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['StatefulSet/ai/postgres', 'Service/ai/postgres'],
      });
    },
  ),

  // https://github.com/pipe-cd/pipecd/issues/2348: a surge Pod wants the lock that the old one holds.
  'new-pod-wants-the-lock-of-the-old-one': reported(
    'Prometheus is a Deployment with one volume; the new Pod of a release cannot lock the database that the old Pod uses',
    (cluster) => {
      disks(cluster, 'efs', 'efs.csi.aws.com');
      cluster.object(claim('monitoring/prometheus-server', 'efs', { accessModes: ['ReadWriteMany'] }));
      const repository = 'quay.io/prometheus/prometheus';
      const prometheus = cluster.deployment('monitoring/prometheus-server', {
        image: `${repository}:v2.53.0`,
        pod: mounts('prometheus-server'),
      });
      cluster.service('monitoring/prometheus-server');
      cluster.image(
        `${repository}:v2.54.1`,
        ends(
          [
            'ts=2026-11-22T09:40:02.310Z caller=main.go:1178 level=info msg="Starting TSDB ..."',
            'ts=2026-11-22T09:40:02.316Z caller=db.go:1008 level=error component=tsdb msg="unable to open database" err="lock DB directory: resource temporarily unavailable"',
            'ts=2026-11-22T09:40:02.331Z caller=main.go:1356 level=error err="opening storage failed: lock DB directory: resource temporarily unavailable"',
          ],
          2,
          2,
        ),
      );
      cluster.at(after(0), () => prometheus.setImage(`${repository}:v2.54.1`));
      cluster.expectIncident({
        root: 'Deployment/monitoring/prometheus-server',
        messages: { resolve: 0 },
        mustNotBlame: ['PersistentVolumeClaim/monitoring/prometheus-server', 'Service/monitoring/prometheus-server'],
      });
    },
  ),

  // https://github.com/ory/hydra/issues/2403, https://github.com/dexidp/dex/pull/2178: HTTPS is switched on, the probe still speaks HTTP.
  'listens-with-https-and-is-asked-in-plain': reported(
    'A setting makes a service speak HTTPS; its probe and the gateway before it still speak HTTP',
    (cluster, firm) => {
      const first = { replicas: 2, image: imageAt('ledger', '5.2'), values: { SERVER_PROTOCOL: 'http' } };
      const ledger = cluster.deployment('books/ledger', {
        ...first,
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
      });
      cluster.service('books/ledger', { clusterIP: '10.96.31.7' });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => {
        cluster.image(imageAt('ledger', '5.2'), {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 400',
          log: [
            'level=info msg="HTTP Server Listen" address=[::]:8080 protocol=https',
            '2026/11/22 09:12:04 http: TLS handshake error from 10.244.1.1:41872: client sent an HTTP request to an HTTPS server',
            '2026/11/22 09:12:14 http: TLS handshake error from 10.244.1.1:41990: client sent an HTTP request to an HTTPS server',
          ],
        });
        ledger.change({ values: { SERVER_PROTOCOL: 'https' } });
      });
      const innocents = clients(cluster, 8, {
        'books/gateway': {
          does: unready(
            [
              '2026/11/22 09:12:20 [error] 29#29: *118 connect() failed (111: Connection refused) while connecting to upstream, client: 10.244.2.1, server: _, request: "GET /ready HTTP/1.1", upstream: "http://10.96.31.7:80/ready", host: "10.244.2.19:8080"',
            ],
            'HTTP probe failed with statuscode: 502',
          ),
          values: { LEDGER_URL: 'http://ledger.books.svc' },
        },
      });
      cluster.expectIncident({
        root: 'Deployment/books/ledger',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'Service/books/ledger'],
      });
    },
  ),

  // https://github.com/apecloud/kubeblocks/issues/7157, https://github.com/smallstep/autocert/issues/53: the key of a server became readable by its group.
  'key-of-the-server-is-open-to-its-group': reported(
    'New settings of a chart mount the key of PostgreSQL with other permissions, and it refuses to start; two clients are refused',
    (cluster) => {
      const image = 'docker.io/bitnamilegacy/postgresql:14.5.0';
      cluster.secret('erp/postgres-tls', { 'tls.crt': 'one', 'tls.key': 'two' });
      const volume = (defaultMode: number): object => ({
        volumes: [{ name: 'tls', secret: { secretName: 'postgres-tls', defaultMode } }],
      });
      const postgres = server(cluster, 'erp/postgresql', image, 5432, {
        clusterIP: '10.96.40.5',
        pod: volume(0o400),
      });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'postgresql 09:33:10.20 INFO  ==> ** Starting PostgreSQL **',
              '2026-11-22 09:33:10.233 GMT [1] FATAL:  private key file "/opt/bitnami/postgresql/certs/tls.key" has group or world access',
              '2026-11-22 09:33:10.233 GMT [1] DETAIL:  File must have permissions u=rw (0600) or less if owned by the database user, or permissions u=rw,g=r (0640) or less if owned by root.',
              '2026-11-22 09:33:10.234 GMT [1] LOG:  database system is shut down',
            ],
            1,
            1,
          ),
        );
        postgres.change({ image, pod: volume(0o644) });
      });
      const innocents = clients(cluster, 10, {
        'erp/backoffice': {
          does: ends([
            'sequelize: unable to connect to the database',
            'ConnectionRefusedError [SequelizeConnectionRefusedError]: connect ECONNREFUSED 10.96.40.5:5432',
          ]),
          values: { PGHOST: 'postgresql.erp.svc' },
        },
        'erp/exports': {
          does: unready([
            'ERROR: health check failed: failed to connect to `user=erp database=erp`: 10.96.40.5:5432 (postgresql.erp.svc): dial error: dial tcp 10.96.40.5:5432: connect: connection refused',
          ]),
          values: { PGHOST: 'postgresql.erp.svc' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/erp/postgresql',
        accepts: ['Secret/erp/postgres-tls'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Service/erp/postgresql'],
      });
    },
  ),

  // https://github.com/broadinstitute/gnomad-browser/pull/1438: the heap was set by hand, and smaller than what the work needs.
  'heap-flag-of-a-release-is-too-small': reported(
    'A release sets the heap of a Node.js program smaller than it needs, and it aborts after two minutes of work; rolled back',
    (cluster) => {
      const first = { replicas: 3, image: imageAt('renderer', 88), values: { NODE_ENV: 'production' } };
      const renderer = cluster.deployment('web/renderer', first);
      cluster.service('web/renderer');
      cluster.at(after(0), () => {
        cluster.image(imageAt('renderer', 88), {
          readyAfterSeconds: 4,
          exit: { afterSeconds: 70, code: 134 },
          log: [
            '<--- Last few GCs --->',
            '[1:0x7f1c3c0]   68112 ms: Mark-Compact 254.2 (260.1) -> 253.9 (260.8) MB, 412.3 / 0.0 ms  (average mu = 0.091, current mu = 0.012) allocation failure; scavenge might not succeed',
            '<--- JS stacktrace --->',
            'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
          ],
        });
        renderer.change({ values: { NODE_ENV: 'production', NODE_OPTIONS: '--max-old-space-size=256' } });
      });
      cluster.at(after(840), () => {
        cluster.image(imageAt('renderer', 88), {});
        renderer.change(first);
      });
      cluster.expectIncident({
        root: 'Deployment/web/renderer',
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Service/web/renderer'],
      });
    },
    { minutes: 25 },
  ),
};
