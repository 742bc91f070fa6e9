/** What looks like a sign and is none: what it is, and its lines. */
export const lookAlikes: readonly (readonly [what: string, ...lines: string[]])[] = [
  ['information in logfmt', 'level=info msg="retrying connection refused handler registered"'],
  ['information in JSON', '{"level":"info","msg":"circuit breaker configured","on":"connection refused"}'],
  ['information of pino', '{"level":30,"time":1700000000000,"msg":"will retry ECONNREFUSED and ETIMEDOUT"}'],
  [
    'information of log4j',
    '2026-03-01 10:00:00 INFO  RetryPolicy - retryable: java.net.ConnectException: Connection refused',
  ],
  ['debug output', 'DEBUG lookup db on 10.96.0.10:53: no such host'],
  ['debug output of zap', '{"level":"debug","msg":"dial tcp 10.0.0.5:5432: connect: connection refused"}'],
  [
    'debug output of slog',
    'time=2026-03-01T10:00:00Z level=DEBUG msg="open /etc/app/local.yaml: no such file or directory"',
  ],
  [
    'a healthy start',
    '{"level":"info","msg":"listening on :8080"}',
    'ready to accept connections',
    'error_count=0',
    'no panic',
    '0 errors',
  ],
  [
    'a path in an access log',
    '10.1.0.3 - - [01/Mar/2026:10:00:00 +0000] "GET /timeout HTTP/1.1" 200 12 "-" "curl/8.0"',
  ],
  [
    'a query in an access log',
    '10.1.0.3 - - [01/Mar/2026:10:00:00 +0000] "GET /docs?q=connection+refused HTTP/1.1" 200 12',
  ],
  [
    'a missing page in an access log',
    '10.1.0.3 - - [01/Mar/2026:10:00:00 +0000] "GET /favicon.ico HTTP/1.1" 404 153 "-" "Mozilla/5.0"',
  ],
  [
    'a refused user in an access log',
    '10.1.0.3 - - [01/Mar/2026:10:00:00 +0000] "GET /admin HTTP/1.1" 401 12 "-" "curl/8.0"',
  ],
  [
    'nginx, asked for what is not there',
    '2026/03/01 10:00:00 [error] 29#29: *1 open() "/usr/share/nginx/html/favicon.ico" failed (2: No such file or directory), client: 10.1.0.3, server: localhost, request: "GET /favicon.ico HTTP/1.1", host: "shop"',
  ],
  ['express-jwt, a visitor without a session', 'UnauthorizedError: jwt expired'],
  ['a passed test', '--- PASS: TestDial/connection_refused (0.00s)'],
  ['a passed test of Jest', '    ✓ answers 503 on connection refused (12 ms)'],
  ['a running test', '=== RUN   TestLookup: no such host'],
  ['a frame of Java', '\tat com.example.ConnectionRefusedHandler.handle(ConnectionRefusedHandler.java:12)'],
  ['a frame of Python', '  File "/app/permission_denied.py", line 3, in panic'],
  ['a frame of Go', '\t/src/panic.go:12 +0x1d'],
  [
    'PostgreSQL, turning a client away',
    '2026-03-01 10:00:00.000 UTC [71] FATAL:  password authentication failed for user "app"',
  ],
  ['PostgreSQL, full', '2026-03-01 10:00:00.000 UTC [71] FATAL:  sorry, too many clients already'],
  [
    'PostgreSQL, asked for a table',
    '2026-03-01 10:00:00.000 UTC [71] ERROR:  relation "users" does not exist at character 15',
  ],
  [
    'PostgreSQL, left by a client',
    '2026-03-01 10:00:00.000 UTC [71] LOG:  could not receive data from client: Connection reset by peer',
  ],
  [
    'MySQL, turning a client away',
    "2026-03-01T10:00:00.000000Z 12 [Note] [MY-010926] [Server] Access denied for user 'app'@'10.1.0.3' (using password: YES)",
  ],
  [
    'RabbitMQ, turning a client away',
    "2026-03-01 10:00:00.000 [error] <0.700.0> PLAIN login refused: user 'app' - invalid credentials",
  ],
  [
    'a Go server, distrusted by a client',
    '2026/03/01 10:00:00 http: TLS handshake error from 10.1.0.3:41234: remote error: tls: bad certificate',
  ],
  [
    'a Go server, left by a client',
    '2026/03/01 10:00:00 http: TLS handshake error from 10.1.0.3:41234: read tcp 10.244.1.7:8443->10.1.0.3:41234: read: connection reset by peer',
  ],
  ['a variable with a default', 'WARN LOG_LEVEL is not set, using info'],
  ['a variable with a default', 'CACHE_TTL is not set, defaulting to 60s'],
  ['an optional variable', 'level=warn msg="environment variable SENTRY_DSN is not set, error reporting disabled"'],
  ['a time of day', '12:30:45 ready'],
  ['a word of prose', 'This build does not panic any more'],
  ['help of a program', '      --timeout duration   how long to wait before a connection timed out is retried'],
  ['a retry that names a kind', 'retryOn: [ConnectionRefused, ETIMEOUT]'],
  ['nothing', '', '   ', '\u001b[0m'],
  [
    'settings printed at the start',
    'HTTP client: base=http://api:8080 timeout=30s retries=3',
    'Using backend http://orders:8080 (connect timeout 5s, read timeout 30s)',
    'Error tracking enabled: endpoint=https://o123.ingest.sentry.io/456',
    'starting server on :8080, upstream=http://users:3000, on error fall back to cache',
  ],
  [
    'a connection that is there again',
    'Connection to db:5432 established after 2 failed attempts',
    'Reconnected to redis:6379 after connection was lost',
  ],
  [
    'a client that a server turned away',
    `2026/03/01 10:00:00 [error] 29#29: *7 access forbidden by rule, client: 10.1.1.1, server: shop.example, request: "GET /.env HTTP/1.1", host: "shop:8443"`,
    `Access to fetch at 'https://api.shop.example/v1' from origin 'https://shop.example' has been blocked by CORS policy`,
  ],
  [
    'a token of a visitor',
    'JsonWebTokenError: jwt malformed\n    at module.exports (/app/node_modules/jsonwebtoken/verify.js:70:17)',
  ],
  [
    'a trace of what a visitor did wrong',
    '2026-03-01 10:00:00 | ERR | Exception while checking access rights',
    'Traceback (most recent call last):',
    '  File "./auth.py", line 55, in forge_from_authorization_header',
    'jwt.exceptions.ExpiredSignatureError: Signature has expired',
  ],
  [
    'Tomcat, left by a client',
    '180112 16:27:02,932 ERROR [Server] An exception occured writing the response entity',
    'org.apache.catalina.connector.ClientAbortException: java.io.IOException: Connection reset by peer',
  ],
  [
    'a certificate of a visitor',
    'E0518 02:23:06.266875 1 authentication.go:63] "Unable to authenticate the request" err="[x509: certificate has expired or is not yet valid]"',
  ],
  ['a user of the program', "Login failed for user 'bob@example.com'."],
  ['a visitor by his address', '2026-03-01 10:00:00 ERROR [web] 401 Unauthorized: invalid API key from 203.0.113.9'],
  ['help', 'If you see "connection refused", check that REDIS_URL is set and that redis:6379 is reachable.'],
  [
    'an option that is passed over',
    'WARN Unrecognized configuration key "a.b" was provided; it will be ignored',
    'Option --logtostderr is deprecated and will be removed',
    'ERROR unknown option --x: ignored',
    'OpenJDK 64-Bit Server VM warning: Ignoring option MaxPermSize; support was removed in 8.0',
  ],
  [
    'an entry script that looks for a file',
    "ls: cannot access '/docker-entrypoint-initdb.d/': No such file or directory",
  ],
  [
    'a server that was reached at the second attempt',
    'nc: connect to db port 5432 (tcp) failed: Connection refused',
    'wait-for-it.sh: db:5432 is available after 3 seconds',
  ],
  [
    'a program that has started since',
    '{"level":"warn","msg":"readiness check failed, will try again","error":"dial tcp 10.96.3.9:6379: connect: connection refused"}',
    '{"level":"info","msg":"server listening","addr":":8080"}',
  ],
  ['a variable that is only missed', 'WARN  telemetry SENTRY_DSN is not set. Error reporting is off.'],
  [
    'RabbitMQ, left by a client',
    '2026-03-01 10:00:00.000 [error] <0.700.0> closing AMQP connection <0.700.0> (10.1.0.3:41234 -> 10.244.1.7:5672): {writer,send_failed,{error,timeout}}',
  ],
];
