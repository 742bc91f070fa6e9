import { imageAt, innocentRelease } from '../../kit/company.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** More of workloads and what they call. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/getsentry/sentry/issues/98506
  'broker-runs-and-its-host-does-not': reported(
    'A RabbitMQ runs on while its virtual host has stopped after a full disk; workers cannot declare their queues',
    (cluster) => {
      server(cluster, 'sentry/rabbitmq', 'docker.io/bitnamilegacy/rabbitmq:3.12.0', 5672, { clusterIP: '10.96.70.2' });
      const values = { BROKER_URL: 'amqp://rabbitmq.sentry.svc:5672//' };
      const down =
        "INTERNAL_ERROR - Cannot declare a queue 'queue 'e62928e7-90e1-3ea1-82e9-ee772f9d99d2.reply.celery.pidbox' in vhost '/'' on node 'rabbit@rabbitmq-0.rabbitmq.sentry.svc.cluster.local': {vhost_supervisor_not_running,<<\"/\">>}";
      const innocents = clients(cluster, 0, {
        'sentry/worker': {
          does: ends([
            '04:19:18 [WARNING] celery.worker.consumer.consumer: consumer: Connection to broker lost. Trying to re-establish the connection...',
            `amqp.exceptions.InternalError: Queue.declare: (541) ${down}`,
          ]),
          values,
        },
        'sentry/cron': { does: ends([`amqp.exceptions.InternalError: Queue.declare: (541) ${down}`], 1, 5), values },
      });
      cluster.expectIncident({
        root: 'StatefulSet/sentry/rabbitmq',
        accepts: ['Service/sentry/rabbitmq'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/apache/apisix/issues/9026, https://github.com/apache/apisix/issues/6057
  'store-of-the-gateway-lost-two-members': reported(
    'Two of three members of the etcd behind a gateway crash; the gateway and its controller find no healthy endpoint',
    (cluster, firm) => {
      const etcd = 'docker.io/bitnamilegacy/etcd:3.5.10';
      server(cluster, 'apisix/apisix-etcd', etcd, 2379, { replicas: 3, clusterIP: '10.96.71.3' });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        cluster.befall(etcd, ({ metadata }) =>
          metadata.name === 'apisix-etcd-0'
            ? {}
            : ends(
                [
                  '{"level":"fatal","ts":"2026-11-22T09:12:01.110Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"member 7a2a28c1d4c2b8c3 has already been bootstrapped"}',
                ],
                1,
                2,
              ),
        ),
      );
      const values = { ETCD_HOST: 'http://apisix-etcd.apisix.svc:2379' };
      const innocents = clients(cluster, 12, {
        'apisix/gateway': {
          does: unready([
            '2026/11/22 09:12:31 [error] 51#51: *13355164 [lua] config_etcd.lua:193: watchdir err: has no healthy etcd endpoint available, context: ngx.timer',
            '2026/11/22 09:12:31 [warn] 54#54: *13354830 [lua] v3.lua:247: _request_uri(): http://apisix-etcd.apisix.svc:2379: timeout. Retrying, context: ngx.timer',
          ]),
          values,
        },
        'apisix/ingress-controller': {
          does: ends([
            '2026-11-22T09:12:41+08:00\terror\tapisix/route.go:90\tfailed to list routes: unexpected status code 503; error message: {"error_msg":"has no healthy etcd endpoint available"}',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/apisix/apisix-etcd',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/sockudo/sockudo/issues/273
  'chart-asks-for-a-page-that-nobody-serves': reported(
    'A newer chart adds a startup probe for a page that the program does not serve; the kubelet kills it again and again',
    (cluster) => {
      const image = 'docker.io/sockudo/sockudo:3.2.1';
      const sockudo = cluster.deployment('push/sockudo', { replicas: 2, image });
      cluster.service('push/sockudo');
      const probe = { httpGet: { path: '/live', port: 6001 } };
      cluster.at(after(0), () => {
        cluster.image(image, {
          livenessFails: { afterSeconds: 20, says: 'HTTP probe failed with statuscode: 404' },
          log: [
            'INFO Server init sequence completed.',
            'INFO Metrics server listening on http://0.0.0.0:9601',
            'INFO HTTP server listening on http://0.0.0.0:6001',
          ],
        });
        sockudo.change({ container: { livenessProbe: probe } });
      });
      cluster.expectIncident({
        root: 'Deployment/push/sockudo',
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Service/push/sockudo', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/knative/docs/pull/4199
  'collector-does-not-know-its-receiver': reported(
    'The settings of a collector name a receiver that it does not know; it is started anew, and two programs lose it',
    (cluster) => {
      const settings = cluster.configMap('telemetry/otel-collector-config', { 'config.yaml': 'receivers: {otlp: {}}' });
      const image = 'docker.io/otel/opentelemetry-collector:0.88.0';
      const collector = cluster.deployment('telemetry/otel-collector', {
        image,
        pod: settingsVolume('otel-collector-config'),
        container: { volumeMounts: [{ name: 'settings', mountPath: '/etc/otel' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('telemetry/otel-collector', { clusterIP: '10.96.72.4' });
      cluster.at(after(0), () => settings.edit({ 'config.yaml': 'receivers: {opencensuss: {}}' }));
      cluster.at(after(40), () => {
        cluster.image(
          image,
          ends(
            [
              'Error: failed to get config: cannot unmarshal the configuration: 1 error(s) decoding:',
              '',
              '* error decoding \'receivers\': unknown type: "opencensuss" for id: "opencensuss" (valid values: [otlp])',
              '2026/11/22 09:31:02 collector server run finished with error: failed to get config: cannot unmarshal the configuration',
            ],
            1,
            1,
          ),
        );
        collector.restart();
      });
      const values = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector.telemetry.svc:80' };
      const innocents = clients(cluster, 60, {
        'orders/quotes': {
          does: unready([
            'traces export: Post "http://otel-collector.telemetry.svc:80/v1/traces": dial tcp 10.96.72.4:80: connect: connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/telemetry/otel-collector-config',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Service/telemetry/otel-collector'],
      });
    },
  ),

  // https://github.com/GoogleCloudPlatform/cloud-sql-proxy/issues/2317, https://github.com/madeofpendletonwool/PinePods/issues/633
  'database-forgets-the-old-way-to-log-in': reported(
    'A MySQL is upgraded to a version without the old authentication; both of its clients cannot log in any more',
    (cluster, firm) => {
      const mysql = server(cluster, 'shop/mysql', 'docker.io/library/mysql:8.0.39', 3306, { clusterIP: '10.96.73.5' });
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => mysql.setImage('docker.io/library/mysql:8.4.2'));
      const values = { DB_HOST: 'mysql.shop.svc' };
      const innocents = clients(cluster, 20, {
        'shop/storefront-api': {
          does: unready([
            "SQLSTATE[HY000] [1524] Plugin 'mysql_native_password' is not loaded (Connection: mysql, SQL: select 1)",
          ]),
          values,
        },
        'shop/stock': {
          does: ends([
            'sqlalchemy.exc.OperationalError: (pymysql.err.OperationalError) (1524, "Plugin \'mysql_native_password\' is not loaded")',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/shop/mysql',
        accepts: ['Service/shop/mysql'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/bank-vaults/bank-vaults/issues/1250
  'vault-answers-too-late': reported(
    'A Vault answers too late; what is started anew gets no token in its ten seconds',
    (cluster) => {
      server(cluster, 'vault/vault', 'docker.io/hashicorp/vault:1.13.4', 8200, {
        replicas: 3,
        clusterIP: '10.96.74.6',
      });
      const values = { VAULT_ADDR: 'https://vault.vault.svc:8200' };
      const late = [
        'time="2026-11-22T09:15:45Z" level=info msg="failed to request new Vault token context deadline exceeded"',
        'time="2026-11-22T09:15:45Z" level=fatal msg="failed to create vault clienttimeout [10s] during waiting for Vault token" app=vault-env',
      ];
      const innocents = clients(cluster, 0, {
        'bank/ledger-api': { does: ends(late, 1, 10), values },
        'bank/transfers': { does: ends(late, 1, 10), values },
        'bank/statements': { does: ends(late, 1, 10), values },
      });
      cluster.expectIncident({
        root: 'StatefulSet/vault/vault',
        accepts: ['Service/vault/vault'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/linuxserver/Heimdall/issues/1306
  'new-version-takes-another-kind-of-database': reported(
    'A new version ignores the setting for its file database and looks for a MySQL that nobody has; it is never ready',
    (cluster) => {
      const repository = 'lscr.io/linuxserver/heimdall';
      const heimdall = cluster.deployment('home/heimdall', {
        image: `${repository}:2.5.8`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('home/heimdall');
      cluster.image(`${repository}:2.6.1`, {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 500',
        log: [
          "  SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select table_name as `name` from information_schema.tables where table_schema = 'forge')",
          '  at /app/www/vendor/laravel/framework/src/Illuminate/Database/Connection.php:829',
        ],
      });
      cluster.at(after(0), () => heimdall.setImage(`${repository}:2.6.1`));
      cluster.expectIncident({
        root: 'Deployment/home/heimdall',
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 700,
        mustNotBlame: ['Service/home/heimdall'],
      });
    },
  ),

  // https://github.com/benjamin-maynard/kubernetes-cloud-mysql-backup/issues/9 for the run; killed for its memory as the data grew.
  'nightly-dump-is-killed-for-its-memory': reported(
    'A dump by the clock needs more memory each time and is killed from one run to the next',
    (cluster) => {
      server(cluster, 'crm/mysql', 'docker.io/library/mysql:8.0.39', 3306);
      const image = imageAt('mysql-backup', 3);
      cluster.image(image, { exit: { afterSeconds: 20, code: 0 }, log: ['Dumping crm'] });
      const runs = cluster.cronJob('crm/mysql-backup', { schedule: '*/5 * * * *', image });
      cluster.at(after(-40), () => cluster.image(image, killed(['Dumping crm'], 15)));
      cluster.at(after(1080), () => runs.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/crm/mysql-backup',
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['StatefulSet/crm/mysql', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/bitnami/charts/issues/10376 for the setting; the file is cut off after a machine lost its power.
  'journal-of-the-cache-is-cut-off': reported(
    'The append-only file of a Redis is cut off, and it does not start; its clients print no more than an address',
    (cluster) => {
      const image = 'docker.io/library/redis:6.2.14';
      server(cluster, 'game/redis', image, 6379, { clusterIP: '10.96.75.7' });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '1:C 22 Nov 2026 09:40:01.010 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo',
              '1:M 22 Nov 2026 09:40:01.021 # Bad file format reading the append only file: make a backup of your AOF file, then use ./redis-check-aof --fix <filename>',
            ],
            1,
            1,
          ),
        ),
      );
      const values = { REDIS_HOST: 'redis.game.svc' };
      const innocents = clients(cluster, 8, {
        'game/matchmaker': { does: ends(['panic: dial tcp 10.96.75.7:6379: connect: connection refused']), values },
        'game/scores': {
          does: unready([
            '[ioredis] Unhandled error event: Error: connect ECONNREFUSED 10.96.75.7:6379',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/game/redis',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Service/game/redis'],
      });
    },
  ),

  // https://clickhouse.com/docs/operations/server-configuration-parameters/settings, max_server_memory_usage
  'analytics-store-has-no-memory-for-queries': reported(
    'A ClickHouse has used up the memory that it gives itself and refuses queries; a report and two dashboards fail',
    (cluster) => {
      server(cluster, 'stats/clickhouse', 'docker.io/clickhouse/clickhouse-server:23.8', 8123, {
        clusterIP: '10.96.76.8',
      });
      const values = { CLICKHOUSE_URL: 'http://clickhouse.stats.svc:8123' };
      const full =
        'Code: 241. DB::Exception: Memory limit (total) exceeded: would use 14.42 GiB (attempt to allocate chunk of 4219668 bytes), maximum: 14.40 GiB. (MEMORY_LIMIT_EXCEEDED)';
      const innocents = clients(cluster, 0, {
        'stats/funnels': {
          does: unready([
            `clickhouse_connect.driver.exceptions.DatabaseError: HTTPDriver for http://clickhouse.stats.svc:8123 returned response code 500\n ${full}`,
          ]),
          values,
        },
        'stats/retention': {
          does: ends([
            `Error: ${full}`,
            '    at parseError (/app/node_modules/@clickhouse/client-common/dist/error/parse_error.js:30:16)',
          ]),
          values,
        },
        'stats/exports': { does: ends([`panic: code: 241, message: ${full}`]), values },
      });
      cluster.expectIncident({
        root: 'StatefulSet/stats/clickhouse',
        accepts: ['Service/stats/clickhouse'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://learn.microsoft.com/entra/identity-platform/reference-error-codes, AADSTS7000222
  'secret-of-an-application-has-expired': reported(
    'The secret of an application at an identity provider outside has expired; what logs in with it gets no token',
    (cluster, firm) => {
      cluster.secret('hr/entra-app', { 'client-id': 'one', 'client-secret': 'two' });
      const env = {
        AZURE_CLIENT_ID: 'secret/entra-app/client-id',
        AZURE_CLIENT_SECRET: 'secret/entra-app/client-secret',
      };
      innocentRelease(cluster, after(-10), firm);
      const says =
        "AADSTS7000222: The provided client secret keys for app '1a2b3c4d-0000-0000-0000-000000000000' are expired. Visit the Azure portal to create new keys for your app";
      const innocents = clients(cluster, 0, {
        'hr/directory-sync': {
          does: ends([
            `azure.core.exceptions.ClientAuthenticationError: Authentication failed: ${says}`,
            'Content: {"error":"invalid_client","error_description":"AADSTS7000222"}',
          ]),
          env,
        },
        'hr/calendar': {
          does: ends([
            `ServerError: invalid_client: 7000222 - [2026-11-22 09:10:01Z]: ${says}`,
            '    at ServerError.createServerError (/app/node_modules/@azure/msal-common/dist/error/ServerError.mjs:12:16)',
          ]),
          env,
        },
      });
      cluster.expectIncident({
        root: 'Secret/hr/entra-app',
        accepts: ['ExternalEndpoint//login.microsoftonline.com:443', 'ExternalEndpoint//login.microsoftonline.com'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://www.postgresql.org/docs/current/auth-pg-hba-conf.html for the words
  'database-lets-in-who-is-encrypted-only': reported(
    'The rules of a PostgreSQL are edited to let in only who comes encrypted; both of its clients do not',
    (cluster) => {
      const rules = cluster.configMap('tax/postgres-hba', { 'pg_hba.conf': 'host all all all scram-sha-256' });
      const postgres = server(cluster, 'tax/postgres', 'docker.io/library/postgres:16.2', 5432, {
        clusterIP: '10.96.77.9',
        pod: settingsVolume('postgres-hba'),
      });
      cluster.at(after(0), () => rules.edit({ 'pg_hba.conf': 'hostssl all all all scram-sha-256' }));
      cluster.at(after(20), () => postgres.restart());
      const values = { PGHOST: 'postgres.tax.svc' };
      const refused = 'no pg_hba.conf entry for host "10.244.2.14", user "tax", database "tax", no encryption';
      const innocents = clients(cluster, 40, {
        'tax/forms': {
          does: ends([
            `error: ${refused}`,
            '    at Parser.parseErrorMessage (/app/node_modules/pg-protocol/dist/parser.js:283:98)',
            "  code: '28000',",
          ]),
          values,
        },
        'tax/receipts': {
          does: unready([
            `failed to connect to \`host=postgres.tax.svc user=tax database=tax\`: server error (FATAL: ${refused} (SQLSTATE 28000))`,
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/tax/postgres-hba',
        accepts: ['StatefulSet/tax/postgres', 'Service/tax/postgres'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec, MOVED
  'cache-becomes-a-cluster': reported(
    'The arguments of a Redis make a cluster of it; clients that know nothing of clusters are sent elsewhere and fail',
    (cluster) => {
      const redis = server(cluster, 'ads/redis', 'docker.io/library/redis:7.2.5', 6379, {
        ...{ replicas: 3, clusterIP: '10.96.78.3', command: ['redis-server', '/etc/redis.conf'] },
        spec: { podManagementPolicy: 'Parallel' },
      });
      cluster.at(after(0), () =>
        redis.change({ command: ['redis-server', '/etc/redis.conf', '--cluster-enabled', 'yes'] }),
      );
      const values = { REDIS_URL: 'redis://redis.ads.svc:6379' };
      const innocents = clients(cluster, 25, {
        'ads/bidder': { does: ends(['redis.exceptions.ResponseError: MOVED 5798 10.244.2.14:6379']), values },
        'ads/pacing': {
          does: unready([
            'ReplyError: MOVED 12182 10.244.1.22:6379',
            '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/ads/redis',
        accepts: ['Service/ads/redis'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),
};
