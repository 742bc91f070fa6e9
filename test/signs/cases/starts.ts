import { type SignCase, says } from '../case.ts';

/** Options that a program does not know, data that it cannot begin with, and what the cluster or its machine does not grant. */
export const startCases: readonly SignCase[] = [
  says('Go flag', 'flag provided but not defined: -zap-level\nUsage of /manager:', 'OptionUnknown', {
    name: '-zap-level',
  }),
  says('pflag', 'level=error msg="unknown flag: --trace-server-enable"', 'OptionUnknown', {
    name: '--trace-server-enable',
  }),
  says(
    'JVM',
    "Unrecognized VM option 'UseConcMarkSweepGC'\nError: Could not create the Java Virtual Machine.",
    'OptionUnknown',
    {
      name: 'UseConcMarkSweepGC',
    },
  ),
  says('java launcher', 'Unrecognized option: --add-opens', 'OptionUnknown', { name: '--add-opens' }),
  says('argparse', 'worker: error: unrecognized arguments: --loglevle info', 'OptionUnknown', { name: '--loglevle' }),
  says('clap', "error: unexpected argument '--listen-addr' found", 'OptionUnknown', { name: '--listen-addr' }),
  says('getopt', "memcached: invalid option -- 'z'", 'OptionUnknown', { name: 'z' }),
  says('mysqld', "[ERROR] [MY-000067] [Server] unknown variable 'query_cache_size=16M'.", 'SettingsUnusable', {
    name: 'query_cache_size',
  }),
  says(
    'Authelia',
    `level=error msg="Configuration: invalid configuration key 'host' was replaced"`,
    'SettingsUnusable',
    {
      name: 'host',
    },
  ),
  says('Cherokee', "(critical) virtual_server.c:797 - Virtual Server: Unknown key 'error_writer'", 'SettingsUnusable', {
    name: 'error_writer',
  }),
  says('Traefik', 'command traefik error: field not found, node: accesslogsfile', 'SettingsUnusable', {
    name: 'accesslogsfile',
  }),
  says('Redis', ">>> 'vm-enabled no'\nBad directive or wrong number of arguments", 'SettingsUnusable'),
  says('CoreDNS', '[FATAL] plugin/loop: Seen "HINFO IN 205042." more than twice, loop detected', 'SettingsUnusable'),
  says('dash', '/entrypoint.sh: 14: Syntax error: "fi" unexpected (expecting "then")', 'SettingsUnusable', {
    name: '/entrypoint.sh',
  }),
  says('npm', 'npm error Missing script: "start:prod"', 'KeyMissing', { name: 'start:prod' }),
  says('MongoDB', '{"s":"F","c":"CONTROL","msg":"Wrong mongod version"}', 'DataUnusable'),
  says('initdb', 'initdb: error: directory "/var/lib/postgresql/data" exists but is not empty', 'DataUnusable', {
    name: '/var/lib/postgresql/data',
  }),
  says(
    'Kafka',
    "kafka.common.InconsistentClusterIdException: The Cluster ID A doesn't match stored clusterId B",
    'DataUnusable',
  ),
  says(
    'Lucene',
    'Caused by: org.apache.lucene.index.IndexFormatTooOldException: Format version is not supported',
    'DataUnusable',
  ),
  says(
    'controller-runtime',
    '{"level":"error","msg":"Error running manager","error":"failed to wait for node caches to sync: timed out waiting for cache to be synced"}',
    'CacheNotSynced',
    { name: 'node' },
  ),
  says(
    'controller-runtime',
    'E0101 10:00:00.000000 1 main.go:1] timed out waiting for cache to be synced for Kind *v1.Pod',
    'CacheNotSynced',
  ),
  says('an informer', 'level=fatal msg="timed out waiting for caches to sync"', 'CacheNotSynced'),
  says(
    'controller-runtime',
    '{"level":"error","msg":"Could not wait for Cache to sync","controller":"mariadb"}',
    'CacheNotSynced',
  ),
  says(
    'controller-runtime',
    '{"level":"error","msg":"unable to create controller","error":"no matches for kind \\"PodMonitor\\" in version \\"monitoring.coreos.com/v1\\""}',
    'KindMissing',
    { name: 'PodMonitor' },
  ),
  says(
    'helm',
    'Error: unable to build kubernetes objects: no matches for kind "Certificate" in version "cert-manager.io/v1"',
    'KindMissing',
    { name: 'Certificate' },
  ),
  says(
    'client-go',
    'E0101 10:00:00.000000 1 reflector.go:1] the server could not find the requested resource (get gateways.gateway.networking.k8s.io)',
    'KindMissing',
    { name: 'gateways.gateway.networking.k8s.io' },
  ),
  says('client-go', 'panic: the server could not find the requested resource', 'KindMissing'),
  says(
    'Elasticsearch',
    '[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
    'HostSettingTooLow',
    { name: 'vm.max_map_count' },
  ),
  says(
    'OpenSearch',
    'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low',
    'HostSettingTooLow',
    { name: 'vm.max_map_count' },
  ),
  says(
    'Elasticsearch',
    'ERROR: [1]: max file descriptors [4096] for elasticsearch process is too low, increase to at least [65535]',
    'HostSettingTooLow',
    { name: 'max file descriptors' },
  ),
  says(
    'Elasticsearch',
    '[2]: max number of threads [1024] for user [elasticsearch] is too low, increase to at least [4096]',
    'HostSettingTooLow',
    { name: 'max number of threads' },
  ),
  says('gunicorn', '[2024-01-09 13:24:39 +0000] [1637] [CRITICAL] WORKER TIMEOUT (pid:7214)', 'WorkerTimedOut'),
  says(
    'Puma',
    '[7] ! Terminating timed out worker (Worker 0 failed to check in within 60 seconds): 12',
    'WorkerTimedOut',
  ),
  says('uWSGI', '*** HARAKIRI ON WORKER 1 (pid: 12, try: 1) ***', 'WorkerTimedOut'),
  says('Celery', '[ERROR/MainProcess] Hard time limit (300s) exceeded for shop.tasks.bill[8f1c]', 'WorkerTimedOut'),
  says(
    'NVIDIA device plug-in',
    '2020/05/26 14:26:03 Failed to initialize NVML: could not load NVML library.',
    'ModuleMissing',
    { name: 'NVML' },
  ),
  says(
    '.NET host',
    "You must install or update .NET to run this application.\nFramework: 'Microsoft.NETCore.App', version '8.0.0' (x64)",
    'ModuleMissing',
    { name: 'Microsoft.NETCore.App' },
  ),
  says('Prisma', "Error: Provided schema path `libs/schema.prisma` from `package.json` doesn't exist.", 'FileMissing', {
    name: 'libs/schema.prisma',
  }),
  says('grpc-go', 'rpc error: code = DeadlineExceeded desc = context deadline exceeded', 'ConnectionTimedOut'),
  says('own check', 'level=fatal msg="cannot reach the store: context deadline exceeded"', 'ConnectionTimedOut'),
  says('grpc-go', 'rpc error: code = Unavailable desc = transport is closing', 'ServiceUnavailable'),
  says(
    'grpc-go',
    '{"level":"error","error":"rpc error: code = PermissionDenied desc = caller does not have permission"}',
    'AccessForbidden',
  ),
  says(
    'grpc-java',
    'Exception in thread "main" io.grpc.StatusRuntimeException: UNAUTHENTICATED: bad token',
    'CredentialsRejected',
  ),
  says(
    'grpc-go',
    'rpc error: code = ResourceExhausted desc = grpc: received message larger than max (5244837 vs. 4194304)',
    'RequestRefused',
  ),
  says(
    'grpc-java',
    'io.grpc.StatusRuntimeException: UNAVAILABLE: Unable to resolve host orders-svc',
    'NameNotResolved',
    { target: 'orders-svc' },
  ),
  says(
    'Oracle JDBC',
    'Caused by: oracle.net.ns.NetException: The Network Adapter could not establish the connection',
    'HostUnreachable',
  ),
  says(
    'Celery',
    '[WARNING/MainProcess] consumer: Connection to broker lost. Trying to re-establish the connection...',
    'ConnectionReset',
  ),
  says('sqlx', 'Error: DatabaseError(Conn(SqlxError(PoolTimedOut)))', 'ConnectionTimedOut'),
  says('own check', '2026/03/01 10:00:00 $PORT must be set', 'VariableMissing', { name: 'PORT' }),
  says(
    'Prisma',
    'Error: P1000: Authentication failed against database server at `postgres`, the provided database credentials are not valid.',
    'CredentialsRejected',
    { target: 'postgres' },
  ),
  says('Elasticsearch', '{"level":"ERROR","message":"no such index [orders-2026]"}', 'SchemaMismatch', {
    name: 'orders-2026',
  }),
  says(
    'hvac',
    'hvac.exceptions.Forbidden: permission denied, on get http://vault:8200/v1/secret/data/app',
    'AccessForbidden',
    { target: 'vault:8200' },
  ),
  says(
    'Vault agent',
    '[ERROR] agent.auth.handler: error authenticating:\n  | Code: 403. Errors:\n  |\n  | * permission denied',
    'AccessForbidden',
  ),
];
