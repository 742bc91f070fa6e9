import { type SignCase, says } from '../case.ts';

/** Users who are not let in, and what they may not do. */
export const credentialsCases: readonly SignCase[] = [
  says('boto3', 'botocore.exceptions.NoCredentialsError: Unable to locate credentials', 'CredentialsMissing'),
  says(
    'AWS SDK for Go v2',
    'level=fatal msg=cannot list buckets err=no EC2 IMDS role found, operation error ec2imds: GetMetadata, request canceled',
    'CredentialsMissing',
  ),
  says(
    'AWS SDK for JavaScript v3',
    'CredentialsProviderError: Could not load credentials from any providers',
    'CredentialsMissing',
  ),
  says(
    'google-auth for Go',
    'level=fatal msg=google: could not find default credentials. See https://cloud.google.com/docs/authentication/external/set-up-adc for more information',
    'CredentialsMissing',
  ),
  says(
    'AWS SDK for Java v2',
    'software.amazon.awssdk.core.exception.SdkClientException: Unable to load credentials from any of the providers in the chain AwsCredentialsProviderChain',
    'CredentialsMissing',
  ),
  says(
    'AWS SDK for Java 2',
    'software.amazon.awssdk.services.s3.model.S3Exception: The AWS Access Key Id you provided does not exist in our records. (Service: S3, Status Code: 403)',
    'CredentialsRejected',
  ),
  says(
    'libpq',
    'connection to server at "db.shop" (10.96.12.4), port 5432 failed: FATAL:  password authentication failed for user "app"',
    'CredentialsRejected',
    { target: 'db.shop:5432', name: 'app' },
  ),
  says('lib/pq', 'pq: password authentication failed for user "app"', 'CredentialsRejected', { name: 'app' }),
  says(
    'pgjdbc',
    'Caused by: org.postgresql.util.PSQLException: FATAL: password authentication failed for user "shop_rw"',
    'CredentialsRejected',
    { name: 'shop_rw' },
  ),
  says(
    'Npgsql',
    'Npgsql.PostgresException (0x80004005): 28P01: password authentication failed for user "app"',
    'CredentialsRejected',
    { name: 'app' },
  ),
  says('psycopg2', 'psycopg2.OperationalError: FATAL:  role "reporting" does not exist', 'CredentialsRejected', {
    name: 'reporting',
  }),
  says(
    'node-postgres',
    'error: no pg_hba.conf entry for host "10.244.1.7", user "app", database "shop", no encryption',
    'AccessForbidden',
    { name: 'app' },
  ),
  says(
    'node-postgres',
    'Error: SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    'CredentialsRejected',
  ),
  says(
    'MySQL client',
    "ERROR 1045 (28000): Access denied for user 'app'@'10.244.1.7' (using password: YES)",
    'CredentialsRejected',
    { name: 'app' },
  ),
  says(
    'go-sql-driver',
    "Error 1045 (28000): Access denied for user 'app'@'10.244.1.7' (using password: NO)",
    'CredentialsRejected',
    { name: 'app' },
  ),
  says('PHP PDO', "SQLSTATE[HY000] [1044] Access denied for user 'app'@'%' to database 'shop'", 'AccessForbidden', {
    name: 'app',
  }),
  says(
    'SqlClient',
    "Microsoft.Data.SqlClient.SqlException (0x80131904): Login failed for user 'sa'.",
    'CredentialsRejected',
    { name: 'sa' },
  ),
  says(
    'Oracle JDBC',
    'java.sql.SQLInvalidAuthorizationSpecException: ORA-01017: invalid username/password; logon denied',
    'CredentialsRejected',
  ),
  says('mongoose', 'MongooseServerSelectionError: bad auth Authentication failed.', 'CredentialsRejected'),
  says(
    'mongodb',
    'MongoServerError: Authentication failed.\n    at Connection.onMessage (/app/node_modules/mongodb/lib/cmap/connection.js:207:30)',
    'CredentialsRejected',
  ),
  says(
    'mongodb-core',
    'MongoNetworkError: failed to connect to server [my-mongo-server:27017] on first connect [MongoError: Authentication failed.]',
    'CredentialsRejected',
    { target: 'my-mongo-server:27017' },
  ),
  says(
    'MongoDB Java driver',
    'com.mongodb.MongoCommandException: Command failed with error 13 (Unauthorized): \'not authorized on shop to execute command { find: "orders" }\' on server mongo:27017',
    'AccessForbidden',
    { name: 'shop' },
  ),
  says('go-redis', 'panic: NOAUTH Authentication required.', 'CredentialsRejected'),
  says(
    'redis-py',
    'redis.exceptions.AuthenticationError: WRONGPASS invalid username-password pair or user is disabled.',
    'CredentialsRejected',
  ),
  says(
    'Kafka Java client',
    'org.apache.kafka.common.errors.SaslAuthenticationException: Authentication failed: Invalid username or password',
    'CredentialsRejected',
  ),
  says(
    'Kafka Java client',
    'org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [orders]',
    'AccessForbidden',
  ),
  says(
    'RabbitMQ Java client',
    'com.rabbitmq.client.AuthenticationFailureException: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
    'CredentialsRejected',
  ),
  says(
    'amqplib',
    'Error: Handshake terminated by server: 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile."',
    'CredentialsRejected',
  ),
  says(
    'pika',
    "pika.exceptions.ChannelClosedByBroker: (403, \"ACCESS_REFUSED - access to queue 'orders' in vhost '/' refused for user 'app'\")",
    'AccessForbidden',
    { name: 'app' },
  ),
  says(
    'elasticsearch-py',
    "elasticsearch.AuthenticationException: AuthenticationException(401, 'security_exception', 'unable to authenticate user [elastic] for REST request [/]')",
    'CredentialsRejected',
    { name: 'elastic' },
  ),
  says(
    'client-go',
    'E0301 10:00:00.123456       1 reflector.go:147] failed to list *v1.Secret: secrets is forbidden: User "system:serviceaccount:shop:api" cannot list resource "secrets" in API group "" in the namespace "shop"',
    'AccessForbidden',
    { name: 'system:serviceaccount:shop:api' },
  ),
  says(
    'boto3',
    'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the GetObject operation: Access Denied',
    'AccessForbidden',
  ),
  says(
    'boto3',
    'botocore.exceptions.ClientError: An error occurred (InvalidAccessKeyId) when calling the ListBuckets operation: The AWS Access Key Id you provided does not exist in our records.',
    'CredentialsRejected',
  ),
  says(
    'requests',
    'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.example.com/v1/charges',
    'CredentialsRejected',
    { target: 'api.example.com:443' },
  ),
  says('axios', 'AxiosError: Request failed with status code 401', 'CredentialsRejected'),
  says('axios', 'AxiosError: Request failed with status code 403', 'AccessForbidden'),
  says('psycopg2', 'psycopg2.errors.InsufficientPrivilege: permission denied for table orders', 'AccessForbidden', {
    name: 'orders',
  }),
  says('git over ssh', 'git@github.com: Permission denied (publickey).', 'CredentialsRejected'),
  says(
    'logback in JSON',
    '{"@timestamp":"2026-03-01T10:00:00.000Z","level":"ERROR","logger_name":"com.zaxxer.hikari.pool.HikariPool","message":"HikariPool-1 - Exception during pool initialization.","stack_trace":"org.postgresql.util.PSQLException: FATAL: password authentication failed for user \\"app\\"\\n\\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:659)"}',
    'CredentialsRejected',
    { name: 'app' },
  ),
  says(
    'redis-py',
    "redis.exceptions.NoPermissionError: NOPERM this user has no permissions to run the 'keys' command",
    'AccessForbidden',
  ),
  says(
    'Elasticsearch client',
    'ResponseError: security_exception: action [indices:data/read/search] is unauthorized for user [app]',
    'AccessForbidden',
    { name: 'app' },
  ),
  says('a program of its own', 'ERROR bucket backups: access denied', 'AccessForbidden'),
  says('Java KeyStore', 'Caused by: java.io.IOException: keystore password was incorrect', 'SecretUnusable'),
  says('OpenSSL', 'Mac verify error: invalid password?', 'SecretUnusable'),
  says(
    'golang-jwt',
    'FATAL cannot read the service token: token contains an invalid number of segments',
    'SecretUnusable',
  ),
  says('jsonwebtoken', 'JsonWebTokenError: jwt malformed', 'SecretUnusable'),
  says(
    'redis-py',
    'redis.exceptions.AuthenticationError: invalid username-password pair or user is disabled.',
    'CredentialsRejected',
  ),
  says('kubectl', 'error: You must be logged in to the server (Unauthorized)', 'CredentialsRejected'),
  says(
    'google-cloud-pubsub',
    "google.api_core.exceptions.PermissionDenied: 403 Permission 'pubsub.topics.publish' denied on resource (or it may not exist).",
    'AccessForbidden',
    { name: 'pubsub.topics.publish' },
  ),
];
