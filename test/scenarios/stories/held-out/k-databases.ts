import { scenario } from '../../kit/scenario.ts';
import { budget, storageClass } from '../../kit/things.ts';

/** A claim of its own for each member of a StatefulSet. */
const claims = (name: string, storage: string): object => ({
  volumeClaimTemplates: [
    {
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'gp3', resources: { requests: { storage } } },
    },
  ],
});
const mountedAt = (name: string, mountPath: string, port?: number): object => ({
  volumeMounts: [{ name, mountPath }],
  ...(port && { ports: [{ containerPort: port }], readinessProbe: { tcpSocket: { port } } }),
});
const gp3 = storageClass('gp3', { provisioner: 'ebs.csi.aws.com' });
const ebs = {
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'ebs.csi.aws.com' } },
  spec: { attachRequired: true },
};
const headless = (port: number): object => ({
  clusterIP: 'None',
  ports: [{ name: 'client', port, targetPort: port, protocol: 'TCP' }],
});
const only = (port: number): object => ({
  ports: [{ name: 'client', port, targetPort: port, protocol: 'TCP' }],
});

const walVolumeFull = scenario(
  'The log volume of a primary fills up, two minutes after a client was rolled',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ebs);
    cluster.object(gp3);
    cluster.service('shop/orders-db', only(5432));
    cluster.statefulSet('shop/orders-db', {
      image: 'ghcr.example/postgres:16.3',
      memory: '1Gi',
      values: { PGDATA: '/var/lib/postgresql/data/pgdata' },
      container: mountedAt('data', '/var/lib/postgresql/data', 5432),
      spec: claims('data', '20Gi'),
    });
    cluster.service('shop/orders-api');
    const api = cluster.deployment('shop/orders-api', {
      replicas: 3,
      image: 'ghcr.example/orders-api:4.11.0',
      values: { DATABASE_URL: 'postgres://orders@orders-db.shop.svc:5432/orders', LOG_LEVEL: 'info' },
    });
    cluster.at('10s', () =>
      api.change({ values: { DATABASE_URL: 'postgres://orders@orders-db.shop.svc:5432/orders', LOG_LEVEL: 'debug' } }),
    );
    cluster.at('2m', () => {
      cluster.befall('ghcr.example/postgres:16.3', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 2, code: 1 },
        log: [
          '2026-03-14 08:12:31.102 UTC [1] LOG:  starting PostgreSQL 16.3 (Debian 16.3-1.pgdg120+1) on x86_64-pc-linux-gnu, 64-bit',
          '2026-03-14 08:12:31.103 UTC [1] LOG:  listening on IPv4 address "0.0.0.0", port 5432',
          '2026-03-14 08:12:31.131 UTC [29] LOG:  database system was interrupted while in recovery at 2026-03-14 08:12:02 UTC',
          '2026-03-14 08:12:31.390 UTC [29] LOG:  database system was not properly shut down; automatic recovery in progress',
          '2026-03-14 08:12:31.447 UTC [29] FATAL:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
          '2026-03-14 08:12:31.451 UTC [1] LOG:  startup process (PID 29) exited with exit code 1',
          '2026-03-14 08:12:31.451 UTC [1] LOG:  aborting startup due to startup process failure',
          '2026-03-14 08:12:31.453 UTC [1] LOG:  database system is shut down',
        ],
      });
    });
    cluster.at('2m6s', () =>
      cluster.befall('ghcr.example/orders-api:4.11.0', {
        readyAfterSeconds: 'never',
        log: [
          '{"level":"error","time":"2026-03-14T08:12:37Z","msg":"health: failed to connect to `host=orders-db.shop.svc user=orders database=orders`: dial error (dial tcp 10.96.41.7:5432: connect: connection refused)"}',
        ],
      }),
    );
    cluster.at('3m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'PersistentVolumeClaim/shop/data-orders-db-0',
      accepts: ['StatefulSet/shop/orders-db'],
      mustNotBlame: ['Deployment/shop/orders-api'],
    });
  },
);

const cannotListPeers = scenario('A broker may no longer list its peers when it is restarted', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.object({
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'rabbitmq', namespace: 'queue' } },
  });
  cluster.object({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
    metadata: { name: 'rabbitmq-endpoint-reader', namespace: 'queue' },
    rules: [{ apiGroups: [''], resources: ['endpoints'], verbs: ['get'] }],
  });
  const binding = cluster.object({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
    metadata: { name: 'rabbitmq-endpoint-reader', namespace: 'queue' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'rabbitmq-endpoint-reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'rabbitmq', namespace: 'queue' }],
  });
  cluster.service('queue/rabbitmq', headless(5672));
  const broker = cluster.statefulSet('queue/rabbitmq', {
    replicas: 3,
    image: 'ghcr.example/rabbitmq:3.12.14-management',
    pod: { serviceAccountName: 'rabbitmq' },
    values: { K8S_SERVICE_NAME: 'rabbitmq', RABBITMQ_USE_LONGNAME: 'true' },
    container: { ports: [{ containerPort: 5672 }], readinessProbe: { tcpSocket: { port: 5672 } } },
  });
  cluster.at('10s', () => binding.delete());
  cluster.at('40s', () => {
    cluster.image('ghcr.example/rabbitmq:3.12.14-management', {
      readyAfterSeconds: 'never',
      exit: { afterSeconds: 7, code: 1 },
      log: [
        '2026-02-19 17:25:44.271 [info] <0.269.0> Configured peer discovery backend: rabbit_peer_discovery_k8s',
        '2026-02-19 17:25:44.301 [info] <0.269.0> Will try to lock with peer discovery backend rabbit_peer_discovery_k8s',
        '2026-02-19 17:25:44.833 [error] <0.269.0> Failed to fetch a list of nodes from Kubernetes API: 403',
        '2026-02-19 17:25:44.839 [error] <0.269.0> Peer discovery returned an error: "403". Will retry after a delay of 500 ms, 9 retries left...',
        '2026-02-19 17:25:49.402 [error] <0.269.0> Failed to fetch a list of nodes from Kubernetes API: 403',
        '2026-02-19 17:25:49.409 [error] <0.269.0> Peer discovery returned an error: "403". Will retry after a delay of 500 ms, 0 retries left...',
        '2026-02-19 17:25:49.911 [error] <0.269.0> BOOT FAILED',
        '2026-02-19 17:25:49.911 [error] <0.269.0> Error during startup: {error,"403"}',
      ],
    });
    broker.restart();
  });
  cluster.at('90s', () => undefined);
  cluster.lasts('5m');
  cluster.expectIncident({
    root: 'RoleBinding/queue/rabbitmq-endpoint-reader',
    accepts: ['ServiceAccount/queue/rabbitmq', 'Role/queue/rabbitmq-endpoint-reader'],
  });
});

const misconf =
  "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error.";

const refusesWrites = scenario(
  'A cache that cannot save its snapshot refuses all writes; a client was just configured',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ebs);
    cluster.object(gp3);
    cluster.service('cache/redis', only(6379));
    cluster.statefulSet('cache/redis', {
      image: 'ghcr.example/redis:7.2.4',
      container: mountedAt('redis-data', '/data', 6379),
      spec: claims('redis-data', '8Gi'),
    });
    const settings = cluster.configMap('web/session-settings', { SESSION_TTL: '3600', LOG_LEVEL: 'info' });
    cluster.service('web/sessions');
    const sessions = cluster.deployment('web/sessions', {
      replicas: 2,
      image: 'ghcr.example/sessions:2.3.1',
      envFrom: ['session-settings'],
      values: { REDIS_URL: 'redis://redis.cache.svc.cluster.local:6379/0' },
    });
    cluster.deployment('web/cart', {
      replicas: 2,
      image: 'ghcr.example/cart:5.0.2',
      values: { REDIS_ADDR: 'redis.cache.svc.cluster.local:6379' },
    });
    cluster.at('5s', () => settings.edit({ SESSION_TTL: '1800', LOG_LEVEL: 'info' }));
    cluster.at('8s', () => sessions.restart());
    cluster.at('70s', () => {
      cluster.befall('ghcr.example/sessions:2.3.1', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 4, code: 1 },
        log: [
          '> sessions@2.3.1 start',
          'Listening on :8080',
          `ReplyError: ${misconf}`,
          '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
          "  command: { name: 'setex', args: [ 'sess:warmup', '1800', '{}' ] } address redis.cache.svc.cluster.local:6379",
        ],
      });
      cluster.befall('ghcr.example/cart:5.0.2', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 5, code: 1 },
        log: [
          'Traceback (most recent call last):',
          '  File "/app/cart/main.py", line 41, in <module>',
          '    store.set("cart:boot", "1")',
          '  File "/usr/local/lib/python3.12/site-packages/redis/connection.py", line 524, in read_response',
          '    raise response',
          `redis.exceptions.ResponseError: ${misconf}`,
          'ERROR:cart:writing to redis.cache.svc.cluster.local:6379 failed, giving up',
        ],
      });
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'StatefulSet/cache/redis',
      accepts: ['Service/cache/redis', 'PersistentVolumeClaim/cache/redis-data-redis-0', 'Pod/cache/redis-0'],
      mustNotBlame: ['ConfigMap/web/session-settings', 'Deployment/web/cart'],
    });
  },
);

const floodStage =
  '{"error":{"root_cause":[{"type":"cluster_block_exception","reason":"index [logs-2026.03.14] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];"}],"type":"cluster_block_exception"},"status":429}';

const indexReadOnly = scenario(
  'A search cluster turns its indices read-only, and its console is rolled to an image that is not there',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ebs);
    cluster.object(gp3);
    cluster.service('logging/elasticsearch', only(9200));
    cluster.statefulSet('logging/elasticsearch', {
      replicas: 3,
      image: 'ghcr.example/elasticsearch:8.13.2',
      container: mountedAt('data', '/usr/share/elasticsearch/data', 9200),
      spec: claims('data', '100Gi'),
    });
    const kibana = cluster.deployment('logging/kibana', {
      image: 'ghcr.example/kibana:8.13.2',
      values: { ELASTICSEARCH_HOSTS: 'http://elasticsearch.logging.svc:9200' },
    });
    cluster.deployment('logging/audit-writer', {
      replicas: 2,
      image: 'ghcr.example/audit-writer:1.8.0',
      values: { ES_URL: 'http://elasticsearch.logging.svc:9200' },
    });
    cluster.deployment('catalog/indexer', {
      replicas: 2,
      image: 'ghcr.example/indexer:3.3.0',
      values: { SEARCH_URL: 'http://elasticsearch.logging.svc:9200' },
    });
    cluster.image('ghcr.example/kibana:8.13.22', { pullError: 'NotFound' });
    cluster.at('10s', () => {
      const dies = (who: string) => ({
        readyAfterSeconds: 'never' as const,
        exit: { afterSeconds: 3, code: 1 },
        log: [
          `${who}: connecting to http://elasticsearch.logging.svc:9200`,
          `${who}: bulk request failed: ${floodStage}`,
        ],
      });
      cluster.befall('ghcr.example/audit-writer:1.8.0', dies('audit-writer'));
      cluster.befall('ghcr.example/indexer:3.3.0', dies('indexer'));
    });
    cluster.at('25s', () => kibana.setImage('ghcr.example/kibana:8.13.22'));
    cluster.at('90s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'StatefulSet/logging/elasticsearch',
      accepts: ['Service/logging/elasticsearch'],
      mustNotBlame: ['Deployment/logging/kibana', 'Deployment/catalog/indexer'],
    });
    cluster.expectIncident({ root: 'Deployment/logging/kibana', reason: 'ImageNotFound', beginsAfterSeconds: 25 });
  },
);

const otherClusterId = scenario(
  'Brokers are restarted with the cluster id of another cluster, while a consumer is rolled',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const settings = cluster.configMap('events/kafka-env', {
      CLUSTER_ID: 'MkU3OEVBNTcwNTJENDM2Qk',
      KAFKA_LOG_RETENTION_HOURS: '72',
    });
    cluster.service('events/kafka', headless(9092));
    const kafka = cluster.statefulSet('events/kafka', {
      replicas: 3,
      image: 'ghcr.example/cp-kafka:7.6.0',
      envFrom: ['kafka-env'],
      container: { ports: [{ containerPort: 9092 }], readinessProbe: { tcpSocket: { port: 9092 } } },
    });
    cluster.object(budget('events/kafka', { maxUnavailable: 1 }));
    const consumer = cluster.deployment('events/enricher', {
      replicas: 3,
      image: 'ghcr.example/enricher:1.4.0',
      values: { KAFKA_BOOTSTRAP_SERVERS: 'kafka.events.svc:9092' },
    });
    cluster.at('5s', () => consumer.setImage('ghcr.example/enricher:1.5.0'));
    cluster.at('15s', () => settings.edit({ CLUSTER_ID: 'Nk9yUXBzVFh4aWxGQ2QzQQ', KAFKA_LOG_RETENTION_HOURS: '48' }));
    cluster.at('30s', () => {
      cluster.image('ghcr.example/cp-kafka:7.6.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 4, code: 1 },
        log: [
          '===> Running in KRaft mode...',
          '===> Using provided cluster id Nk9yUXBzVFh4aWxGQ2QzQQ ...',
          '[2026-03-14 08:03:12,749] INFO Registered kafka:type=kafka.Log4jController MBean (kafka.utils.Log4jControllerRegistration$)',
          '[2026-03-14 08:03:13,344] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)',
          'java.lang.RuntimeException: Invalid cluster.id in: /var/lib/kafka/data/meta.properties. Expected Nk9yUXBzVFh4aWxGQ2QzQQ, but read MkU3OEVBNTcwNTJENDM2Qk',
          '\tat org.apache.kafka.metadata.properties.MetaPropertiesEnsemble.verify(MetaPropertiesEnsemble.java:503)',
          '\tat kafka.server.KafkaRaftServer$.initializeLogDirs(KafkaRaftServer.scala:184)',
          '\tat kafka.Kafka$.main(Kafka.scala:112)',
        ],
      });
      kafka.restart();
    });
    cluster.at('90s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'ConfigMap/events/kafka-env',
      mustNotBlame: ['Deployment/events/enricher', 'PodDisruptionBudget/events/kafka'],
    });
  },
);

const keyfileTooOpen = scenario(
  'The key file of a replica set is mounted readable for all; a password next to it had been changed',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.secret('accounts/mongo-keyfile', { keyfile: 'q1bXr2s9d8f7' });
    const exporter = cluster.secret('accounts/mongo-exporter', { password: 'first' });
    const volume = (defaultMode: number) => ({
      volumes: [{ name: 'keyfile', secret: { secretName: 'mongo-keyfile', defaultMode } }],
    });
    cluster.service('accounts/mongo', headless(27017));
    const mongo = cluster.statefulSet('accounts/mongo', {
      replicas: 3,
      image: 'ghcr.example/mongo:7.0.8',
      command: ['mongod', '--replSet', 'rs0', '--keyFile', '/etc/mongo/keyfile'],
      container: mountedAt('keyfile', '/etc/mongo', 27017),
      pod: volume(0o400),
    });
    cluster.deployment('accounts/mongo-exporter', {
      image: 'ghcr.example/mongodb-exporter:0.40',
      env: { MONGODB_PASSWORD: 'secret/mongo-exporter/password' },
      values: { MONGODB_URI: 'mongodb://mongo.accounts.svc:27017' },
    });
    cluster.at('5s', () => exporter.edit({ password: 'second' }));
    cluster.at('35s', () => {
      cluster.image('ghcr.example/mongo:7.0.8', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 1, code: 1 },
        log: [
          '{"t":{"$date":"2026-03-14T08:01:02.113+00:00"},"s":"I","c":"CONTROL","id":23285,"ctx":"-","msg":"Automatically disabling TLS 1.0, to force-enable TLS 1.0 specify --sslDisabledProtocols \'none\'"}',
          '{"t":{"$date":"2026-03-14T08:01:02.120+00:00"},"s":"I","c":"ACCESS","id":20254,"ctx":"main","msg":"Read security file failed","attr":{"error":{"code":30,"codeName":"InvalidPath","errmsg":"permissions on /etc/mongo/keyfile are too open"}}}',
        ],
      });
      mongo.change({ pod: volume(0o644) });
    });
    cluster.at('80s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'StatefulSet/accounts/mongo',
      mustNotBlame: ['Secret/accounts/mongo-exporter', 'Secret/accounts/mongo-keyfile'],
    });
  },
);

const rotatedOnOneSide = scenario(
  'A password is changed for the client alone, while the database gets another setting',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.secret('store/mysql-root', { 'mysql-root-password': 'rootpw' });
    const tuning = cluster.configMap('store/mysql-tuning', { 'my.cnf': '[mysqld]\nmax_connections=200\n' });
    const credentials = cluster.secret('store/storefront-db', { username: 'storefront', password: 'winter' });
    cluster.service('store/mysql', only(3306));
    cluster.statefulSet('store/mysql', {
      image: 'ghcr.example/mysql:8.0.36',
      env: { MYSQL_ROOT_PASSWORD: 'secret/mysql-root/mysql-root-password' },
      container: mountedAt('conf', '/etc/mysql/conf.d', 3306),
      pod: { volumes: [{ name: 'conf', configMap: { name: 'mysql-tuning' } }] },
    });
    cluster.service('store/storefront');
    const storefront = cluster.deployment('store/storefront', {
      replicas: 3,
      image: 'ghcr.example/storefront:9.2.0',
      env: { DB_USER: 'secret/storefront-db/username', DB_PASSWORD: 'secret/storefront-db/password' },
      values: { DB_HOST: 'mysql.store.svc', DB_PORT: '3306' },
    });
    cluster.at('5s', () => credentials.edit({ username: 'storefront', password: 'spring' }));
    cluster.at('12s', () => tuning.edit({ 'my.cnf': '[mysqld]\nmax_connections=300\n' }));
    cluster.at('30s', () => {
      cluster.image('ghcr.example/storefront:9.2.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 3, code: 1 },
        log: [
          'Booting storefront 9.2.0 in production',
          'ActiveRecord::DatabaseConnectionError: There is an issue connecting to your database with your username/password, username: storefront.',
          "Mysql2::Error::ConnectionError: Access denied for user 'storefront'@'10.244.2.17' (using password: YES)",
        ],
      });
      storefront.restart();
    });
    cluster.at('90s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Secret/store/storefront-db',
      mustNotBlame: ['ConfigMap/store/mysql-tuning', 'StatefulSet/store/mysql'],
    });
  },
);

const tooManyClients = scenario(
  'A worker is scaled until its database has no connection left for anybody',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('crm/postgres', only(5432));
    cluster.statefulSet('crm/postgres', {
      image: 'ghcr.example/postgres:15.6',
      container: { ports: [{ containerPort: 5432 }], readinessProbe: { tcpSocket: { port: 5432 } } },
    });
    const worker = cluster.deployment('crm/report-worker', {
      replicas: 2,
      image: 'ghcr.example/report-worker:0.9',
      probe: false,
      values: { DATABASE_URL: 'postgres://reports@postgres.crm.svc:5432/crm', POOL_SIZE: '10' },
    });
    cluster.service('crm/crm-api');
    cluster.deployment('crm/crm-api', {
      replicas: 2,
      image: 'ghcr.example/crm-api:2.20',
      values: { DATABASE_URL: 'postgres://crm@postgres.crm.svc:5432/crm' },
    });
    const full = 'FATAL: sorry, too many clients already (SQLSTATE 53300)';
    cluster.at('10s', () => worker.scale(14));
    cluster.at('25s', () => {
      cluster.befall('ghcr.example/crm-api:2.20', {
        readyAfterSeconds: 'never',
        log: [
          `level=error msg="ping database" err="failed to connect to \`host=postgres.crm.svc user=crm database=crm\`: server error (${full})"`,
        ],
      });
      cluster.befall('ghcr.example/report-worker:0.9', (pod) =>
        /[02468bdfhjlnprtvxz]$/.test(pod.metadata.name ?? '')
          ? {}
          : {
              readyAfterSeconds: 'never',
              exit: { afterSeconds: 4, code: 1 },
              log: ['opening pool of 10 connections', `connect postgres.crm.svc:5432: ${full}`],
            },
      );
    });
    cluster.at('90s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({
      root: 'Deployment/crm/report-worker',
      accepts: ['StatefulSet/crm/postgres', 'Service/crm/postgres'],
      mustNotBlame: ['Deployment/crm/crm-api'],
    });
  },
);

const spaceExceeded = scenario(
  'A configuration store reaches its quota and answers nobody; a machine had been cordoned',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.nodes(['n1', 'n2', 'n3']);
    cluster.service('edge/apisix-etcd', headless(2379));
    cluster.statefulSet('edge/apisix-etcd', {
      replicas: 3,
      image: 'ghcr.example/etcd:3.5.12',
      values: { ETCD_QUOTA_BACKEND_BYTES: '2147483648' },
      container: {
        ports: [{ containerPort: 2379 }],
        readinessProbe: { httpGet: { path: '/health', port: 2379 } },
      },
    });
    cluster.service('edge/apisix');
    cluster.deployment('edge/apisix', {
      replicas: 2,
      image: 'ghcr.example/apisix:3.8.0',
      values: { ETCD_ENDPOINTS: 'http://apisix-etcd.edge.svc:2379' },
    });
    cluster.at('5s', () => cluster.node('n3').cordon());
    cluster.at('60s', () => {
      cluster.befall('ghcr.example/etcd:3.5.12', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 503',
        log: [
          '{"level":"warn","ts":"2026-03-14T08:01:30.783Z","caller":"etcdserver/util.go:123","msg":"failed to apply request","took":"10.558µs","request":"header:<ID:16997569631274120200 > put:<key:\\"/apisix/data_plane/server_info\\" value_size:412 >","response":"","error":"etcdserver: no space"}',
          '{"level":"warn","ts":"2026-03-14T08:01:31.210Z","caller":"etcdhttp/health.go:93","msg":"serving /health false due to an alarm","alarm":"memberID:2480541133527838041 alarm:NOSPACE "}',
        ],
      });
    });
    cluster.at('75s', () =>
      cluster.befall('ghcr.example/apisix:3.8.0', {
        readyAfterSeconds: 'never',
        log: [
          '2026/03/14 08:01:46 [error] 51#51: *2113 [lua] config_etcd.lua:601: failed to fetch data from etcd: etcdserver: mvcc: database space exceeded, etcd key: /apisix/routes, host: http://apisix-etcd.edge.svc:2379',
        ],
      }),
    );
    cluster.at('2m30s', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'StatefulSet/edge/apisix-etcd',
      mustNotBlame: ['Node//n3', 'Deployment/edge/apisix'],
    });
  },
);

const sealed = scenario(
  'A secret store is sealed after its restart; one of its users had been rolled just before',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('vault/vault', only(8200));
    const vault = cluster.statefulSet('vault/vault', {
      image: 'ghcr.example/vault:1.16.1',
      container: {
        ports: [{ containerPort: 8200 }],
        readinessProbe: { exec: { command: ['/bin/sh', '-ec', 'vault status -tls-skip-verify'] } },
      },
    });
    const payments = cluster.deployment('payments/payments', {
      replicas: 2,
      image: 'ghcr.example/payments:6.0.1',
      init: 'ghcr.example/vault-agent:1.16.1',
      values: { VAULT_ADDR: 'http://vault.vault.svc:8200' },
    });
    cluster.at('5s', () => payments.setImage('ghcr.example/payments:6.0.2'));
    cluster.at('40s', () => {
      cluster.image('ghcr.example/vault:1.16.1', {
        readyAfterSeconds: 'never',
        readinessSays:
          'Key                Value\n---                -----\nSeal Type          shamir\nInitialized        true\nSealed             true\nTotal Shares       5\nThreshold          3\nUnseal Progress    0/3',
        log: [
          '==> Vault server started! Log data will stream in below:',
          '2026-03-14T08:00:43.402Z [INFO]  proxy environment: http_proxy="" https_proxy="" no_proxy=""',
          '2026-03-14T08:00:43.911Z [INFO]  core: Initializing version history cache for core',
          '2026-03-14T08:00:48.020Z [INFO]  core: security barrier not initialized',
          '2026-03-14T08:00:53.517Z [ERROR] core: barrier is sealed: error="Vault is sealed"',
        ],
      });
      vault.restart();
    });
    cluster.at('60s', () =>
      cluster.befall('ghcr.example/payments:6.0.2', {
        readyAfterSeconds: 'never',
        log: [
          'payments 6.0.2 lease of database/creds/payments is about to end, renewing at http://vault.vault.svc:8200',
          'Error making API request. URL: PUT http://vault.vault.svc:8200/v1/sys/leases/renew Code: 503. Errors: * Vault is sealed',
        ],
      }),
    );
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'StatefulSet/vault/vault', mustNotBlame: ['Deployment/payments/payments'] });
  },
);

const peersNotFound = scenario(
  'The Service that names the members of a ring is removed, and the ring is restarted',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const names = cluster.service('telemetry/cassandra', headless(9042));
    const ring = cluster.statefulSet('telemetry/cassandra', {
      replicas: 3,
      image: 'ghcr.example/cassandra:4.1.4',
      values: { CASSANDRA_SEEDS: 'cassandra-0.cassandra.telemetry.svc.cluster.local' },
      container: { ports: [{ containerPort: 9042 }], readinessProbe: { tcpSocket: { port: 9042 } } },
    });
    cluster.at('10s', () => names.delete());
    cluster.at('45s', () => {
      cluster.image('ghcr.example/cassandra:4.1.4', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 12, code: 3 },
        log: [
          'INFO  [main] 2026-03-14 08:01:10,551 Server.java:175 - Initializing CassandraDaemon',
          "WARN  [main] 2026-03-14 08:01:11,873 SimpleSeedProvider.java:60 - Seed provider couldn't lookup host cassandra-0.cassandra.telemetry.svc.cluster.local",
          'Exception (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: The seed provider lists no seeds.',
          'ERROR [main] 2026-03-14 08:01:11,902 CassandraDaemon.java:911 - Exception encountered during startup: The seed provider lists no seeds.',
        ],
      });
      ring.restart();
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'Service/telemetry/cassandra' });
  },
);

const changelogLock = scenario(
  'A migration that was killed holds its lock, and the new release waits for it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('ledger/postgres', only(5432));
    const database = cluster.statefulSet('ledger/postgres', {
      image: 'ghcr.example/postgres:16.2',
      container: { ports: [{ containerPort: 5432 }], readinessProbe: { tcpSocket: { port: 5432 } } },
    });
    cluster.service('ledger/ledger');
    const ledger = cluster.deployment('ledger/ledger', {
      replicas: 2,
      image: 'ghcr.example/ledger:3.7.0',
      values: { SPRING_DATASOURCE_URL: 'jdbc:postgresql://postgres.ledger.svc:5432/ledger' },
    });
    cluster.image('ghcr.example/ledger:3.8.0', {
      readyAfterSeconds: 'never',
      exit: { afterSeconds: 20, code: 1 },
      log: [
        '2026-03-14T08:00:31.120Z  INFO 1 --- [main] liquibase.lockservice : Waiting for changelog lock....',
        '2026-03-14T08:00:41.131Z  INFO 1 --- [main] liquibase.lockservice : Waiting for changelog lock....',
        '2026-03-14T08:00:51.140Z ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed',
        'Caused by: liquibase.exception.LockException: Could not acquire change log lock.  Currently locked by ledger-6f7c9d6b8-q2x7k (10.244.1.9) since 3/14/26, 7:58 AM',
      ],
    });
    cluster.at('5s', () => database.patch({ metadata: { labels: { team: 'ledger' } } }));
    cluster.at('20s', () => ledger.setImage('ghcr.example/ledger:3.8.0'));
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({ root: 'Deployment/ledger/ledger', mustNotBlame: ['StatefulSet/ledger/postgres'] });
  },
);

const keyChanged = scenario(
  'The password of a backup repository is changed, and no backup can open it any more',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const password = cluster.secret('backup/restic-repository', { password: 'correct-horse' });
    const job = {
      image: 'ghcr.example/restic:0.17.1',
      env: { RESTIC_PASSWORD: 'secret/restic-repository/password' },
      values: { RESTIC_REPOSITORY: 's3:https://s3.eu-central-1.amazonaws.com/acme-backups' },
      spec: { backoffLimit: 2 },
    };
    cluster.image('ghcr.example/restic:0.17.1', {
      exit: { afterSeconds: 5, code: 0 },
      log: ['snapshot 5fe1c0aa saved'],
    });
    cluster.job('backup/wiki-files-0813', job);
    cluster.at('10s', () => password.edit({ password: 'battery-staple' }));
    cluster.at('40s', () => {
      cluster.image('ghcr.example/restic:0.17.1', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 3, code: 12 },
        log: ['repository acme-backups: opening', 'Fatal: wrong password or no key found'],
      });
      cluster.job('backup/wiki-files-0814', job);
    });
    cluster.at('70s', () => undefined);
    cluster.lasts('5m');
    cluster.expectIncident({ root: 'Secret/backup/restic-repository' });
  },
);

const keeperOutOfMemory = scenario(
  'The coordination of a column store dies for lack of memory; its tables turn read-only',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('analytics/clickhouse-keeper', headless(9181));
    cluster.statefulSet('analytics/clickhouse-keeper', {
      replicas: 3,
      image: 'ghcr.example/clickhouse-keeper:24.3',
      memory: '256Mi',
      container: { ports: [{ containerPort: 9181 }], readinessProbe: { tcpSocket: { port: 9181 } } },
    });
    cluster.service('analytics/clickhouse', only(8123));
    cluster.statefulSet('analytics/clickhouse', {
      replicas: 2,
      image: 'ghcr.example/clickhouse-server:24.3',
      values: { KEEPER_HOST: 'clickhouse-keeper.analytics.svc:9181' },
      container: {
        ports: [{ containerPort: 8123 }],
        readinessProbe: { httpGet: { path: '/replicas_status', port: 8123 } },
      },
    });
    cluster.deployment('analytics/event-loader', {
      replicas: 2,
      image: 'ghcr.example/event-loader:2.2',
      probe: false,
      values: { CLICKHOUSE_URL: 'http://clickhouse.analytics.svc:8123' },
    });
    cluster.at('15s', () =>
      cluster.befall('ghcr.example/clickhouse-keeper:24.3', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 6, code: 137, oom: true },
        log: [
          '2026.03.14 08:00:20.119 [ 1 ] {} <Information> KeeperSnapshotManager: Loading snapshot of log index 1802211',
        ],
      }),
    );
    cluster.at('35s', () =>
      cluster.befall('ghcr.example/clickhouse-server:24.3', {
        readyAfterSeconds: 'never',
        log: [
          '2026.03.14 08:00:41.007 [ 71 ] {} <Error> events.visits: Code: 999. Coordination::Exception: All connection tries failed while connecting to ZooKeeper. nodes: clickhouse-keeper.analytics.svc:9181. (KEEPER_EXCEPTION)',
          '2026.03.14 08:00:44.310 [ 88 ] {} <Error> executeQuery: Code: 242. DB::Exception: Table is in readonly mode (replica path: /clickhouse/tables/0/visits/replicas/clickhouse-0). (TABLE_IS_READ_ONLY)',
        ],
      }),
    );
    cluster.at('45s', () =>
      cluster.befall('ghcr.example/event-loader:2.2', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 5, code: 1 },
        log: [
          'insert into events.visits at http://clickhouse.analytics.svc:8123 failed',
          'Code: 242. DB::Exception: Table is in readonly mode (replica path: /clickhouse/tables/0/visits/replicas/clickhouse-0). (TABLE_IS_READ_ONLY) (version 24.3.2.23)',
        ],
      }),
    );
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'StatefulSet/analytics/clickhouse-keeper',
      reason: 'OOMKilled',
      mustNotBlame: ['Deployment/analytics/event-loader', 'StatefulSet/analytics/clickhouse'],
    });
  },
);

const connectorsShrunk = scenario(
  'Connect workers get too little memory while the brokers they use are being restarted',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.service('streams/kafka', headless(9092));
    const kafka = cluster.statefulSet('streams/kafka', {
      replicas: 3,
      image: 'ghcr.example/kafka:3.7.0',
      container: { ports: [{ containerPort: 9092 }], readinessProbe: { tcpSocket: { port: 9092 } } },
    });
    cluster.image('ghcr.example/kafka:3.7.0', { readyAfterSeconds: 8 });
    const connect = cluster.deployment('streams/kafka-connect', {
      replicas: 2,
      image: 'ghcr.example/kafka-connect:3.7.0',
      memory: '2Gi',
      values: { CONNECT_BOOTSTRAP_SERVERS: 'kafka.streams.svc:9092', KAFKA_HEAP_OPTS: '-Xms1g -Xmx1500m' },
    });
    cluster.at('5s', () => kafka.restart());
    cluster.at('25s', () => {
      cluster.image('ghcr.example/kafka-connect:3.7.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 9, code: 137, oom: true },
        log: [
          '[2026-03-14 08:00:31,090] INFO Kafka Connect worker initializing ... (org.apache.kafka.connect.cli.AbstractConnectCli:114)',
          '[2026-03-14 08:00:34,511] WARN [Producer clientId=connect-1] Connection to node 2 (kafka-2.kafka.streams.svc/10.244.3.8:9092) could not be established. Node may not be available. (org.apache.kafka.clients.NetworkClient:814)',
          '[2026-03-14 08:00:37,220] INFO Starting connectors and tasks using config offset 411 (org.apache.kafka.connect.runtime.distributed.DistributedHerder:1836)',
        ],
      });
      connect.change({ memory: '512Mi' });
    });
    cluster.at('2m', () => undefined);
    cluster.lasts('6m');
    cluster.expectIncident({
      root: 'Deployment/streams/kafka-connect',
      reason: 'OOMKilled',
      mustNotBlame: ['StatefulSet/streams/kafka', 'Service/streams/kafka'],
    });
  },
);

/** Databases, caches and queues, and those who use them. */
export const stories = {
  'primary-stops-with-its-log-volume-full': walVolumeFull,
  'broker-may-not-list-its-peers': cannotListPeers,
  'cache-refuses-writes-after-a-failed-snapshot': refusesWrites,
  'search-indices-read-only-and-a-console-without-image': indexReadOnly,
  'brokers-restarted-with-another-cluster-id': otherClusterId,
  'replica-set-key-file-too-open': keyfileTooOpen,
  'password-rotated-on-the-client-side-only': rotatedOnOneSide,
  'worker-scaled-past-the-connections-of-its-database': tooManyClients,
  'configuration-store-reaches-its-space-quota': spaceExceeded,
  'secret-store-sealed-after-its-restart': sealed,
  'ring-restarted-without-the-names-of-its-seeds': peersNotFound,
  'release-waits-for-a-lock-of-a-killed-migration': changelogLock,
  'backup-repository-gets-another-password': keyChanged,
  'keeper-out-of-memory-turns-tables-read-only': keeperOutOfMemory,
  'connect-workers-shrunk-while-brokers-restart': connectorsShrunk,
};
