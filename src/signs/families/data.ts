import { rowsOf, type SignRow } from '../row.ts';

/** Data that a server finds and cannot begin with: of another version, of another cluster, or there already. */
export const dataRows: readonly SignRow[] = [
  ...rowsOf('DataUnusable', [
    {
      needs: [
        'is not compatible with this version',
        'are incompatible with server',
        'too recent to start',
        'wrong mongod version',
        'upgrade problem',
        'a node from version',
        'cannot boot server version',
        'downgrad',
      ],
      pattern:
        /initialized by PostgreSQL version (?<name>[\d.]{1,12}), which is not compatible|database files are incompatible with server|too recent to start up on the existing data files|Wrong mongod version|UPGRADE PROBLEM|\bcannot (?:upgrade|downgrade) \w|\bdowngrad(?:e|ing) is not supported|Cannot boot server version|downgrade from \d{1,6} to \d{1,6}/,
      source: 'PostgreSQL; MongoDB; Elasticsearch; MySQL 8',
    },
    {
      needs: [
        'exists but is not empty',
        'data directory has files',
        'redo log was created with',
        'is not supported after',
      ],
      pattern:
        /\bdirectory "(?<name>[^"]{1,300})" exists but is not empty|the data directory has files in it|[Rr]edo log was created with|[Uu]pgrade is not supported after a crash/,
      source: 'initdb; mysqld',
    },
    {
      needs: ['cluster', 'system id mismatch', 'bootstrapped'],
      pattern:
        /\b(?:cluster|system) ID mismatch\b|\bCluster ID \S{1,60} doesn't match stored\b|\bInconsistentClusterIdException\b|\bInvalid cluster\.id in\b|\bbelongs to (?:a different|another) cluster\b|\bmember \w{1,40} has already been bootstrapped\b|\bnot be safe to bootstrap the cluster\b/,
      source: 'etcd; Patroni; Kafka: members with the data of another cluster',
    },
    {
      needs: ['corrupt', 'malformed'],
      pattern:
        /\b[Cc]orrupt(?:ed)? (?:\w{1,20} ){0,3}(?:file|data|database|index|log|journal|segment|store|snapshot|page|block|WAL|manifest)\b|\b(?:file|data|database|index|journal|log|segment|store|snapshot|WAL|manifest|table)(?: ["'\w./-]{1,200})? (?:(?:is|was|are|appears to be|seems to be|might be) )?corrupt(?:ed)?\b|\bdatabase disk image is malformed\b/,
      source: 'SQLite; LevelDB, RocksDB; own words of most servers',
    },
    {
      needs: [
        'for a newer',
        'for an older',
        'too high for',
        'too new for',
        'too old for',
        'is higher than',
        'newer than supported',
      ],
      pattern:
        /\bis for an? (?:newer|older) \w|\bis too (?:high|new|old) for (?:the )?(?:running|this|current) \w|\bversion of the data \S{1,40} is higher than|\bnewer than supported\b/,
      source: 'CockroachDB; Gitea; Nextcloud; own checks of many servers',
    },
    {
      // What is on the disk is of another member, another version or another time than what is started.
      needs: [
        'match stored',
        'match the stored',
        'differs from previous',
        'current epoch',
        'bad file format',
        'rdb format',
        'loading the db',
        'database on disk',
        'valid checkpoint',
        'from snapshot',
        'feature flag not enabled',
        'meta.properties',
      ],
      pattern:
        /\b(?:doesn't|does not) match (?:the )?stored\b|\bdiffers from previous\b|\baccepted epoch, \w{1,16} is less than the current epoch\b|\bBad file format reading\b|\bCan't handle RDB format\b|\berror loading the DB\b|\bUnable to load database on disk\b|\bcould not locate a valid checkpoint record\b|\bfailed to recover \w[\w ]{1,40} from snapshot\b|\brequired feature flag not enabled\b|\bNo readable meta\.properties\b/,
      source: 'Kafka; Cassandra; ZooKeeper; Redis; PostgreSQL; etcd; RabbitMQ',
    },
    {
      needs: ['formattoo', 'schema_integrity_check_failed'],
      pattern: /\b(?:Index)?FormatToo(?:Old|New)Exception\b|\bschema_integrity_check_failed\b/i,
      source: 'Lucene; RabbitMQ',
    },
    {
      needs: ['newer version', 'older version'],
      pattern: /\b(?:data(?:base| directory| files)?|snapshot|index|store)\b/i,
      behind: / (?:was|were|is) (?:created|written|made) (?:by|with|in) an? (?:newer|older) version/i,
      source: 'own checks of many servers',
    },
  ]),
];
