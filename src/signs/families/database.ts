import { rowsOf, type SignRow } from '../row.ts';

/** Full pools, locks that somebody holds, and schemas that are not what the program expects. */
export const databaseRows: readonly SignRow[] = [
  {
    kind: 'TooManyConnections',
    needs: [
      'too many clients',
      'connection slots are reserved',
      'too many connections',
      'max_user_connections',
      'clients reached',
      'no more connections allowed',
      'too many open connections',
      'connection limit exceeded',
      'query_wait_timeout',
    ],
    pattern:
      /sorry, too many clients already|remaining connection slots are reserved|too many connections(?: for (?:role|database) "(?<name>[^"]{1,80})")?|max_user_connections|max number of clients reached|no more connections allowed|too many open connections|connection limit exceeded|\bquery_wait_timeout\b/i,
    source: 'PostgreSQL; MySQL 1040 and 1226; Redis; PgBouncer; MongoDB',
  },
  {
    kind: 'TooManyConnections',
    needs: [
      'queuepool limit',
      'from the connection pool',
      'obtaining a connection from the pool',
      'connection pool has been exhausted',
      'could not obtain a connection from the pool',
      'connection pool timeout',
      'acquiring a connection',
      'dropped from queue',
    ],
    pattern:
      /QueuePool limit of size|fetching a new connection from the connection pool|prior to obtaining a connection from the pool|connection pool has been exhausted|could not obtain a connection from the pool|ResourceRequest timed out|Timeout acquiring a connection|request was dropped from queue after \d{1,9}ms/,
    source: 'SQLAlchemy; Prisma P2024; SqlClient; Npgsql; ActiveRecord; knex; DBConnection (Ecto)',
  },
  {
    kind: 'TooManyConnections',
    needs: ['connection is not available, request timed out'],
    // Connections there are, and all in use; with none (total=0) it cannot connect at all.
    pattern:
      /Connection is not available, request timed out after \d{1,9}ms \(total=[1-9]\d{0,5}, active=[1-9]\d{0,5}, idle=0/,
    source: 'HikariCP 5',
  },
  ...rowsOf('LockHeld', [
    {
      needs: ['change log lock', 'changelog lock'],
      pattern:
        /Could not acquire change log lock\. {1,2}Currently locked by (?<name>[^\s(]{1,253})|Waiting for changelog lock/,
      source: 'Liquibase StandardLockService',
    },
    {
      needs: ['flyway', 'acquire lock', 'advisory lock', 'state lock', 'obtain lock'],
      pattern:
        /\b(?:[Uu]nable to|[Cc]an(?:'|no)t|[Ff]ailed to) (?:acquire|obtain|get) (?:[\w'/.-]{1,40} ){0,4}lock\b|Error acquiring the state lock|could not obtain lock on|[Tt]imeout: can't acquire database lock/,
      source: 'Flyway; golang-migrate; Prisma P1002; Terraform; Kafka; PostgreSQL',
    },
    {
      needs: [
        'failed to obtain node lock',
        'unable to lock',
        'lock file',
        'lock db directory',
        '/lock: ',
        'dbpathinuse',
        'error: 11',
        'failed to acquire lock',
        'already locked',
        'may be already in use',
      ],
      pattern:
        /failed to obtain node locks?|[Uu]nable to lock (?:the lock file|\S{1,200})|lock file "(?<name>[^"]{1,300})" already exists|lock DB directory|\block (?<name>\/\S{1,300}\/LOCK): |DBPathInUse|Database may be already in use/,
      source: 'Elasticsearch; InnoDB; MongoDB; PostgreSQL; Prometheus; LevelDB; H2',
    },
    {
      needs: [
        'database is locked',
        'lock wait timeout',
        'lock timeout',
        'server is already running',
        'concurrentmigration',
        'operation (install/upgrade/rollback)',
        'another instance',
        'already running with pid',
      ],
      pattern:
        /\bdatabase (?:table )?is locked\b|Lock wait timeout exceeded|canceling statement due to lock timeout|[Aa] server is already running(?:\. Check (?<name>\S{1,300}?)\.?(?:$|\s)| \(pid: \d{1,10}, file: (?<name>[^\s)]{1,300}))|ConcurrentMigrationError|another operation \(install\/upgrade\/rollback\) is in progress/,
      source: 'SQLite; MySQL 1205; PostgreSQL; Rails; Helm',
    },
    {
      needs: ['another ', 'cannot lock', 'already locked', 'already running'],
      pattern:
        /\b[Aa]nother (?:[\w-]{1,20} ){0,3}(?:instance|process|server|copy)\b.{0,60}\b(?:already running|is running|is using|already using|uses this)\b|\b(?:already |been )?locked by another (?:process|server|instance)\b|\bis already locked\b|\bis already running\b.{0,60}\bPID\b|\b[Cc]annot lock file (?<name>\/\S{1,300}?)\.?(?= |$)/,
      source: 'what most programs say that find their directory in use, in nearly the same words',
    },
  ]),
  ...rowsOf('SchemaMismatch', [
    {
      needs: ['relation "', 'column ', 'type "', 'schema "', 'function '],
      pattern:
        /\b(?:relation|type|schema) "(?<name>[^"]{1,128})" (?:does not exist|already exists)|column "?(?<name>[\w."]{1,128}?)"?(?: of relation "[^"]{1,128}")? (?:does not exist|(?:already )?exists)/,
      source: 'PostgreSQL ERRCODE_UNDEFINED_TABLE, _COLUMN, _OBJECT',
    },
    {
      needs: ['database "', 'unknown database', 'cannot open database', 'could not find your database'],
      pattern:
        /\bdatabase "(?<name>[^"]{1,128})" does not exist|Unknown database '(?<name>[^']{1,128})'|Cannot open database "(?<name>[^"\s]{1,128})" requested|We could not find your database: (?<name>[\w-]{1,128})/,
      source: 'PostgreSQL; MySQL 1049; SQL Server 4060; ActiveRecord',
    },
    {
      needs: [
        "doesn't exist",
        'unknown column',
        'no such table',
        'no such column',
        'invalid object name',
        'invalid column name',
        'ora-00942',
        'does not exist in the current database',
      ],
      pattern:
        /\bTable '(?<name>[^']{1,200})' doesn't exist|[Uu]nknown column ['"](?<name>[^'"]{1,128})['"]|no such (?:table|column)\b(?:: (?<name>[\w.]{1,128}))?|Invalid (?:object|column) name '(?<name>[^']{1,128})'|ORA-00942: |The (?:table|column) `(?<name>[^`]{1,128})` does not exist in the current database/,
      source: 'MySQL 1146 and 1054; SQLite; SQL Server 207 and 208; Oracle; Prisma P2021',
    },
    {
      needs: [
        'flyway',
        'validate failed',
        'migration checksum',
        'detected failed migration',
        'check sum',
        'schema history',
        'contains a failed migration',
        'migration v',
      ],
      pattern:
        /\bMigration V?\d[\w.]{0,80} failed\b|Validate failed: |[Mm]igration checksum mismatch|Detected (?:failed|applied|resolved) migration|\bcontains a failed migration|change ?sets? check ?sum|Found non-empty schema\(s\)/i,
      source: 'Flyway; Liquibase',
    },
    {
      needs: [
        'dirty database version',
        'no migration found for version',
        'migrations are pending',
        'pendingmigrationerror',
        'schema-validation',
        'p3009',
        'failed migrations in the target',
        "can't locate revision",
        'database is not up to date',
        'unapplied migration',
        'pending migration',
        'missing in the resolved migrations',
      ],
      pattern:
        /Dirty database version (?<name>\d{1,20})|no migration found for version|Migrations are pending|PendingMigrationError|Schema-validation: (?:missing|wrong) (?:table|column|sequence)(?: type encountered in column)? \[(?<name>[^\]]{1,128})\]|found failed migrations in the target database|\b(?:still|are|has|have|found) (?:\d{1,5} )?(?:unapplied|pending) migrations?\b|Can't locate revision identified by|Target database is not up to date|missing in the resolved migrations/,
      source: 'golang-migrate; Rails; Hibernate; Prisma P3009; Alembic; sqlx',
    },
    {
      needs: [
        'initialize the database',
        'needs bootstrapping',
        'schema version',
        'not initialized',
        'not been initialized',
        'not been migrated',
      ],
      pattern:
        /\bneed to initiali[sz]e the database\b|\b[Dd]atabase (?:needs bootstrapping|(?:has|is) not (?:been )?(?:initiali[sz]ed|migrated))|\bschema version (?:compatibility check failed|mismatch)/,
      source: 'Airflow; Kong; Temporal',
    },
    {
      needs: ['waiting for'],
      pattern: /\b[Ww]aiting for (?:the )?(?:(?:database|db|schema) )?migrations?\b(?: (?<name>[\w.-]{1,128}))?/,
      source: 'Airflow; own checks of many programs in init containers',
    },
    {
      needs: ['index_not_found_exception', 'no such index'],
      pattern: /\bno such index \[(?<name>[^\][\s]{1,200})\]/,
      source: 'Elasticsearch, OpenSearch',
    },
  ]),
];
