// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Spring says so
import { type SignCase, says } from '../case.ts';

/** Variables and keys of the configuration that are not there. */
export const configurationCases: readonly SignCase[] = [
  says(
    'Python os.environ',
    'Traceback (most recent call last):\n  File "/app/settings.py", line 4, in <module>\n    DB = os.environ["DATABASE_URL"]\n  File "<frozen os>", line 679, in __getitem__\nKeyError: \'DATABASE_URL\'',
    'VariableMissing',
    { name: 'DATABASE_URL' },
  ),
  says(
    'Ruby ENV.fetch',
    'config/database.rb:3:in `fetch\': key not found: "DATABASE_URL" (KeyError)',
    'VariableMissing',
    { name: 'DATABASE_URL' },
  ),
  says('caarlos0/env', 'env: required environment variable "STRIPE_KEY" is not set', 'VariableMissing', {
    name: 'STRIPE_KEY',
  }),
  says('envconfig', '2026/03/01 10:00:00 required key SMTP_HOST missing value', 'VariableMissing', {
    name: 'SMTP_HOST',
  }),
  says(
    'Spring',
    'Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder \'SPRING_DATASOURCE_URL\' in value "${SPRING_DATASOURCE_URL}"',
    'VariableMissing',
    { name: 'SPRING_DATASOURCE_URL' },
  ),
  says(
    'Spring',
    'java.lang.IllegalArgumentException: Could not resolve placeholder \'cf.api\' in value "${cf.api}"',
    'KeyMissing',
    { name: 'cf.api' },
  ),
  says('bash', '/entrypoint.sh: line 3: BUCKET_NAME: unbound variable', 'VariableMissing', { name: 'BUCKET_NAME' }),
  says('dash', '/start.sh: 3: BUCKET_NAME: parameter not set', 'VariableMissing', { name: 'BUCKET_NAME' }),
  says(
    'crunchy-postgres',
    'Thu Jul 26 17:13:55 UTC 2018 ERROR: PG_PRIMARY_PORT environment variable is not set, aborting.',
    'VariableMissing',
    { name: 'PG_PRIMARY_PORT' },
  ),
  says('Prisma', 'error: Environment variable not found: DATABASE_URL.', 'VariableMissing', { name: 'DATABASE_URL' }),
  says('Node, own check', 'Error: Missing required environment variable: STRIPE_KEY', 'VariableMissing', {
    name: 'STRIPE_KEY',
  }),
  says('Node, own check', 'Error: STRIPE_KEY is not defined', 'VariableMissing', { name: 'STRIPE_KEY' }),
  says('NestJS with Joi', 'Error: Config validation error: "REDIS_HOST" is required', 'VariableMissing', {
    name: 'REDIS_HOST',
  }),
  says(
    'django-environ',
    'django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable',
    'VariableMissing',
    { name: 'SECRET_KEY' },
  ),
  says(
    'python-decouple',
    'decouple.UndefinedValueError: SECRET_KEY not found. Declare it as envvar or define a default value.',
    'VariableMissing',
    { name: 'SECRET_KEY' },
  ),
  says(
    'PostgreSQL image',
    'Error: Database is uninitialized and superuser password is not specified.\n       You must specify POSTGRES_PASSWORD to a non-empty value for the\n       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".',
    'VariableMissing',
    { name: 'POSTGRES_PASSWORD' },
  ),
  says(
    'MySQL image',
    '2026-03-01 10:00:00+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
    'VariableMissing',
  ),
  says('Elixir', '** (RuntimeError) environment variable DATABASE_URL is missing.', 'VariableMissing', {
    name: 'DATABASE_URL',
  }),
  says(
    'Symfony',
    'In EnvVarProcessor.php line 187:  Environment variable not found: "APP_SECRET".',
    'VariableMissing',
    { name: 'APP_SECRET' },
  ),
  says(
    'Quarkus',
    'java.util.NoSuchElementException: SRCFG00011: Could not expand value DB_URL in property quarkus.datasource.jdbc.url',
    'VariableMissing',
    { name: 'DB_URL' },
  ),
  says(
    'Rust',
    "thread 'main' panicked at src/main.rs:9:38:\ncalled `Result::unwrap()` on an `Err` value: NotPresent",
    'VariableMissing',
  ),
  says(
    'Quarkus',
    'java.util.NoSuchElementException: SRCFG00014: The config property payments.url is required but it could not be found in any config source',
    'KeyMissing',
    { name: 'payments.url' },
  ),
  says(
    'Kafka',
    'org.apache.kafka.common.config.ConfigException: Missing required configuration "bootstrap.servers" which has no default value.',
    'KeyMissing',
    { name: 'bootstrap.servers' },
  ),
  says(
    'Akka',
    "com.typesafe.config.ConfigException$Missing: No configuration setting found for key 'payments.url'",
    'KeyMissing',
    { name: 'payments.url' },
  ),
  says(
    'Spring Boot',
    "Failed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.",
    'KeyMissing',
    { name: 'url' },
  ),
  says(
    'ASP.NET Core',
    "Unhandled exception. System.ArgumentNullException: Value cannot be null. (Parameter 'connectionString')",
    'KeyMissing',
    { name: 'connectionString' },
  ),
  says(
    'own check',
    'level=fatal msg="invalid configuration: missing required field \\"listen.address\\""',
    'KeyMissing',
    { name: 'listen.address' },
  ),
  says(
    'pydantic',
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\ndatabase_url\n  Field required [type=missing, input_value={}, input_type=dict]',
    'KeyMissing',
  ),
  says('own check', "fatal: config option 'storage.bucket' is required", 'KeyMissing', { name: 'storage.bucket' }),
  says(
    'ASP.NET Core',
    "System.InvalidOperationException: No connection string named 'Default' could be found in the application configuration.",
    'KeyMissing',
    { name: 'Default' },
  ),
];
