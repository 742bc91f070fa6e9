import { type SignCase, says } from '../case.ts';

/** Full pools, held locks, schemas that do not fit. */
export const databaseCases: readonly SignCase[] = [
  says(
    'psycopg2',
    'psycopg2.OperationalError: connection to server at "db.shop" (10.96.12.4), port 5432 failed: FATAL:  sorry, too many clients already',
    'TooManyConnections',
    { target: 'db.shop:5432' },
  ),
  says(
    'pgjdbc',
    'org.postgresql.util.PSQLException: FATAL: remaining connection slots are reserved for non-replication superuser connections',
    'TooManyConnections',
  ),
  says(
    'AWS SDK for Go',
    'Put "https://s3.eu-central-1.amazonaws.com/acme-media/42": SlowDown: Please reduce your request rate. status code: 503, host: s3.eu-central-1.amazonaws.com',
    'RateLimited',
    { target: 's3.eu-central-1.amazonaws.com:443' },
  ),
  says(
    'requests',
    "requests.exceptions.RetryError: HTTPSConnectionPool(host='s3.eu-central-1.amazonaws.com', port=443): Max retries exceeded with url: /acme-exports (Caused by ResponseError('too many 503 error responses'))",
    'RateLimited',
    { target: 's3.eu-central-1.amazonaws.com:443' },
  ),
  says(
    'boto3',
    'botocore.errorfactory.ThrottlingException: An error occurred (ThrottlingException) when calling the DescribeInstances operation: Rate exceeded',
    'RateLimited',
  ),
  says('axios', 'AxiosError: Request failed with status code 429', 'RateLimited'),
  says(
    'opensearch-py',
    "opensearchpy.exceptions.TransportError: TransportError(429, 'circuit_breaking_exception', '[parent] Data too large, data for [<http_request>] would be [516681156/492.7mb]')",
    'RateLimited',
  ),
  says('node-auth0', 'TooManyRequestsError: Global limit has been reached', 'RateLimited'),
  says(
    'requests, counted',
    'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://acme.eu.auth0.example/oauth/token',
    'RateLimited',
    { target: 'acme.eu.auth0.example:443' },
  ),
  says('grpc-go', 'rpc error: code = ResourceExhausted desc = tenant has no tokens left', 'RateLimited'),
  says(
    'OpenAI',
    'ERROR summary: You exceeded your current quota, please check your plan and billing details.',
    'RateLimited',
  ),
  says('PgBouncer', 'psycopg.OperationalError: connection failed: FATAL:  query_wait_timeout', 'TooManyConnections'),
  says('Airflow', 'Waiting for migrations... 10 second(s)', 'SchemaMismatch'),
  says('go-sql-driver', 'Error 1040: Too many connections', 'TooManyConnections'),
  says('Redis client', 'ReplyError: ERR max number of clients reached', 'TooManyConnections'),
  says(
    'SQLAlchemy',
    'sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out, timeout 30.00',
    'TooManyConnections',
  ),
  says(
    'Prisma',
    'Timed out fetching a new connection from the connection pool. (More info: http://pris.ly/d/connection-pool, Current connection pool timeout: 10, connection limit: 5)',
    'TooManyConnections',
  ),
  says(
    'HikariCP',
    'java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms (total=10, active=10, idle=0, waiting=7)',
    'TooManyConnections',
  ),
  says(
    'Liquibase',
    'liquibase.exception.LockException: Could not acquire change log lock.  Currently locked by api-7d9c (10.244.1.7) since 3/1/26, 10:00 AM',
    'LockHeld',
    { name: 'api-7d9c' },
  ),
  says(
    'Liquibase, waiting',
    '2026-03-01 10:00:00.000  INFO 1 --- [main] l.lockservice.StandardLockService : Waiting for changelog lock....',
    'LockHeld',
  ),
  says('Flyway', 'org.flywaydb.core.api.FlywayException: Unable to acquire Flyway advisory lock', 'LockHeld'),
  says('golang-migrate', "error: can't acquire lock", 'LockHeld'),
  says(
    'Elasticsearch',
    'java.lang.IllegalStateException: failed to obtain node locks, tried [[/usr/share/elasticsearch/data]] with lock id [0]',
    'LockHeld',
  ),
  says('InnoDB', '[ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 11', 'LockHeld'),
  says(
    'MongoDB server',
    '{"t":{"$date":"2026-03-01T10:00:00.000+00:00"},"s":"E","c":"CONTROL","id":20557,"ctx":"initandlisten","msg":"DBException in initAndListen, terminating","attr":{"error":"DBPathInUse: Unable to lock the lock file: /data/db/mongod.lock (Resource temporarily unavailable). Another mongod instance is already running on the /data/db directory"}}',
    'LockHeld',
  ),
  says('PostgreSQL', '2026-03-01 10:00:00.000 UTC [1] FATAL:  lock file "postmaster.pid" already exists', 'LockHeld', {
    name: 'postmaster.pid',
  }),
  says(
    'Prometheus',
    'ts=2026-03-01T10:00:00Z caller=main.go:1166 level=error err="opening storage failed: lock DB directory: resource temporarily unavailable"',
    'LockHeld',
  ),
  says('SQLite', 'sqlite3.OperationalError: database is locked', 'LockHeld'),
  says('Rails', 'A server is already running. Check /app/tmp/pids/server.pid.', 'LockHeld', {
    name: '/app/tmp/pids/server.pid',
  }),
  says('psycopg2', 'psycopg2.errors.UndefinedTable: relation "users" does not exist', 'SchemaMismatch', {
    name: 'users',
  }),
  says('lib/pq', 'pq: column "email_verified" of relation "users" does not exist', 'SchemaMismatch', {
    name: 'email_verified',
  }),
  says(
    'psycopg2',
    'psycopg2.OperationalError: connection to server at "db" (10.96.12.4), port 5432 failed: FATAL:  database "shop" does not exist',
    'SchemaMismatch',
    { name: 'shop' },
  ),
  says('MySQL client', "ERROR 1146 (42S02): Table 'shop.users' doesn't exist", 'SchemaMismatch', {
    name: 'shop.users',
  }),
  says('MySQL client', "ERROR 1049 (42000): Unknown database 'shop'", 'SchemaMismatch', { name: 'shop' }),
  says('SQLite', 'django.db.utils.OperationalError: no such table: auth_user', 'SchemaMismatch', { name: 'auth_user' }),
  says(
    'SqlClient',
    "Microsoft.Data.SqlClient.SqlException (0x80131904): Invalid object name 'Orders'.",
    'SchemaMismatch',
    { name: 'Orders' },
  ),
  says(
    'Hibernate',
    'org.hibernate.tool.schema.spi.SchemaManagementException: Schema-validation: missing table [orders]',
    'SchemaMismatch',
    { name: 'orders' },
  ),
  says('Flyway', 'ERROR: Validate failed: Detected resolved migration not applied to database: 2', 'SchemaMismatch'),
  says('golang-migrate', 'error: Dirty database version 12. Fix and force version.', 'SchemaMismatch', { name: '12' }),
  says(
    'Alembic',
    "alembic.util.exc.CommandError: Can't locate revision identified by 'a1b2c3d4'",
    'SchemaMismatch',
    {},
  ),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [1] FATAL:  database files are incompatible with server\n2026-03-01 10:00:00.000 UTC [1] DETAIL:  The data directory was initialized by PostgreSQL version 13, which is not compatible with this version 15.4.',
    'DataUnusable',
  ),
  says('a migration', 'ERROR migration 42: column "price" exists', 'SchemaMismatch', { name: 'price' }),
  says('node-pg-migrate', 'error: relation "orders" already exists', 'SchemaMismatch', { name: 'orders' }),
  says('a program of its own', 'FATAL unknown column "vat_rate" in table "orders"', 'SchemaMismatch', {
    name: 'vat_rate',
  }),
];
