import type { Ref } from '../../../../src/model/ref.ts';
import type { Behaviour } from '../../kit/hands.ts';
import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;
const port = (name: string, number: number) => ({
  ports: [{ name, port: number, targetPort: number, protocol: 'TCP' }],
});

/** Workloads of a namespace that serve until a moment, and then do as is said of each. */
function dependants(
  cluster: ClusterBuilder,
  {
    namespace,
    when,
    values,
  }: { readonly namespace: string; readonly when: string; readonly values: Record<string, string> },
  then: Readonly<Record<string, Behaviour>>,
): readonly Ref[] {
  for (const name of Object.keys(then)) {
    cluster.deployment(`${namespace}/${name}`, { replicas: 2, image: image(`${name}:1`), values });
    cluster.service(`${namespace}/${name}`);
  }
  cluster.at(when, () => {
    for (const [name, behaviour] of Object.entries(then)) cluster.befall(image(`${name}:1`), behaviour);
  });
  return Object.keys(then).map((name): Ref => `Deployment/${namespace}/${name}`);
}

/** Databases, brokers, caches, vaults and the services of others, and who cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://strimzi.io/docs/operators/latest/deploying
  'broker-has-no-space-left': scenario(
    'The only Kafka broker has no space left for its log, and producers and consumers fail one after the other',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      cluster.statefulSet('stream/kafka', { image: image('kafka:3.8') });
      cluster.service('stream/kafka-bootstrap', {
        clusterIP: '10.96.40.12',
        selector: { app: 'kafka' },
        ...port('kafka', 9092),
      });
      const broker = 'kafka-bootstrap.stream.svc.cluster.local:9092';
      const disconnected = `WARN  o.apache.kafka.clients.NetworkClient - [Consumer clientId=consumer-1, groupId=acme] Connection to node -1 (kafka-bootstrap.stream.svc.cluster.local/10.96.40.12:9092) could not be established. Node may not be available.`;
      const names = dependants(
        cluster,
        { namespace: 'logistics', when: '22s', values: { KAFKA_BOOTSTRAP_SERVERS: broker } },
        {
          tracking: unready([disconnected]),
          dispatch: ends([
            disconnected,
            'Exception in thread "main" org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment. Call: describeCluster',
          ]),
          billing: ends([
            `%3|1764661120.120|FAIL|rdkafka#producer-1| [thrd:${broker}/bootstrap]: ${broker}/bootstrap: Connect to ipv4#10.96.40.12:9092 failed: Connection refused (after 0ms in state CONNECT)`,
            'fatal: no brokers available: Local: All broker connections are down',
          ]),
        },
      );
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('14s', () =>
        cluster.befall(
          image('kafka:3.8'),
          ends(
            [
              '[2026-11-02 10:01:02,113] ERROR Error while writing to checkpoint file /var/lib/kafka/data/recovery-point-offset-checkpoint (org.apache.kafka.storage.internals.log.LogDirFailureChannel)',
              'java.io.IOException: No space left on device',
              '[2026-11-02 10:01:02,131] ERROR Shutdown broker because all log dirs in /var/lib/kafka/data have failed (kafka.log.LogManager)',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/stream/kafka',
        mustNotBlame: [...names, 'Deployment/web/storefront'],
      });
    },
  ),
  // https://www.rabbitmq.com/docs/feature-flags
  'broker-upgrade-skips-a-version': scenario(
    'RabbitMQ is upgraded over a version in between and refuses to start; two workloads lose their queue',
    (cluster) => {
      surroundings(cluster);
      const broker = cluster.statefulSet('orders/rabbitmq', { image: image('rabbitmq:3.11') });
      cluster.service('orders/rabbitmq', port('amqp', 5672));
      const names = dependants(
        cluster,
        { namespace: 'orders', when: '24s', values: { AMQP_URL: 'amqp://rabbitmq.orders.svc:5672' } },
        {
          checkout: ends([
            'Error: connect ECONNREFUSED rabbitmq.orders.svc:5672',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)',
          ]),
          fulfilment: ends([
            '[Error] AMQP Connection rabbitmq.orders.svc:5672: connection refused',
            "pika.exceptions.AMQPConnectionError: [AMQPConnectionWorkflowFailed: 1 exceptions in all; last exception - AMQPConnectorSocketConnectError: ConnectionRefusedError(111, 'Connection refused')]",
          ]),
        },
      );
      cluster.image(
        image('rabbitmq:4.0'),
        ends(
          [
            'BOOT FAILED',
            '===========',
            'Error during startup: {error,failed_to_initialize_feature_flags_registry}',
            'Feature flags: `stream_single_active_consumer`: required feature flag not enabled! It must be enabled before upgrading RabbitMQ.',
          ],
          1,
          3,
        ),
      );
      cluster.at('12s', () => broker.setImage(image('rabbitmq:4.0')));
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/orders/rabbitmq', mustNotBlame: names });
    },
  ),
  // https://www.mongodb.com/docs/manual/replication/
  'replica-set-without-a-majority': scenario(
    'Two of three members of a MongoDB replica set are killed for their memory: nobody is primary any more',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      cluster.statefulSet('crm/mongodb', { replicas: 3, image: image('mongo:7.0'), memory: '512Mi' });
      cluster.service('crm/mongodb', { clusterIP: 'None', ...port('mongodb', 27017) });
      const hosts = [0, 1, 2].map((n) => `mongodb-${n}.mongodb.crm.svc.cluster.local:27017`).join(',');
      const names = dependants(
        cluster,
        { namespace: 'crm', when: '30s', values: { MONGODB_URI: `mongodb://${hosts}/crm?replicaSet=rs0` } },
        {
          contacts: unready([
            `pymongo.errors.ServerSelectionTimeoutError: No primary available for writes, Timeout: 30s, Topology Description: <TopologyDescription topology_type: ReplicaSetNoPrimary, servers: [<ServerDescription ('mongodb-0.mongodb.crm.svc.cluster.local', 27017) server_type: RSSecondary>]>`,
          ]),
          campaigns: ends([
            'MongoServerSelectionError: connection to mongodb-1.mongodb.crm.svc.cluster.local:27017 closed',
            "  reason: TopologyDescription { type: 'ReplicaSetNoPrimary', setName: 'rs0' }",
          ]),
        },
      );
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('15s', () =>
        cluster.befall(image('mongo:7.0'), (pod) =>
          pod.metadata.name.endsWith('-0')
            ? {
                readyAfterSeconds: 'never',
                log: ['{"s":"I","c":"REPL","msg":"Not starting an election, since we are not electable"}'],
              }
            : {
                exit: { afterSeconds: 4, code: 137, oom: true },
                readyAfterSeconds: 'never',
                log: [
                  '{"s":"I","c":"STORAGE","msg":"WiredTiger message","attr":{"message":"recovery log replay has started"}}',
                ],
              },
        ),
      );
      cluster.lasts('2m40s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/crm/mongodb',
        mustNotBlame: [...names, 'Deployment/office/wiki', 'Node//n1'],
      });
    },
  ),
  // https://www.elastic.co/docs/troubleshoot/elasticsearch/fix-watermark-errors
  'search-index-is-read-only': scenario(
    'Elasticsearch stays up but takes no writes, as its disk is nearly full; two writers give up',
    (cluster) => {
      surroundings(cluster);
      cluster.statefulSet('search/elasticsearch', { replicas: 1, image: image('elasticsearch:8.15') });
      cluster.service('search/elasticsearch', port('http', 9200));
      const blocked =
        '[TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]';
      const names = dependants(
        cluster,
        { namespace: 'search', when: '20s', values: { ELASTICSEARCH_URL: 'http://elasticsearch.search.svc:9200' } },
        {
          indexer: ends([
            'INFO connected to http://elasticsearch.search.svc:9200',
            `elasticsearch.ApiError: ApiError(429, 'cluster_block_exception', 'index [products-7] blocked by: ${blocked};')`,
          ]),
          autocomplete: unready([
            `ElasticsearchStatusException[Elasticsearch exception [type=cluster_block_exception, reason=index [suggest] blocked by: ${blocked};]] host=elasticsearch.search.svc:9200`,
          ]),
        },
      );
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/search/elasticsearch',
        accepts: ['Service/search/elasticsearch'],
        mustNotBlame: names,
      });
    },
  ),
  // https://developer.hashicorp.com/vault/docs/concepts/seal
  'vault-sealed-after-its-move': scenario(
    'The vault is restarted and is sealed since; whoever starts now gets no secrets',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const vault = cluster.statefulSet('vault/vault', { image: image('vault:1.17') });
      cluster.service('vault/vault', port('http', 8200));
      const names = ['accounts', 'cards', 'loans'];
      const all = names.map((name) =>
        cluster.deployment(`bank/${name}`, {
          replicas: 2,
          image: image(`${name}:3`),
          init: image('vault-agent:1.17'),
          values: { VAULT_ADDR: 'http://vault.vault.svc:8200' },
        }),
      );
      cluster.at('8s', () => {
        cluster.image(
          image('vault:1.17'),
          unready(
            [
              '==> Vault server started! Log data will stream in below:',
              '[INFO]  core: security barrier not initialized',
              '[INFO]  core: seal configuration missing, not initialized',
            ],
            'Key             Value\nSeal Type       shamir\nInitialized     true\nSealed          true',
          ),
        );
        vault.restart();
      });
      cluster.at('30s', () => {
        cluster.image(
          image('vault-agent:1.17'),
          ends(
            [
              '[INFO]  agent.auth.handler: authenticating',
              '[ERROR] agent.auth.handler: error authenticating: error="Error making API request. URL: PUT http://vault.vault.svc:8200/v1/auth/kubernetes/login Code: 503. Errors: * Vault is sealed"',
            ],
            1,
            4,
          ),
        );
        storefront.restart();
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m45s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/vault/vault',
        mustNotBlame: names.map((name) => `Deployment/bank/${name}` as const),
      });
    },
  ),
  // https://github.com/docker-library/mysql/issues/1051
  'database-knows-an-option-no-more': scenario(
    'MySQL is moved to 8.4, which does not know one of its options; two shops cannot reach it',
    (cluster) => {
      surroundings(cluster);
      const mysql = cluster.statefulSet('retail/mysql', {
        image: image('mysql:8.0'),
        container: { args: ['--default-authentication-plugin=mysql_native_password'] },
      });
      cluster.service('retail/mysql', port('mysql', 3306));
      const names = dependants(
        cluster,
        { namespace: 'retail', when: '25s', values: { MYSQL_HOST: 'mysql.retail.svc' } },
        {
          shop: ends([
            'SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, Host: mysql.retail.svc, Port: 3306, Database: shop)',
          ]),
          'stock-sync': ends([
            `pymysql.err.OperationalError: (2003, "Can't connect to MySQL server on 'mysql.retail.svc' ([Errno 111] Connection refused)")`,
          ]),
        },
      );
      cluster.image(
        image('mysql:8.4'),
        ends(
          [
            '[System] [MY-010116] [Server] /usr/sbin/mysqld (mysqld 8.4.0) starting as process 1',
            "[ERROR] [MY-000067] [Server] unknown variable 'default-authentication-plugin=mysql_native_password'.",
            '[ERROR] [MY-010119] [Server] Aborting',
          ],
          1,
          3,
        ),
      );
      cluster.at('12s', () => mysql.setImage(image('mysql:8.4')));
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/retail/mysql', mustNotBlame: names });
    },
  ),
  // https://sre.google/sre-book/addressing-cascading-failures/
  'third-in-a-chain': scenario(
    'A release of the feature store runs out of memory; what asks it is not ready, and neither is what asks that',
    (cluster) => {
      surroundings(cluster);
      const features = cluster.deployment('ml/feature-store', {
        replicas: 2,
        image: image('feature-store:2.2'),
        memory: '256Mi',
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('ml/feature-store', port('grpc', 6566));
      const names = dependants(
        cluster,
        { namespace: 'ml', when: '26s', values: { FEATURE_STORE: 'feature-store.ml.svc.cluster.local:6566' } },
        {
          recommender: unready([
            'level=warn msg="not ready" reason="feature-store.ml.svc.cluster.local:6566: connect: connection refused"',
          ]),
        },
      );
      const pages = dependants(
        cluster,
        { namespace: 'web', when: '34s', values: { RECOMMENDER_URL: 'http://recommender.ml.svc.cluster.local' } },
        {
          'product-page': unready([
            '{"level":50,"msg":"upstream http://recommender.ml.svc.cluster.local answered 503 Service Unavailable"}',
          ]),
        },
      );
      cluster.image(image('feature-store:2.3'), {
        exit: { afterSeconds: 4, code: 137, oom: true },
        readyAfterSeconds: 'never',
        log: ['INFO loading 41 feature views into memory', 'INFO loaded 29 of 41'],
      });
      cluster.at('12s', () => features.setImage(image('feature-store:2.3')));
      cluster.lasts('2m40s');
      cluster.expectIncident({ root: 'Deployment/ml/feature-store', mustNotBlame: [...names, ...pages] });
    },
  ),
  // https://www.keycloak.org/server/db
  'sign-on-without-its-database': scenario(
    'The database of the sign-on service is corrupt after a crash; nobody can sign on anywhere',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      cluster.statefulSet('sso/keycloak-db', { image: image('postgres:16.4') });
      cluster.service('sso/keycloak-db', port('postgres', 5432));
      cluster.deployment('sso/keycloak', {
        replicas: 2,
        image: image('keycloak:25'),
        values: { KC_DB_URL: 'jdbc:postgresql://keycloak-db.sso.svc:5432/keycloak' },
      });
      cluster.service('sso/keycloak');
      const names = dependants(
        cluster,
        { namespace: 'portal', when: '34s', values: { OIDC_ISSUER: 'http://keycloak.sso.svc/realms/acme' } },
        {
          portal: unready([
            'openid-client: expected 200 OK, got: 503 Service Unavailable from http://keycloak.sso.svc/realms/acme/.well-known/openid-configuration',
          ]),
          'api-gateway': ends([
            'level=fatal msg="oidc discovery failed" err="Get \\"http://keycloak.sso.svc/realms/acme/.well-known/openid-configuration\\": dial tcp: connect to keycloak.sso.svc:80: connect: connection refused"',
          ]),
        },
      );
      cluster.at('4s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('14s', () =>
        cluster.befall(
          image('postgres:16.4'),
          ends(
            [
              'LOG:  database system was interrupted; last known up at 2026-11-02 03:12:44 UTC',
              'LOG:  invalid primary checkpoint record',
              'PANIC:  could not locate a valid checkpoint record',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('22s', () =>
        cluster.befall(
          image('keycloak:25'),
          ends(
            [
              'ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to obtain JDBC connection',
              'ERROR: Connection to keycloak-db.sso.svc:5432 refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections.',
            ],
            1,
            5,
          ),
        ),
      );
      cluster.lasts('2m40s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/sso/keycloak-db',
        mustNotBlame: [...names, 'Deployment/sso/keycloak', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://docs.temporal.io/self-hosted-guide/upgrade-server
  'engine-ahead-of-its-schema': scenario(
    'The workflow engine is upgraded before its schema, and the workers of two teams find nobody',
    (cluster) => {
      surroundings(cluster);
      const frontend = cluster.deployment('temporal/temporal-frontend', {
        replicas: 2,
        image: image('temporal-server:1.23'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('temporal/temporal-frontend', port('grpc', 7233));
      const address = { TEMPORAL_ADDRESS: 'temporal-frontend.temporal.svc:7233' };
      const says = ends(
        [
          'Unable to create client: failed reaching server: connection error: desc = "transport: Error while dialing: dial tcp: connect to temporal-frontend.temporal.svc:7233: connect: connection refused"',
        ],
        1,
        6,
      );
      const names = [
        ...dependants(cluster, { namespace: 'travel', when: '28s', values: address }, { 'booking-worker': says }),
        ...dependants(cluster, { namespace: 'finance', when: '31s', values: address }, { 'payout-worker': says }),
      ];
      cluster.image(
        image('temporal-server:1.25'),
        ends(
          [
            'Unable to start server. Error: sql schema version compatibility check failed: version mismatch for keyspace/database: "temporal". Expected version: 1.14 cannot be greater than Actual version: 1.12',
          ],
          1,
          2,
        ),
      );
      cluster.at('15s', () => frontend.setImage(image('temporal-server:1.25')));
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Deployment/temporal/temporal-frontend', mustNotBlame: names });
    },
  ),
  // https://www.pgbouncer.org/config.html
  'pooler-settings-broken': scenario(
    'The settings of the connection pooler are edited wrongly; the database behind it is healthy, its clients are not',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      cluster.statefulSet('erp/postgres', { image: image('postgres:15') });
      cluster.service('erp/postgres', port('postgres', 5432));
      const settings = cluster.configMap('erp/pgbouncer', {
        'pgbouncer.ini': '[pgbouncer]\npool_mode = transaction\n',
      });
      const pooler = cluster.deployment('erp/pgbouncer', {
        replicas: 2,
        image: image('pgbouncer:1.23'),
        pod: { volumes: [{ name: 'settings', configMap: { name: 'pgbouncer' } }] },
        container: { volumeMounts: [{ name: 'settings', mountPath: '/etc/pgbouncer' }] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('erp/pgbouncer', port('pgbouncer', 6432));
      const names = dependants(
        cluster,
        { namespace: 'erp', when: '30s', values: { DATABASE_URL: 'postgres://erp@pgbouncer.erp.svc:6432/erp' } },
        {
          invoices: ends([
            'ActiveRecord::ConnectionNotEstablished: connection to server at "pgbouncer.erp.svc", port 6432 failed: Connection refused',
          ]),
          payroll: unready([
            'level=error msg="readiness: database" err="failed to connect to `host=pgbouncer.erp.svc user=erp database=erp`: dial error (dial tcp: connect to pgbouncer.erp.svc:6432: connect: connection refused)"',
          ]),
        },
      );
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => settings.edit({ 'pgbouncer.ini': '[pgbouncer]\npool_mode = transactions\n' }));
      cluster.at('18s', () => {
        cluster.image(
          image('pgbouncer:1.23'),
          ends(
            [
              'ERROR invalid value "transactions" for parameter pool_mode in configuration (/etc/pgbouncer/pgbouncer.ini:2)',
              'FATAL cannot load config file',
            ],
            1,
            1,
          ),
        );
        pooler.restart();
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ConfigMap/erp/pgbouncer',
        accepts: ['Deployment/erp/pgbouncer'],
        mustNotBlame: [...names, 'StatefulSet/erp/postgres', 'Deployment/web/storefront'],
      });
    },
  ),
};
