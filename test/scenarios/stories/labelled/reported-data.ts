import { innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases, brokers and caches, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/openstate/open-raadsinformatie/issues/427, https://github.com/zalando/postgres-operator/issues/1491
  'postgres-has-filled-its-volume': reported(
    'PostgreSQL has filled its volume with its journal and cannot start; an importer and a website lose it',
    (cluster, firm) => {
      const spec = disks(cluster);
      const image = 'docker.io/library/postgres:14.11';
      server(cluster, 'council/postgres', image, 5432, { clusterIP: '10.96.71.20', spec });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              'PostgreSQL Database directory appears to contain a database; Skipping initialization',
              '2026-11-22 09:30:44.610 UTC [1] LOG:  starting PostgreSQL 14.11 (Debian 14.11-1.pgdg120+2) on x86_64-pc-linux-gnu',
              '2026-11-22 09:30:44.702 UTC [27] LOG:  database system was not properly shut down; automatic recovery in progress',
              '2026-11-22 09:30:44.771 UTC [27] FATAL:  could not write to file "pg_wal/xlogtemp.27": No space left on device',
              '2026-11-22 09:30:44.775 UTC [1] LOG:  startup process (PID 27) exited with exit code 1',
              '2026-11-22 09:30:44.776 UTC [1] LOG:  database system is shut down',
            ],
            1,
            2,
          ),
        ),
      );
      const innocents = clients(cluster, 6, {
        'council/importer': {
          does: ends([
            'sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "postgres.council.svc.cluster.local" (10.96.71.20), port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ]),
          values: { DATABASE_HOST: 'postgres.council.svc.cluster.local' },
        },
        'council/website': {
          does: unready(
            [
              '[2026-11-22 09:31:02 +0000] [12] [ERROR] Error handling request /healthz',
              'django.db.utils.OperationalError: connection to server at "postgres.council.svc.cluster.local" (10.96.71.20), port 5432 failed: Connection refused',
            ],
            'HTTP probe failed with statuscode: 500',
          ),
          values: { DATABASE_HOST: 'postgres.council.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/council/postgres',
        accepts: ['PersistentVolumeClaim/council/data-postgres-0'],
        messages: { resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/spotahome/redis-operator/issues/139: Redis runs and refuses every write.
  'redis-cannot-save-its-snapshot': reported(
    'Redis runs on and refuses writes, as it cannot save its snapshot; a session service and a queue worker fail',
    (cluster) => {
      server(cluster, 'web/redis', 'docker.io/library/redis:5.0.4-alpine', 6379, { clusterIP: '10.96.8.140' });
      const values = { REDIS_URL: 'redis://redis.web.svc.cluster.local:6379/0' };
      const misconf =
        'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error.';
      const innocents = clients(cluster, 0, {
        'web/sessions': {
          does: unready(
            [
              `ReplyError: ${misconf}`,
              '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
              "  command: { name: 'set', args: [ 'health:probe', '1', 'EX', '10' ] }",
            ],
            'HTTP probe failed with statuscode: 503',
          ),
          values,
        },
        'web/thumbnail-worker': {
          does: ends(
            [
              '[2026-11-22 09:12:40,118: CRITICAL/MainProcess] Unrecoverable error: ResponseError("MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.")',
              `redis.exceptions.ResponseError: ${misconf}`,
            ],
            1,
            5,
          ),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/web/redis',
        accepts: ['Service/web/redis'],
        messages: { resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/rabbitmq/cluster-operator/issues/609: every member waits for the others.
  'rabbitmq-members-wait-for-each-other': reported(
    'All Pods of a RabbitMQ were deleted at once; the first waits for the others and never gets ready, and its three clients are refused',
    (cluster) => {
      const image = 'docker.io/library/rabbitmq:3.8.12-management';
      server(cluster, 'messaging/rabbitmq', image, 5672, { replicas: 3, clusterIP: '10.96.14.3' });
      cluster.at(after(0), () => {
        cluster.image(image, ({ metadata }) => ({
          ...unready(
            [
              '2026-11-22 09:29:41.001 [info] <0.273.0> Waiting for Mnesia tables for 30000 ms, 9 retries left',
              `2026-11-22 09:30:11.002 [warning] <0.273.0> Error while waiting for Mnesia tables: {timeout_waiting_for_tables,['rabbit@rabbitmq-2.rabbitmq.messaging','rabbit@rabbitmq-1.rabbitmq.messaging','rabbit@rabbitmq-0.rabbitmq.messaging'],[rabbit_durable_queue]}`,
              '2026-11-22 09:30:11.002 [info] <0.273.0> Waiting for Mnesia tables for 30000 ms, 8 retries left',
            ],
            'dial tcp 10.244.1.20:5672: connect: connection refused',
          ),
          ...(metadata.name === 'rabbitmq-0' && { exit: { afterSeconds: 300, code: 1 } }),
        }));
        cluster.evict('messaging', 'rabbitmq');
      });
      const values = { AMQP_HOST: 'rabbitmq.messaging.svc.cluster.local:5672' };
      const innocents = clients(cluster, 8, {
        'orders/fulfilment': {
          does: ends([
            'pika.exceptions.AMQPConnectionError: AMQPConnectorSocketConnectError: ConnectionRefusedError(111, "Connection refused") rabbitmq.messaging.svc.cluster.local:5672',
          ]),
          values,
        },
        'orders/notifications': {
          does: unready([
            'ERROR o.s.a.r.l.SimpleMessageListenerContainer : Failed to check/redeclare auto-delete queue(s).',
            'org.springframework.amqp.AmqpConnectException: java.net.ConnectException: Connection refused (Connection refused)',
            'INFO o.s.a.r.c.CachingConnectionFactory : Attempting to connect to: [rabbitmq.messaging.svc.cluster.local:5672]',
          ]),
          values,
        },
        'crm/webhooks': {
          does: ends([
            'Error: connect ECONNREFUSED 10.96.14.3:5672',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/messaging/rabbitmq',
        messages: { resolve: 0 },
        mustNotBlame: [...innocents, 'Service/messaging/rabbitmq'],
      });
    },
  ),

  // https://github.com/strimzi/strimzi-kafka-operator/issues/3111: the brokers end as they reach no ZooKeeper.
  'brokers-lose-their-zookeeper': reported(
    'ZooKeeper cannot read its log, all Kafka brokers end for it, and two services find no broker',
    (cluster) => {
      const zookeeper = 'docker.io/library/zookeeper:3.6.3';
      server(cluster, 'stream/zookeeper', zookeeper, 2181, { replicas: 3, clusterIP: '10.96.33.7' });
      const kafka = 'docker.io/confluentinc/cp-kafka:6.2.1';
      server(cluster, 'stream/kafka', kafka, 9092, {
        ...{ replicas: 3, clusterIP: '10.96.33.9' },
        values: { KAFKA_ZOOKEEPER_CONNECT: 'zookeeper.stream.svc.cluster.local:2181' },
      });
      cluster.at(after(0), () =>
        cluster.befall(
          zookeeper,
          ends(
            [
              '2026-11-22 09:45:08,411 [myid:1] - ERROR [main:QuorumPeer@1139] - Unable to load database on disk',
              'java.io.IOException: No snapshot found, but there are log entries. Something is broken!',
              '\tat org.apache.zookeeper.server.persistence.FileTxnSnapLog.restore(FileTxnSnapLog.java:281)',
              '2026-11-22 09:45:08,415 [myid:1] - ERROR [main:QuorumPeerMain@113] - Unexpected exception, exiting abnormally',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.at(after(12), () =>
        cluster.befall(
          kafka,
          ends(
            [
              '[2026-11-22 09:45:19,986] ERROR Fatal error during KafkaServer startup. Prepare to shutdown (kafka.server.KafkaServer)',
              'kafka.zookeeper.ZooKeeperClientTimeoutException: Timed out waiting for connection while in state: CONNECTING',
              '\tat kafka.zookeeper.ZooKeeperClient.$anonfun$waitUntilConnected$3(ZooKeeperClient.scala:259)',
              '\tat kafka.server.KafkaServer.initZkClient(KafkaServer.scala:399)',
              '[2026-11-22 09:45:19,990] ERROR Exiting Kafka. (kafka.server.KafkaServerStartable)',
            ],
            1,
            18,
          ),
        ),
      );
      const values = { BOOTSTRAP_SERVERS: 'kafka.stream.svc.cluster.local:9092' };
      const innocents = clients(cluster, 30, {
        'ads/clicks': {
          does: unready([
            'WARN [Producer clientId=producer-1] Connection to node -1 (kafka.stream.svc.cluster.local/10.96.33.9:9092) could not be established. Broker may not be available. (org.apache.kafka.clients.NetworkClient)',
            'org.apache.kafka.common.errors.TimeoutException: Topic clicks not present in metadata after 60000 ms.',
          ]),
          values,
        },
        'ads/attribution': {
          does: ends([
            'level=fatal msg="kafka: client has run out of available brokers to talk to: dial tcp 10.96.33.9:9092: connect: connection refused"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/stream/zookeeper',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/stream/kafka'],
      });
    },
  ),

  // https://github.com/open-telemetry/opentelemetry-collector-contrib/issues/31343, https://github.com/deviantony/docker-elk/issues/219
  'search-engine-over-its-flood-stage': reported(
    'The disk of an Elasticsearch passes the flood-stage watermark; it answers reads, and those that write are unready',
    (cluster, firm) => {
      const spec = disks(cluster);
      const image = 'docker.elastic.co/elasticsearch/elasticsearch:8.12.2';
      server(cluster, 'logs/elasticsearch', image, 9200, { replicas: 3, clusterIP: '10.96.92.11', spec });
      innocentRelease(cluster, after(-15), firm);
      const values = { ELASTICSEARCH_HOSTS: 'http://elasticsearch.logs.svc.cluster.local:9200' };
      const blocked =
        'blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]';
      const innocents = clients(cluster, 0, {
        'logs/kibana': {
          does: unready([
            `[2026-11-22T09:51:15.226+00:00][ERROR][savedobjects-service] [.kibana_task_manager] Action failed with 'cluster_block_exception: index [.kibana_task_manager_8.12.2_001] ${blocked};'. Retrying attempt 4 in 16 seconds.`,
            `[2026-11-22T09:51:15.230+00:00][WARN ][plugins.usageCollection] ResponseError: index [.kibana_8.12.2_001] ${blocked};: cluster_block_exception`,
          ]),
          values,
        },
        'logs/otel-gateway': {
          does: unready([
            `2026-11-22T09:51:20.007Z\terror\topensearchexporter\tExporting failed. Dropping data.\t{"kind": "exporter", "error": "Permanent error: 429 {\\"type\\":\\"cluster_block_exception\\",\\"reason\\":\\"index [otel] ${blocked};\\"}", "endpoint": "http://elasticsearch.logs.svc.cluster.local:9200"}`,
          ]),
          values,
        },
        'shop/indexer': {
          does: ends([
            `ERROR Bulk response item: {"_index":"products","_id":"62569f8f21f1","status":429,"error":{"type":"cluster_block_exception","reason":"index [products] ${blocked};"}}`,
            'level=fatal msg="bulk indexing stopped: 1000 of 1000 documents rejected by elasticsearch.logs.svc.cluster.local:9200"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/logs/elasticsearch',
        accepts: [
          'Service/logs/elasticsearch',
          'PersistentVolumeClaim/logs/data-elasticsearch-0',
          'PersistentVolumeClaim/logs/data-elasticsearch-1',
          'PersistentVolumeClaim/logs/data-elasticsearch-2',
        ],
        messages: { resolve: 0 },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/docker-library/mongo/issues/557, https://github.com/mongodb/mongodb-kubernetes-operator/issues/1478
  'mongodb-skips-a-major-version': reported(
    'A MongoDB is upgraded over a major version and refuses its files; two clients find no server; rolled back after a quarter of an hour',
    (cluster) => {
      const repository = 'docker.io/library/mongo';
      const mongo = server(cluster, 'cms/mongo', `${repository}:4.4.29`, 27017, { clusterIP: '10.96.55.2' });
      cluster.image(
        `${repository}:6.0.14`,
        ends(
          [
            '{"t":{"$date":"2026-11-22T09:10:01.949+00:00"},"s":"F",  "c":"CONTROL",  "id":20573,   "ctx":"initandlisten","msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: Location4926900: Invalid featureCompatibilityVersion document in admin.system.version: { _id: \\"featureCompatibilityVersion\\", version: \\"4.4\\" }. See https://docs.mongodb.com/master/release-notes/5.0-compatibility/#feature-compatibility. :: caused by :: Invalid feature compatibility version value, expected \'5.0\' or \'5.3\' or \'6.0. See https://docs.mongodb.com/master/release-notes/5.0-compatibility/#feature-compatibility.). If the current featureCompatibilityVersion is below 5.0, see the documentation on upgrading at https://docs.mongodb.com/master/release-notes/5.0/#upgrade-procedures."}}',
            '{"t":{"$date":"2026-11-22T09:10:01.951+00:00"},"s":"I",  "c":"CONTROL",  "id":23138,   "ctx":"initandlisten","msg":"Shutting down","attr":{"exitCode":62}}',
          ],
          62,
          3,
        ),
      );
      cluster.at(after(0), () => mongo.setImage(`${repository}:6.0.14`));
      const values = { MONGODB_URI: 'mongodb://mongo.cms.svc.cluster.local:27017/cms' };
      const innocents = clients(cluster, 10, {
        'cms/strapi': {
          does: ends([
            'MongoServerSelectionError: connect ECONNREFUSED 10.96.55.2:27017',
            "  reason: TopologyDescription { type: 'Unknown', servers: Map(1) { 'mongo.cms.svc.cluster.local:27017' => [ServerDescription] } }",
          ]),
          values,
        },
        'cms/preview': {
          does: unready([
            "pymongo.errors.ServerSelectionTimeoutError: mongo.cms.svc.cluster.local:27017: [Errno 111] Connection refused, Timeout: 30s, Topology Description: <TopologyDescription id: 6741a, topology_type: Unknown, servers: [<ServerDescription ('mongo.cms.svc.cluster.local', 27017) server_type: Unknown, rtt: None>]>",
          ]),
          values,
        },
      });
      cluster.at(after(900), () => mongo.setImage(`${repository}:4.4.29`));
      cluster.at(after(905), () => cluster.evict('cms', 'mongo'));
      recover(cluster, 930, 'cms/strapi', 'cms/preview');
      cluster.expectIncident({
        root: 'StatefulSet/cms/mongo',
        messages: { resolve: 1 },
        mustNotBlame: [...innocents, 'Service/cms/mongo'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/sourcegraph/sourcegraph-public-snapshot/issues/2264: its own probe is turned away as well.
  'connections-of-the-database-used-up': reported(
    'PostgreSQL has no connection left: its own probe and three services are turned away, until somebody ends the idle ones',
    (cluster) => {
      const image = 'docker.io/library/postgres:15.6';
      server(cluster, 'core/postgres', image, 5432, { clusterIP: '10.96.20.5' });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          unready(
            [
              '2026-11-22 09:32:37.704 UTC [588] FATAL:  sorry, too many clients already',
              '2026-11-22 09:32:38.412 UTC [600] FATAL:  sorry, too many clients already',
            ],
            'psql: FATAL:  sorry, too many clients already',
          ),
        ),
      );
      cluster.at(after(835), () => cluster.befall(image, {}));
      const values = { DB_HOST: 'postgres.core.svc.cluster.local' };
      const innocents = clients(cluster, 4, {
        'core/accounts': {
          does: unready([
            'HikariPool-1 - Exception during pool initialization.',
            'org.postgresql.util.PSQLException: FATAL: sorry, too many clients already',
            '\tat org.postgresql.Driver.connect(Driver.java:297) ~[postgresql-42.7.3.jar!/:42.7.3]',
          ]),
          values,
        },
        'core/ledger': {
          does: ends([
            'failed to connect to `user=ledger database=ledger`: 10.96.20.5:5432 (postgres.core.svc.cluster.local): server error: FATAL: sorry, too many clients already (SQLSTATE 53300)',
          ]),
          values,
        },
        'reports/exporter': {
          does: ends([
            'sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "postgres.core.svc.cluster.local" (10.96.20.5), port 5432 failed: FATAL:  remaining connection slots are reserved for non-replication superuser connections',
          ]),
          values,
        },
      });
      recover(cluster, 840, 'core/accounts', 'core/ledger', 'reports/exporter');
      cluster.expectIncident({
        root: 'StatefulSet/core/postgres',
        // That nothing of it serves, why, and what is left when it answers again.
        messages: { update: '≤3', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/bitnami/bitnami-docker-redis/issues/146, https://github.com/OT-CONTAINER-KIT/redis-operator/issues/1782
  'cache-cluster-with-old-addresses': reported(
    'A Redis cluster comes back from a restart with the old addresses of its members: its Pods are ready, and it serves nobody',
    (cluster) => {
      const redis = server(cluster, 'cache/redis-cluster', 'docker.io/library/redis:7.2.4', 6379, { replicas: 6 });
      cluster.at(after(0), () => redis.restart());
      const values = { REDIS_NODES: 'redis-cluster.cache.svc.cluster.local:6379' };
      const innocents = clients(cluster, 40, {
        'shop/basket': {
          does: unready([
            'redis.exceptions.ClusterDownError: CLUSTERDOWN The cluster is down (redis-cluster.cache.svc.cluster.local:6379)',
          ]),
          values,
        },
        'shop/pricing': {
          does: ends([
            'Exception in thread "main" redis.clients.jedis.exceptions.JedisClusterOperationException: Could not initialize cluster slots cache.',
            'Caused by: redis.clients.jedis.exceptions.JedisClusterException: CLUSTERDOWN Hash slot not served',
            '\tat com.borealis.pricing.Cache.connect(redis-cluster.cache.svc.cluster.local:6379)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/cache/redis-cluster',
        accepts: ['Service/cache/redis-cluster'],
        messages: { resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/sambanova/agents/pull/203: "expect a brief outage between the two upgrades": here the second was forgotten.
  'password-demanded-before-anybody-has-it': reported(
    'An upgrade of a Redis turns its password on before its clients have it; they are told to authenticate',
    (cluster) => {
      const redis = server(cluster, 'redis/redis', 'docker.io/library/redis:7.4.1', 6379, {
        clusterIP: '10.96.8.77',
        command: ['redis-server'],
      });
      cluster.at(after(0), () => redis.change({ command: ['redis-server', '--requirepass', '$(REDIS_PASSWORD)'] }));
      const values = { REDIS_HOST: 'redis.redis.svc.cluster.local' };
      const innocents = clients(cluster, 15, {
        'agents/backend': {
          does: ends([
            '  File "/app/backend/global_services.py", line 41, in get_sync_redis_client',
            'redis.exceptions.AuthenticationError: Authentication required.',
            'ERROR: could not connect to redis.redis.svc.cluster.local:6379, exiting',
          ]),
          values,
        },
        'web/feature-flags': {
          does: unready([
            'time="2026-11-22T09:40:12Z" level=error msg="ping redis.redis.svc.cluster.local:6379: NOAUTH Authentication required."',
          ]),
          values,
        },
        'jobs/scheduler': {
          does: ends([
            'ReplyError: NOAUTH Authentication required.',
            "    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12) { command: 'INFO', host: 'redis.redis.svc.cluster.local:6379' }",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/redis/redis',
        messages: { resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),
};
