import { rowsOf, type SignRow } from '../row.ts';

/** What servers that are up answer, in words of their own, to requests that they do not take: their clients pass it on. */
export const serverRows: readonly SignRow[] = [
  ...rowsOf('RequestRefused', [
    {
      needs: [
        'read-only transaction',
        'readonly you can',
        '--read-only option',
        '--super-read-only',
        'not writable primary',
        'notwritableprimary',
        'not master',
      ],
      pattern:
        /cannot execute [A-Z][A-Z ]{1,40} in a read-only transaction|READONLY You can'?t write against a read.only replica|MySQL server is running with the --(?:super-)?read-only option|\bnot writable primary\b|\bNotWritablePrimary\b|\bnot master and slaveOk=false\b/,
      source: 'PostgreSQL ERRCODE_READ_ONLY_SQL_TRANSACTION; Redis; MySQL 1290; MongoDB 10107: they ask a replica',
    },
    {
      needs: [
        'to avoid wraparound data loss',
        'is blocked because of many connection errors',
        'too many parts',
        'database space exceeded',
        'flood-stage',
        'flood stage',
        'cluster_block_exception',
      ],
      pattern:
        /not accepting commands (?:that assign new \w{1,20} )?to avoid wraparound data loss|Host '[^']{1,253}' is blocked because of many connection errors|\bToo many parts \(\d|\bdatabase space exceeded\b|exceeded flood-stage watermark|\bcluster_block_exception\b/,
      source:
        'PostgreSQL varsup.c; MySQL ER_HOST_IS_BLOCKED; ClickHouse TOO_MANY_PARTS; etcd NOSPACE; Elasticsearch, OpenSearch',
    },
    {
      needs: [
        'maximum bytes exceeded',
        'maximum messages exceeded',
        'insufficient storage resources',
        'insufficient resources',
        'oom command not allowed',
        'misconf redis',
        'broker: disk',
        'connection.blocked',
      ],
      pattern:
        /\bmaximum (?:bytes|messages) exceeded\b|\binsufficient (?:storage )?resources available\b|\bOOM command not allowed when used memory\b|\bMISCONF Redis is configured to save RDB snapshots\b|\bconnection\.blocked\b/,
      source: 'NATS JetStream 10077, 10047; Redis; RabbitMQ: what they hold is full',
    },
    {
      // The words are those of the server's own disk or memory: what the client mounts has nothing to do with it.
      needs: [
        'could not resize shared',
        'could not extend file',
        'could not write to file',
        'could not write block',
        'sqlstate 53',
        'diskfull',
        'from storage engine',
      ],
      pattern:
        /(?:\bpq: |\bPSQLException: ERROR: |\bPG::\w{3,40}: ERROR: {1,2}|\berrors\.(?:DiskFull|OutOfMemory)\w{0,10}: |\bDiskFullError: |\bNpgsql\.PostgresException[^:]{0,30}: \w{5}: )(?:could not (?:resize shared memory segment|extend file|write to file|write block)|out of shared memory)|\(SQLSTATE 53[12]00\)|\bGot error (?:28|122) (?:- '[^']{1,60}' )?from storage engine/,
      source:
        'PostgreSQL class 53 (insufficient resources) as its clients pass it on; MySQL ER_GET_ERRNO with ENOSPC, EDQUOT',
    },
    {
      needs: ['is not allowed to connect to this', 'nosuchbucket', 'specified bucket does not exist'],
      pattern:
        /\bHost '[^']{1,253}' is not allowed to connect to this M\w{3,7} server|\bNoSuchBucket\b|\bspecified bucket does not exist\b/,
      source: 'MySQL ER_HOST_NOT_PRIVILEGED; Amazon S3 and what speaks like it',
    },
  ]),
  {
    kind: 'ServiceUnavailable',
    needs: ['masterdown link'],
    pattern: /\bMASTERDOWN Link with MASTER is down\b/,
    source: 'Redis: a replica that has lost its master',
  },
  {
    kind: 'ServiceUnavailable',
    needs: [
      'clusterdown',
      'no cluster leader',
      'master_not_discovered',
      'too many unhealthy instances in the ring',
      'live replicas required',
      'replicasetnoprimary',
      'no leader',
    ],
    pattern:
      /\bCLUSTERDOWN (?:Hash slot not served|The cluster is down)|\bNo cluster leader\b|\bmaster_not_discovered_exception\b|\btoo many unhealthy instances in the ring\b|\bat least \d{1,3} live replicas required\b|\betcdserver: no leader\b/,
    source: 'Redis Cluster; Consul; Elasticsearch; Loki, Mimir and Tempo; etcd: members are missing',
  },
  {
    kind: 'RequestRefused',
    needs: [
      "_password' is not loaded",
      "_password' could not be",
      "_password' cannot be",
      'unknown to the client',
      'public key retrieval',
    ],
    pattern:
      /\b[Pp]lugin '\w{3,40}_password' (?:is not loaded|(?:could not|cannot) be loaded)|\bauthentication method unknown to the client|\bPublic Key Retrieval is not allowed\b/,
    source: 'MySQL 1524, 2059 and its clients: the server wants another way to log in',
  },
  {
    kind: 'ServiceUnavailable',
    needs: ['internal_error - ', 'resource_error - ', 'connection_forced - '],
    pattern: /\b(?:INTERNAL|RESOURCE)_ERROR - |\bCONNECTION_FORCED - /,
    source: 'AMQP 0-9-1 reply codes 541, 506 and 320: RabbitMQ cannot, whoever asks',
  },
  {
    kind: 'RequestRefused',
    needs: ['realm does not exist', 'rbac: access denied', 'invalid role name'],
    pattern: /\bRealm does not exist\b|\bRBAC: access denied\b|\binvalid role name "/,
    source: 'Keycloak; Envoy RBAC filter (Istio AuthorizationPolicy); Vault auth methods',
  },
];
