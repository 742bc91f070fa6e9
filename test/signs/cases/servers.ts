import { type SignCase, says } from '../case.ts';

/** What servers refuse in words of their own, and what programs were given and cannot use. */
export const serverCases: readonly SignCase[] = [
  says(
    'psycopg2',
    'psycopg2.errors.ReadOnlySqlTransaction: cannot execute UPDATE in a read-only transaction',
    'RequestRefused',
  ),
  says(
    'redis-py',
    "redis.exceptions.ReadOnlyError: READONLY You can't write against a read only replica.",
    'RequestRefused',
  ),
  says(
    'pgx',
    'insert entry: ERROR: database is not accepting commands that assign new XIDs to avoid wraparound data loss in database "erp" (SQLSTATE 54000)',
    'RequestRefused',
  ),
  says(
    'PDO',
    "PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [1129] Host '10.244.1.17' is blocked because of many connection errors; unblock with 'mysqladmin flush-hosts'",
    'RequestRefused',
  ),
  says('etcd client', 'Error: 8 RESOURCE_EXHAUSTED: etcdserver: mvcc: database space exceeded', 'RequestRefused'),
  says('nats.java', 'io.nats.client.JetStreamApiException: maximum bytes exceeded [10077]', 'RequestRefused'),
  says('ioredis', "ReplyError: OOM command not allowed when used memory > 'maxmemory'.", 'RequestRefused'),
  says('Consul API', 'Unexpected response code: 500 (No cluster leader)', 'ServiceUnavailable'),
  says('redis-py', 'redis.exceptions.ClusterDownError: CLUSTERDOWN The cluster is down', 'ServiceUnavailable'),
  says(
    'Promtail',
    'server returned HTTP status 500 Internal Server Error (500): at least 2 live replicas required, could only find 1 - unhealthy instances: 10.0.0.3:9095',
    'ServiceUnavailable',
    { target: '10.0.0.3:9095' },
  ),
  says(
    'Spring RestTemplate behind Envoy',
    'HttpClientErrorException$Forbidden: 403 Forbidden on GET request for "http://billing.finance.svc/v1/plans": "RBAC: access denied"',
    'RequestRefused',
    { target: 'billing.finance.svc:80' },
  ),
  says(
    'Vault agent',
    '[ERROR] agent.auth.handler: error authenticating: URL: PUT http://vault.vault.svc:8200/v1/auth/kubernetes/login Code: 400. Errors: * invalid role name "cards"',
    'RequestRefused',
    { target: 'vault.vault.svc:8200' },
  ),
  says('Rails', "in `rescue in _decrypt': ActiveSupport::MessageEncryptor::InvalidMessage", 'SecretUnusable'),
  says('a product with a licence', 'FATAL License /etc/app/license.key expired on 2026-11-22', 'SecretUnusable'),
  says(
    'Go net/http',
    'Post "https://api.psp.example/v1/charges": net/http: invalid header field value for "Authorization"',
    'SecretUnusable',
    { name: 'Authorization' },
  ),
  says(
    'Prisma',
    'Error: P1013: The provided database string is invalid. invalid port number in database URL.',
    'SecretUnusable',
  ),
  says(
    'pgx',
    'failed to connect to `user=orders database=orders`: 10.0.41.7:5432 (db.data.svc): server error: FATAL: sorry, too many clients already (SQLSTATE 53300)',
    'TooManyConnections',
    { target: 'db.data.svc:5432' },
  ),
  says(
    'Kafka NetworkClient 3.7 and later',
    'Connection to node 0 (controller-0.controller.kafka.svc.cluster.local/10.244.4.14:9093) could not be established. Node may not be available.',
    'HostUnreachable',
    { target: 'controller-0.controller.kafka.svc.cluster.local:9093' },
  ),
  says('java.net.http', 'java.net.http.HttpTimeoutException: request timed out', 'ConnectionTimedOut'),
  says(
    'FlexNet',
    'Cannot connect to license server system.\nLicense path:  27000@lic.corp.example\nFlexNet Licensing error:-15,570.  System Error: 111 "Connection refused"',
    'ConnectionRefused',
    { target: 'lic.corp.example:27000' },
  ),
  says(
    'MongoDB driver for Python',
    'pymongo.errors.ServerSelectionTimeoutError: crm-00.ab12c.mongodb.net:27017: connection closed, Timeout: 30s',
    'HostUnreachable',
    { target: 'crm-00.ab12c.mongodb.net:27017' },
  ),
  says(
    'PDO',
    "SQLSTATE[HY000] [1524] Plugin 'mysql_native_password' is not loaded (Connection: mysql, SQL: select 1)",
    'RequestRefused',
  ),
  says(
    'MySQL Connector/J',
    'java.sql.SQLNonTransientConnectionException: Public Key Retrieval is not allowed',
    'RequestRefused',
  ),
  says(
    'py-amqp',
    "amqp.exceptions.InternalError: Queue.declare: (541) INTERNAL_ERROR - Cannot declare a queue 'queue 'celery' in vhost '/'' on node 'rabbit@rabbitmq-0': {vhost_supervisor_not_running,<<\"/\">>}",
    'ServiceUnavailable',
  ),
];
