import { type SignCase, says } from '../case.ts';

/** What the kernel does not give: files, room, addresses. */
export const fileCases: readonly SignCase[] = [
  says(
    'Go runtime',
    'runtime: failed to create new OS thread (have 9 already; errno=11)\nfatal error: newosproc',
    'TooManyProcesses',
  ),
  says(
    'JVM',
    'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
    'TooManyProcesses',
  ),
  says('Python', "RuntimeError: can't start new thread", 'TooManyProcesses'),
  says('bash', 'bash: fork: retry: Resource temporarily unavailable', 'TooManyProcesses'),
  says('nginx', 'nginx: [alert] fork() failed (11: Resource temporarily unavailable)', 'TooManyProcesses'),
  says(
    'OpenBLAS',
    'OpenBLAS blas_thread_init: pthread_create failed: Resource temporarily unavailable',
    'TooManyProcesses',
  ),
  says('Go os', 'open /data/state.db: permission denied', 'PermissionDenied', { name: '/data/state.db' }),
  says('Node', "Error: EACCES: permission denied, open '/app/logs/app.log'", 'PermissionDenied', {
    name: '/app/logs/app.log',
  }),
  says('Python', "PermissionError: [Errno 13] Permission denied: '/var/lib/app'", 'PermissionDenied', {
    name: '/var/lib/app',
  }),
  says('Java', 'java.io.FileNotFoundException: /var/log/app.log (Permission denied)', 'PermissionDenied', {
    name: '/var/log/app.log',
  }),
  says('Java nio', 'java.nio.file.AccessDeniedException: /usr/share/elasticsearch/data/nodes', 'PermissionDenied', {
    name: '/usr/share/elasticsearch/data/nodes',
  }),
  says('BusyBox mkdir', "mkdir: can't create directory '/data/cache': Permission denied", 'PermissionDenied', {
    name: '/data/cache',
  }),
  says('.NET', "System.UnauthorizedAccessException: Access to the path '/app/keys' is denied.", 'PermissionDenied', {
    name: '/app/keys',
  }),
  says('Ruby', 'Permission denied @ rb_sysopen - /app/log/production.log (Errno::EACCES)', 'PermissionDenied', {
    name: '/app/log/production.log',
  }),
  says(
    'PHP',
    'PHP Warning:  file_put_contents(/var/www/storage/logs/laravel.log): Failed to open stream: Permission denied in /var/www/vendor/x.php on line 5',
    'PermissionDenied',
    { name: '/var/www/storage/logs/laravel.log' },
  ),
  says(
    'nginx',
    'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)',
    'PermissionDenied',
    { name: '/var/cache/nginx/client_temp' },
  ),
  says('nginx', 'nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)', 'PermissionDenied', {
    name: '0.0.0.0:80',
  }),
  says('Go net', 'listen tcp :443: bind: permission denied', 'PermissionDenied', { name: ':443' }),
  says('runc', 'exec /entrypoint.sh: permission denied', 'PermissionDenied', { name: '/entrypoint.sh' }),
  says(
    'GNU chown',
    "chown: changing ownership of '/var/lib/postgresql/data': Operation not permitted",
    'PermissionDenied',
    { name: '/var/lib/postgresql/data' },
  ),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [1] FATAL:  data directory "/var/lib/postgresql/data" has invalid permissions',
    'PermissionDenied',
    { name: '/var/lib/postgresql/data' },
  ),
  says('Go os', 'mkdir /app/tmp: read-only file system', 'ReadOnlyFileSystem', { name: '/app/tmp' }),
  says('Python', "OSError: [Errno 30] Read-only file system: '/app/static'", 'ReadOnlyFileSystem', {
    name: '/app/static',
  }),
  says('Node', "Error: EROFS: read-only file system, mkdir '/app/.next/cache'", 'ReadOnlyFileSystem', {
    name: '/app/.next/cache',
  }),
  says('Java', 'java.nio.file.FileSystemException: /tmp/tomcat.8080: Read-only file system', 'ReadOnlyFileSystem', {
    name: '/tmp/tomcat.8080',
  }),
  says('BusyBox touch', 'touch: /etc/app/ready: Read-only file system', 'ReadOnlyFileSystem', {
    name: '/etc/app/ready',
  }),
  says('Node', "[error] Error: ESTALE: stale file handle, scandir '/data/albums'", 'FileSystemFailing', {
    name: '/data/albums',
  }),
  says('Python', "OSError: [Errno 116] Stale file handle: '/data/queue'", 'FileSystemFailing', { name: '/data/queue' }),
  says('Java', 'java.nio.file.FileSystemException: /data/runs: Stale file handle', 'FileSystemFailing', {
    name: '/data/runs',
  }),
  says('Java', 'java.io.IOException: Input/output error', 'FileSystemFailing'),
  says(
    'PostgreSQL',
    'PANIC:  could not fdatasync file "000000010000000A000000C4": Input/output error',
    'FileSystemFailing',
    { name: '000000010000000A000000C4' },
  ),
  says('Go os, s3fs', 'stat /mnt/bucket: transport endpoint is not connected', 'FileSystemFailing', {
    name: '/mnt/bucket',
  }),
  says('Node', "Error: EIO: i/o error, write '/data/db.sqlite'", 'FileSystemFailing', { name: '/data/db.sqlite' }),
  says('Go os', 'write /data/wal/00000123: no space left on device', 'NoSpaceLeft', { name: '/data/wal/00000123' }),
  says('Python', "OSError: [Errno 28] No space left on device: '/tmp/upload'", 'NoSpaceLeft', { name: '/tmp/upload' }),
  says('Node', 'Error: ENOSPC: no space left on device, write', 'NoSpaceLeft'),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [1] FATAL:  could not write lock file "postmaster.pid": No space left on device',
    'NoSpaceLeft',
    { name: 'postmaster.pid' },
  ),
  says(
    'Elasticsearch',
    '[WARN ][o.e.c.r.a.DiskThresholdMonitor] flood stage disk watermark [95%] exceeded on [x], all indices on this node will be marked read-only',
    'NoSpaceLeft',
  ),
  says('Java', 'java.io.IOException: No space left on device', 'NoSpaceLeft'),
  says('Go net', 'listen tcp :8080: bind: address already in use', 'AddressInUse', { name: ':8080' }),
  says('Node', 'Error: listen EADDRINUSE: address already in use :::3000', 'AddressInUse', { name: ':::3000' }),
  says('nginx', 'nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)', 'AddressInUse', {
    name: '0.0.0.0:80',
  }),
  says('Spring Boot', 'Web server failed to start. Port 8080 was already in use.', 'AddressInUse', { name: '8080' }),
  says('gunicorn', "[2026-03-01 10:00:00 +0000] [7] [ERROR] Connection in use: ('0.0.0.0', 8000)", 'AddressInUse', {
    name: '8000',
  }),
  says(
    'Kestrel',
    'System.IO.IOException: Failed to bind to address http://[::]:8080: address already in use.',
    'AddressInUse',
    { name: 'http://[::]:8080' },
  ),
  says(
    'Redis',
    '1:M 01 Mar 2026 10:00:00.000 # Warning: Could not create server TCP listening socket *:6379: bind: Address already in use',
    'AddressInUse',
    { name: '*:6379' },
  ),
  says('Ruby Puma', 'Address already in use - bind(2) for "0.0.0.0" port 3000 (Errno::EADDRINUSE)', 'AddressInUse', {
    name: '3000',
  }),
  says(
    'Envoy',
    "[critical][main] error initializing config: cannot bind '0.0.0.0:80': Address already in use",
    'AddressInUse',
    { name: '0.0.0.0:80' },
  ),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [1] LOG:  could not bind IPv4 address "0.0.0.0": Address already in use',
    'AddressInUse',
    { name: '0.0.0.0' },
  ),
  says('runc', 'exec /app/server: exec format error', 'ExecFormat', { name: '/app/server' }),
  says('older runc', 'standard_init_linux.go:228: exec user process caused: exec format error', 'ExecFormat'),
  says(
    'bash',
    '/entrypoint.sh: line 7: /usr/local/bin/app: cannot execute binary file: Exec format error',
    'ExecFormat',
  ),
  says('Go os/exec', 'fork/exec /usr/local/bin/helper: exec format error', 'ExecFormat', {
    name: '/usr/local/bin/helper',
  }),
  says('Go', 'accept tcp [::]:8080: accept4: too many open files; retrying in 5ms', 'TooManyOpenFiles'),
  says('Node', "Error: EMFILE: too many open files, open '/app/views/a.html'", 'TooManyOpenFiles'),
  says('Java', 'java.io.IOException: Too many open files', 'TooManyOpenFiles'),
  says(
    'Node watch',
    "Error: ENOSPC: System limit for number of file watchers reached, watch '/app'",
    'TooManyOpenFiles',
  ),
  says(
    '.NET',
    'System.IO.IOException: The configured user limit (128) on the number of inotify instances has been reached',
    'TooManyOpenFiles',
  ),
  // fsnotify 1.7 backend_inotify.go and what wraps it: ENOSPC of inotify_add_watch is the limit of watches.
  says('Go fsnotify', 'failed to create fsnotify watcher: too many open files', 'TooManyOpenFiles'),
  says('Go fsnotify', 'error creating fsnotify watcher: no space left on device', 'TooManyOpenFiles'),
  says('Go fsnotify', 'fsnotify.NewWatcher: no space left on device', 'TooManyOpenFiles'),
  says(
    'google-auth',
    'google.auth.exceptions.DefaultCredentialsError: File /var/secrets/google/key.json was not found.',
    'FileMissing',
    { name: '/var/secrets/google/key.json' },
  ),
  says(
    'nginx',
    'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/conf.d/default.conf:12',
    'SettingsUnusable',
    { name: '/etc/nginx/conf.d/default.conf' },
  ),
  says(
    'CoreDNS',
    "/etc/coredns/Corefile:12 - Error during parsing: Unknown directive 'k8s_gateway'",
    'SettingsUnusable',
    { name: '/etc/coredns/Corefile' },
  ),
  says(
    'HAProxy',
    "[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:23] : unknown keyword 'optoin' in 'defaults' section",
    'SettingsUnusable',
    { name: '/usr/local/etc/haproxy/haproxy.cfg' },
  ),
  says(
    'NATS',
    "nats-server: /etc/nats-config/nats.conf:17:2: Parse error on line 17: 'Expected a map value terminator'",
    'SettingsUnusable',
    { name: '/etc/nats-config/nats.conf' },
  ),
  says(
    'Fluent Bit',
    '[2026/03/01 10:00:00] [error] [config] file=/fluent-bit/etc/fluent-bit.conf line=21 undefined value',
    'SettingsUnusable',
    { name: '/fluent-bit/etc/fluent-bit.conf' },
  ),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [1] FATAL:  configuration file "/etc/postgresql/postgresql.conf" contains errors',
    'SettingsUnusable',
    { name: '/etc/postgresql/postgresql.conf' },
  ),
  says(
    'Alertmanager',
    'ts=2026-03-01T10:00:00.055Z caller=coordinator.go:118 level=error component=configuration msg="Loading configuration file failed" file=/etc/alertmanager/config/alertmanager.yaml err="undefined receiver \\"pager\\" used in route"',
    'SettingsUnusable',
    { name: '/etc/alertmanager/config/alertmanager.yaml' },
  ),
  says(
    'Prometheus',
    'ts=2026-03-01T10:00:00.584Z caller=main.go:471 level=error msg="Error loading config (--config.file=/etc/config/prometheus.yml)" err="yaml: unmarshal errors: line 3: field honor_timestamp not found"',
    'SettingsUnusable',
    { name: '/etc/config/prometheus.yml' },
  ),
  says('Loki', 'failed parsing config: /etc/loki/local-config.yaml: yaml: unmarshal errors:', 'SettingsUnusable', {
    name: '/etc/loki/local-config.yaml',
  }),
  says(
    'Dex',
    'Fatal: error while reading config file /etc/dex/cfg/config.yaml: error unmarshaling JSON: unknown field "foo"',
    'SettingsUnusable',
    { name: '/etc/dex/cfg/config.yaml' },
  ),
  says(
    'PyYAML',
    'yaml.scanner.ScannerError: mapping values are not allowed here in "/app/config/settings.yaml", line 3, column 9',
    'SettingsUnusable',
    { name: '/app/config/settings.yaml' },
  ),
];
