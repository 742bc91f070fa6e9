import type { SignRow } from '../row.ts';

/** Data that a server finds and cannot begin with: of another version, of another cluster, or there already. */
export const dataRows: readonly SignRow[] = [
  {
    kind: 'DataUnusable',
    needs: [
      'is not compatible with this version',
      'are incompatible with server',
      'too recent to start',
      'wrong mongod version',
      'upgrade problem',
      'a node from version',
      'cannot boot server version',
      'downgrade from',
    ],
    pattern:
      /initialized by PostgreSQL version (?<name>[\d.]{1,12}), which is not compatible|database files are incompatible with server|too recent to start up on the existing data files|Wrong mongod version|UPGRADE PROBLEM|cannot (?:upgrade|downgrade) a node from version|Cannot boot server version|downgrade from \d{1,6} to \d{1,6}/,
    source: 'PostgreSQL; MongoDB; Elasticsearch; MySQL 8',
  },
  {
    kind: 'DataUnusable',
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
    kind: 'DataUnusable',
    needs: ['cluster', 'system id mismatch', 'bootstrapped'],
    pattern:
      /\b(?:cluster|system) ID mismatch\b|\bCluster ID \S{1,60} doesn't match stored\b|\bInconsistentClusterIdException\b|\bInvalid cluster\.id in\b|\bbelongs to (?:a different|another) cluster\b|\bmember \w{1,40} has already been bootstrapped\b/,
    source: 'etcd; Patroni; Kafka: members with the data of another cluster',
  },
  {
    kind: 'DataUnusable',
    needs: ['formattoo', 'schema_integrity_check_failed', 'newer version', 'older version'],
    pattern:
      /\b(?:Index)?FormatToo(?:Old|New)Exception\b|\bschema_integrity_check_failed\b|\b(?:data(?:base| directory| files)?|snapshot|index|store)\b.{0,60} (?:was|were|is) (?:created|written|made) (?:by|with|in) an? (?:newer|older|incompatible) version/i,
    source: 'Lucene; RabbitMQ; own checks of many servers',
  },
];
