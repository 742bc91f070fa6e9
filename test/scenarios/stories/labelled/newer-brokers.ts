import { settingsVolume } from '../../kit/field.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Brokers, caches and poolers whose settings were edited: they run on and refuse. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/pgbouncer/pgbouncer/issues/1118, https://github.com/panates/postgrejs/issues/16, https://github.com/MagicStack/asyncpg/issues/239
  'pooler-hands-out-another-connection-each-time': reported(
    'The pooler before a database is switched from sessions to transactions; clients that prepare statements fail in three languages',
    (cluster) => {
      server(cluster, 'loans/postgres', 'docker.io/library/postgres:16.4', 5432);
      const settings = cluster.configMap('loans/pgbouncer', {
        'pgbouncer.ini': '[databases]\n* = host=postgres port=5432\n[pgbouncer]\npool_mode = session\n',
      });
      const pooler = cluster.deployment('loans/pgbouncer', {
        ...{ replicas: 2, image: 'docker.io/edoburu/pgbouncer:v1.20.1-p0', pod: settingsVolume('pgbouncer') },
      });
      cluster.service('loans/pgbouncer', { ports: [{ name: 'main', port: 6432, targetPort: 6432, protocol: 'TCP' }] });
      cluster.at(after(0), () => {
        settings.edit({
          'pgbouncer.ini': '[databases]\n* = host=postgres port=5432\n[pgbouncer]\npool_mode = transaction\n',
        });
        pooler.restart();
      });
      const innocents = clients(cluster, 40, {
        'loans/scoring': {
          does: unready([
            'asyncpg.exceptions.DuplicatePreparedStatementError: prepared statement "__asyncpg_stmt_1__" already exists',
            'HINT:  NOTE: pgbouncer with pool_mode set to "transaction" or "statement" does not support prepared statements properly.',
          ]),
          values: { DATABASE_URL: 'postgresql://scoring@pgbouncer:6432/loans' },
        },
        'loans/permissions': {
          does: ends([
            '{"level":"fatal","error":"failed to run: ERROR: prepared statement name is already in use (SQLSTATE 08P01)","time":"2026-11-22T09:15:08Z","message":"terminated with errors"}',
          ]),
          values: { SPICEDB_DATASTORE_CONN_URI: 'postgres://spicedb@pgbouncer.loans:6432/spicedb' },
        },
        'loans/letters': {
          does: ends([
            'DatabaseError: prepared statement "S_1798" does not exist',
            '    at /src/node_modules/postgresql-client/cjs/protocol/PgSocket.js:211:44',
          ]),
          values: { PGHOST: 'pgbouncer.loans.svc.cluster.local', PGPORT: '6432' },
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/loans/pgbouncer',
        accepts: ['Deployment/loans/pgbouncer'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'StatefulSet/loans/postgres'],
      });
    },
  ),

  // https://github.com/bitnami/charts/issues/19244, https://github.com/StackExchange/StackExchange.Redis/issues/1699, https://github.com/redis/lettuce/issues/1379
  'users-of-the-cache-may-do-less': reported(
    'The file of the users of a Redis is edited and it is restarted; what its clients run is not allowed any more',
    (cluster) => {
      const rights = cluster.configMap('cache/redis-acl', { 'users.acl': 'user app on >x ~* &* +@all' });
      const redis = server(cluster, 'cache/redis', 'docker.io/bitnamilegacy/redis:7.2.4', 6379, {
        pod: settingsVolume('redis-acl'),
      });
      cluster.at(after(0), () => {
        rights.edit({ 'users.acl': 'user app on >x ~app:* +@read' });
        redis.restart();
      });
      const innocents = clients(cluster, 30, {
        'shop/baskets': {
          does: unready([
            "StackExchange.Redis.RedisServerException: NOPERM this user has no permissions to run the 'setex' command or its subcommand",
          ]),
          values: { Redis__Host: 'redis.cache.svc.cluster.local:6379' },
        },
        'shop/recommendations': {
          does: ends([
            "Caused by: io.lettuce.core.RedisCommandExecutionException: NOPERM this user has no permissions to run the 'hello' command or its subcommand",
          ]),
          values: { SPRING_DATA_REDIS_HOST: 'redis.cache' },
        },
        'news/live': {
          does: ends([
            'redis.exceptions.NoPermissionError: this user has no permissions to access one of the channels used as arguments',
          ]),
          values: { REDIS_URL: 'redis://app@redis.cache:6379/2' },
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/cache/redis-acl',
        accepts: ['StatefulSet/cache/redis'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/SeldonIO/seldon-core/pull/5126: what producers may send and what brokers take is set in two places.
  'broker-takes-smaller-messages': reported(
    'A chart sets a lower largest message on the brokers of a Kafka; two producers fail at what they send, a third is silent',
    (cluster) => {
      const kafka = server(cluster, 'stream/kafka', 'docker.io/bitnamilegacy/kafka:3.7.1', 9092, {
        ...{ replicas: 3, values: { KAFKA_CFG_MESSAGE_MAX_BYTES: '10485760' } },
      });
      cluster.at(after(0), () => kafka.change({ replicas: 3, values: { KAFKA_CFG_MESSAGE_MAX_BYTES: '104857' } }));
      const innocents = clients(cluster, 60, {
        'models/pipeline': {
          does: unready([
            '%4|1763803942.221|MSGSET| rdkafka#producer-1: Message delivery failed: Broker: Message size too large',
          ]),
          values: { KAFKA_BOOTSTRAP_SERVERS: 'kafka.stream:9092' },
        },
        'models/features': {
          does: ends([
            'org.apache.kafka.common.errors.RecordTooLargeException: The request included a message larger than the max message size the server will accept.',
          ]),
          values: { SPRING_KAFKA_BOOTSTRAP_SERVERS: 'kafka.stream.svc.cluster.local:9092' },
        },
        'devices/ingest': {
          does: unready(['info: buffered=18211 dropped=0']),
          values: { BROKERS: 'kafka.stream.svc:9092' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/stream/kafka',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/peer-observer/peer-observer/issues/99, https://github.com/hemerajs/hemera/issues/183
  'messages-are-too-large-for-the-bus': reported(
    'The largest payload of a NATS is lowered in its ConfigMap, which it reloads; publishers in Rust, Node and Go fail',
    (cluster) => {
      const settings = cluster.configMap('bus/nats-config', { 'nats.conf': 'max_payload: 5MB' });
      server(cluster, 'bus/nats', 'docker.io/library/nats:2.10.16', 4222, { pod: settingsVolume('nats-config') });
      cluster.at(after(0), () => settings.edit({ 'nats.conf': 'max_payload: 1MB' }));
      const innocents = clients(cluster, 70, {
        'chain/extractor': {
          does: ends([
            'Maximum Payload Violation on connection [12]',
            "ERROR [extractor] could not publish message in 'handle_net_message': Connection reset by peer (os error 104)",
          ]),
          values: { NATS_ADDRESS: 'nats.bus:4222' },
        },
        'chain/reports': {
          does: unready(["NatsError: 'Maximum Payload Violation'"]),
          values: { NATS_URL: 'nats://nats.bus.svc.cluster.local:4222' },
        },
        'chain/archive': {
          does: unready(['2026/11/22 09:41:03 publish chain.block: nats: maximum payload exceeded']),
          values: { NATS_URL: 'nats://nats.bus.svc:4222' },
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/bus/nats-config',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/confluentinc/schema-registry/issues/3694: set to read-only, and nobody who fails says so in the same way.
  'schema-registry-may-not-be-written-to': reported(
    'A schema registry is redeployed as a read-only one; producers with new schemas fail, and it is put right after fifteen minutes',
    (cluster) => {
      const good = { SCHEMA_REGISTRY_MODE: 'READWRITE' };
      const registry = cluster.deployment('stream/schema-registry', {
        ...{ replicas: 2, image: 'docker.io/confluentinc/cp-schema-registry:7.6.1', values: good },
      });
      cluster.service('stream/schema-registry', {
        ports: [{ name: 'main', port: 8081, targetPort: 8081, protocol: 'TCP' }],
      });
      cluster.at(after(0), () => registry.change({ replicas: 2, values: { SCHEMA_REGISTRY_MODE: 'READONLY' } }));
      const innocents = clients(cluster, 50, {
        'orders/outbox': {
          does: ends([
            'org.apache.kafka.common.errors.SerializationException: Error registering Avro schema{"type":"record","name":"Order"}',
            'Caused by: io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException: Subject orders-value is in read-only mode; error code: 42205',
          ]),
          values: { SCHEMA_REGISTRY_URL: 'http://schema-registry.stream:8081' },
        },
        'payments/events': {
          does: unready([
            'confluent_kafka.schema_registry.error.SchemaRegistryError: Subject payments-value is in read-only mode (HTTP status code 422, SR code 42205)',
          ]),
          values: { REGISTRY: 'http://schema-registry.stream.svc.cluster.local:8081' },
        },
        'payments/ledger': {
          does: unready(['task failed, tolerance exceeded in error handler']),
          values: { CONNECT_VALUE_CONVERTER_SCHEMA_REGISTRY_URL: 'http://schema-registry.stream:8081' },
        },
      });
      cluster.at(after(900), () => registry.change({ replicas: 2, values: good }));
      recover(cluster, 930, 'orders/outbox', 'payments/events', 'payments/ledger');
      cluster.expectIncident({
        root: 'Deployment/stream/schema-registry',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),
};
