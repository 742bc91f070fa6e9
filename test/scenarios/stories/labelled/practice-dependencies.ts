import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases, caches, brokers and services inside the cluster that fail, and those that need them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.mongodb.com/docs/manual/reference/exit-codes/, https://www.mongodb.com/docs/manual/tutorial/recover-data-following-unexpected-shutdown/
  'document-store-with-broken-files': scenario(
    'MongoDB finds its files broken after its machine was reset; two services find no primary',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const image = 'docker.io/library/mongo:7.0';
      cluster.statefulSet('game/mongo', { image });
      cluster.service('game/mongo', port(27017));
      innocentRelease(cluster, '3s', firm);
      cluster.at('8s', () =>
        cluster.befall(
          image,
          ends(
            [
              '{"t":{"$date":"2026-11-22T09:00:01.114+00:00"},"s":"E","c":"WT","id":22435,"ctx":"initandlisten","msg":"WiredTiger error message","attr":{"error":-31802,"message":"__wt_block_read_off:283:WiredTigerHS.wt: read checksum error for 4096B block at offset 12288"}}',
              '{"s":"F","c":"ASSERT","id":23089,"ctx":"initandlisten","msg":"Fatal assertion","attr":{"msgid":28595,"file":"src/mongo/db/storage/wiredtiger/wiredtiger_util.cpp"}}',
            ],
            14,
            2,
          ),
        ),
      );
      const clients = dependants(cluster, '14s', {
        'game/matchmaking': {
          does: ends(['MongoServerSelectionError: connect ECONNREFUSED mongo.game.svc:27017']),
          values: { MONGO_URL: 'mongodb://mongo.game.svc:27017' },
        },
        'game/profiles': {
          does: unready([
            'com.mongodb.MongoTimeoutException: Timed out after 30000 ms while waiting to connect. Client view of cluster state is {type=UNKNOWN, servers=[{address=mongo.game.svc:27017, type=UNKNOWN, state=CONNECTING, exception={com.mongodb.MongoSocketOpenException: Exception opening socket}}]',
          ]),
          values: { MONGO_HOST: 'mongo.game.svc:27017' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/game/mongo',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/ClickHouse/ClickHouse/issues/60848: the keeper is lost, the tables become read-only, what writes to them fails.
  'keeper-of-the-column-store-is-lost': scenario(
    'The keeper of a ClickHouse crashes: its tables are read-only, and two writers fail',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const keeper = 'docker.io/clickhouse/clickhouse-keeper:25.3';
      cluster.statefulSet('analytics/keeper', { replicas: 3, image: keeper });
      cluster.service('analytics/keeper', port(9181));
      const clickhouse = 'docker.io/clickhouse/clickhouse-server:25.3';
      cluster.statefulSet('analytics/clickhouse', {
        replicas: 2,
        image: clickhouse,
        values: { KEEPER: 'keeper.analytics.svc:9181' },
      });
      cluster.service('analytics/clickhouse', port(8123));
      cluster.at('6s', () =>
        cluster.befall(
          keeper,
          ends(
            [
              '<Error> Application: DB::Exception: Cannot parse changelog file: checksum mismatch for entry 48211: While loading changelog_40001_50000.bin.zstd',
            ],
            70,
            2,
          ),
        ),
      );
      cluster.at('14s', () =>
        cluster.befall(
          clickhouse,
          unready([
            '<Error> virtual bool DB::DDLWorker::initializeMainThread(): Code: 999. Coordination::Exception: Connection loss, path: All connection tries failed while connecting to ZooKeeper. nodes: keeper.analytics.svc:9181',
            'Code: 242. DB::Exception: Table is in readonly mode (replica path: /clickhouse/tables/1/default/clicks/replicas/clickhouse-0). (TABLE_IS_READ_ONLY)',
          ]),
        ),
      );
      const values = { CLICKHOUSE_URL: 'http://clickhouse.analytics.svc:8123' };
      const clients = dependants(cluster, '24s', {
        'analytics/clicks': {
          does: ends([
            'insert into clicks: code: 242, message: Table is in readonly mode (clickhouse.analytics.svc:8123)',
          ]),
          values,
        },
        'marketing/attribution': {
          does: unready([
            "urllib3.exceptions.MaxRetryError: HTTPConnectionPool(host='clickhouse.analytics.svc', port=8123): Max retries exceeded with url: / (Caused by NewConnectionError: Failed to establish a new connection: [Errno 111] Connection refused)",
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/analytics/keeper',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/analytics/clickhouse'],
      });
    },
  ),

  // https://openfga.dev/docs/getting-started/setup-openfga/kubernetes: the service that says who may do what crashes.
  'permission-service-panics': scenario(
    'A service that answers who may do what panics, and three teams get no answer',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = imageAt('permissions', 6);
      cluster.deployment('iam/permissions', { replicas: 2, image });
      cluster.service('iam/permissions', port(8081, 'grpc'));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              'fatal error: concurrent map writes',
              'goroutine 8113 [running]:',
              'main.(*cache).Put(...)',
              '\t/src/cache.go:77',
            ],
            2,
            4,
          ),
        ),
      );
      const values = { PERMISSIONS_ADDR: 'permissions.iam.svc:8081' };
      const does = unready([
        'level=error msg="authorization check failed" err="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial tcp: connect to permissions.iam.svc:8081: connect: connection refused\\""',
      ]);
      const clients = dependants(cluster, '12s', {
        'docs/editor': { does, values },
        'files/browser': { does, values },
        'mail/inbox': { does, values },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'Deployment/iam/permissions', messages: { resolve: 0 }, mustNotBlame: clients });
    },
  ),

  // https://www.rabbitmq.com/docs/memory: the broker stays up and takes nothing from publishers.
  'broker-blocks-its-publishers': scenario(
    'RabbitMQ is up and blocks all publishers, as it has no memory left',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      cluster.statefulSet('bus/rabbitmq', { replicas: 3, image: 'docker.io/library/rabbitmq:4.1' });
      cluster.service('bus/rabbitmq', port(5672, 'amqp'));
      innocentRelease(cluster, '3s', firm);
      const values = { AMQP_URL: 'rabbitmq.bus.svc:5672' };
      const clients = dependants(cluster, '10s', {
        'shop/outbox': {
          does: unready([
            '[amqp] connection rabbitmq.bus.svc:5672 blocked by broker: low on memory',
            '[amqp] publish of order.created timed out after 15000 ms',
          ]),
          values,
        },
        'crm/sync': {
          does: unready([
            'WARN o.s.a.r.c.CachingConnectionFactory - Connection to rabbitmq.bus.svc:5672 is blocked: low on memory',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/bus/rabbitmq',
        accepts: ['Service/bus/rabbitmq'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://redis.io/docs/latest/operate/oss_and_stack/management/replication/#read-only-replica
  'cache-without-a-writable-member': scenario(
    'No member of a Redis takes writes after a failover, and two services say so',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('session/redis', { replicas: 3, image: 'docker.io/library/redis:7.4' });
      cluster.service('session/redis', port(6379));
      const values = { REDIS_ADDR: 'redis.session.svc:6379' };
      const clients = dependants(cluster, '8s', {
        'shop/login': {
          does: unready([
            "redis.exceptions.ReadOnlyError: You can't write against a read only replica. (redis.session.svc:6379)",
          ]),
          values,
        },
        'shop/cart': {
          does: ends([
            "ReplyError: READONLY You can't write against a read only replica.",
            '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12) host=redis.session.svc:6379',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/session/redis',
        accepts: ['Service/session/redis'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://etcd.io/docs/v3.5/op-guide/recovery/, https://patroni.readthedocs.io/en/latest/dcs_failsafe_mode.html
  'store-of-the-cluster-manager-loses-its-majority': scenario(
    'Two of three members of an etcd crash, Patroni demotes its PostgreSQL, and two services lose it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'quay.example/coreos/etcd:3.5';
      cluster.statefulSet('db/etcd', { replicas: 3, image });
      cluster.service('db/etcd', port(2379, 'client'));
      const spilo = 'ghcr.example/zalando/spilo-17:4.0';
      cluster.statefulSet('db/patroni', { replicas: 2, image: spilo, values: { ETCD3_HOSTS: 'etcd.db.svc:2379' } });
      cluster.service('db/patroni', port(5432));
      cluster.at('6s', () =>
        cluster.befall(image, ({ metadata }) =>
          metadata.name === 'etcd-0'
            ? {}
            : ends(
                [
                  '{"level":"fatal","msg":"failed to recover v3 backend from snapshot","error":"failed to find database snapshot file (snap: snapshot file doesn\'t exist)"}',
                ],
                1,
                2,
              ),
        ),
      );
      cluster.at('16s', () =>
        cluster.befall(
          spilo,
          unready([
            'ERROR: Error communicating with DCS',
            'etcd.EtcdConnectionFailed: No more machines in the cluster (etcd.db.svc:2379)',
            'INFO: demoting self because DCS is not accessible and I was a leader',
          ]),
        ),
      );
      const values = { PGHOST: 'patroni.db.svc' };
      const clients = dependants(cluster, '26s', {
        'shop/orders': {
          does: ends([
            'psycopg2.OperationalError: connection to server at "patroni.db.svc", port 5432 failed: Connection refused',
          ]),
          values,
        },
        'bank/statements': {
          does: unready([
            'org.postgresql.util.PSQLException: Connection to patroni.db.svc:5432 refused. Check that the hostname and port are correct',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/db/etcd',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/db/patroni'],
      });
    },
  ),

  // https://dev.mysql.com/doc/refman/8.4/en/blocked-host.html
  'database-blocks-a-host-of-two': scenario(
    'MySQL blocks hosts for too many connection errors, and two services are turned away',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('erp/mysql', { image: 'docker.io/library/mysql:8.4' });
      cluster.service('erp/mysql', port(3306));
      const values = { MYSQL_HOST: 'mysql.erp.svc:3306' };
      const clients = dependants(cluster, '8s', {
        'erp/purchasing': {
          does: ends([
            "ERROR 1129 (HY000): Host '10.244.2.17' is blocked because of many connection errors; unblock with 'mysqladmin flush-hosts' (mysql.erp.svc:3306)",
          ]),
          values,
        },
        'erp/inventory': {
          does: unready([
            "Doctrine\\DBAL\\Exception\\ConnectionException: SQLSTATE[HY000] [1129] Host '10.244.3.9' is blocked because of many connection errors; mysql.erp.svc:3306",
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/erp/mysql',
        accepts: ['Service/erp/mysql'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://min.io/docs/minio/linux/operations/concepts/erasure-coding.html: no read quorum.
  'objects-without-a-quorum': scenario(
    'An object store has no quorum of disks; logs, traces and a registry stand on it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'quay.example/minio/minio:2025-09';
      cluster.statefulSet('objects/minio', { replicas: 4, image });
      cluster.service('objects/minio', port(9000, 'api'));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          unready([
            'API: SYSTEM.storage',
            'Error: Read quorum could not be established on pool: 0, set: 0, expected read quorum: 2, drives-online: 1 (*fmt.wrapError)',
          ]),
        ),
      );
      const values = { S3_ENDPOINT: 'minio.objects.svc:9000' };
      const clients = dependants(cluster, '18s', {
        'logging/loki': {
          does: unready([
            'level=error caller=flush.go:178 msg="failed to flush" err="store put chunk: RequestError: send request failed caused by: Put \\"http://minio.objects.svc:9000/loki\\": dial tcp: connect to minio.objects.svc:9000: connect: connection refused"',
          ]),
          values,
        },
        'tracing/tempo': {
          does: ends([
            'level=error msg="error running Tempo" err="failed to init module services: error initialising module: store: failed to create store: unexpected error from ListObjects on traces: Get \\"http://minio.objects.svc:9000/traces/\\": connect: connection refused"',
          ]),
          values,
        },
        'ci/artifacts': {
          does: unready([
            'ERROR artifacts: SlowDown: Resource requested is unreadable, please reduce your request rate (minio.objects.svc:9000)',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/objects/minio', messages: { resolve: 0 }, mustNotBlame: clients });
    },
  ),

  // https://grpc.io/docs/guides/deadlines/: a service in the middle is slow, those before it run out of time.
  'prices-come-too-late': scenario(
    'A pricing service waits for its own pool, and two callers run out of time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      const image = imageAt('pricing', 17);
      cluster.deployment('travel/pricing', { replicas: 2, image });
      cluster.service('travel/pricing', port(9000, 'grpc'));
      innocentRelease(cluster, '2s', firm);
      cluster.at('6s', () =>
        cluster.befall(
          image,
          unready(
            ['WARN pool: 64 of 64 workers busy, queue 2048 full', 'ERROR rejecting request: executor saturated'],
            'Get "http://10.244.1.8:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          ),
        ),
      );
      const values = { PRICING: 'pricing.travel.svc:9000' };
      const clients = dependants(cluster, '20s', {
        'travel/search': {
          does: unready([
            'rpc error: code = DeadlineExceeded desc = context deadline exceeded while waiting for connections to become ready: pricing.travel.svc:9000',
          ]),
          values,
        },
        'travel/booking': {
          does: unready([
            'io.grpc.StatusRuntimeException: DEADLINE_EXCEEDED: CallOptions deadline exceeded after 1.999s. Name resolution delay 0.0s. [remote_addr=pricing.travel.svc:9000]',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/travel/pricing',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://docs.confluent.io/platform/current/schema-registry/installation/deployment.html: its topic must be compacted.
  'schema-registry-does-not-start': scenario(
    'A schema registry refuses its own topic, and a producer and a consumer cannot encode',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('stream/kafka', { replicas: 3, image: 'quay.example/strimzi/kafka:4.0' });
      cluster.service('stream/kafka', port(9092));
      const image = 'docker.io/confluentinc/cp-schema-registry:7.9';
      cluster.deployment('stream/schema-registry', {
        replicas: 2,
        image,
        values: { SCHEMA_REGISTRY_KAFKASTORE_BOOTSTRAP_SERVERS: 'kafka.stream.svc:9092' },
      });
      cluster.service('stream/schema-registry', port(8081));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              "ERROR The retention policy of the schema topic _schemas is incorrect. You must configure the topic to 'compact' cleanup policy to avoid Kafka deleting your schemas after a week.",
              'io.confluent.kafka.schemaregistry.exceptions.SchemaRegistryInitializationException: Error initializing kafka store while initializing schema registry',
            ],
            1,
            5,
          ),
        ),
      );
      const values = { SCHEMA_REGISTRY_URL: 'http://schema-registry.stream.svc:8081' };
      const clients = dependants(cluster, '16s', {
        'shop/events': {
          does: ends([
            'org.apache.kafka.common.errors.SerializationException: Error serializing Avro message',
            'Caused by: java.net.ConnectException: Connection refused: http://schema-registry.stream.svc:8081/subjects/orders-value/versions',
          ]),
          values,
        },
        'bi/loader': {
          does: ends([
            'confluent_kafka.error.ValueDeserializationError: KafkaError{code=_VALUE_DESERIALIZATION,str="HTTPConnectionPool(host=\'schema-registry.stream.svc\', port=8081): Max retries exceeded with url: /schemas/ids/12 (Caused by NewConnectionError: [Errno 111] Connection refused)"}',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/stream/schema-registry',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/stream/kafka'],
      });
    },
  ),
};
