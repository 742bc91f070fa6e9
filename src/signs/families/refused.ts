import { rowsOf, type SignRow } from '../row.ts';

/** Connections that are refused; and who hung up on us, which is no trouble. */
export const refusedRows: readonly SignRow[] = [
  ...rowsOf('none', [
    {
      // A browser or a scanner hung up on us.
      needs: ['tls handshake error from'],
      pattern: /http: TLS handshake error from /,
      source: 'Go net/http server: its client gave up',
    },
    {
      needs: ['retrying (retry(total='],
      pattern: /\bRetrying \(Retry\(total=[1-9]/,
      source: 'urllib3: it has attempts left, and says MaxRetryError once it has none',
    },
    {
      needs: ['could not receive data from client', 'could not send data to client', 'unexpected eof on client'],
      pattern: /could not (?:receive data from|send data to) client|unexpected EOF on client connection/,
      source: 'PostgreSQL server log: its client went away',
    },
    {
      needs: [' closing amqp connection', 'closing mqtt connection'],
      pattern: /closing (?:AMQP|MQTT) connection/,
      source: 'RabbitMQ server log: its client went away',
    },
  ]),
  ...rowsOf('ConnectionRefused', [
    {
      // Whom it was on its way to is in the same line, and was never asked.
      needs: ['proxyconnect', 'proxyerror('],
      pattern:
        /\bproxyconnect \w{2,5}: dial \w{2,5}:? (?:connect to )?(?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): connect: connection refused|\bProxyError\('(?:Unable to|Cannot) connect to proxy (?<host>[\w.-]{1,253}):(?<port>\d{1,5})\b/,
      source: 'Go net/http Transport; urllib3',
    },
    {
      needs: ['connection refused'],
      pattern:
        /\bdial \w{2,5}:? (?:\[?[\w.:%-]{2,253}\]?:\d{1,5}->)?(?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): connect: connection refused/,
      source: 'Go net.OpError (lib/pq, pgx, go-redis, sarama, grpc-go)',
    },
    {
      needs: ['econnrefused'],
      pattern: /\bconnect ECONNREFUSED (?<at>\[?[\w.:%-]{2,253}:\d{1,5})/,
      source: 'Node net (pg, ioredis, mongoose, amqplib, kafkajs, undici)',
    },
    {
      needs: ['econnrefused'],
      pattern: /\bECONNREFUSED\b/,
      source: 'Node, Ruby Errno, Erlang :econnrefused',
    },
    {
      needs: ['connection refused'],
      pattern: /connection refused\)? while connecting to upstream/i,
      behind: /upstream: "(?<at>[^"\s]{1,300})"/,
      source: 'nginx ngx_http_upstream',
    },
    {
      needs: ['connection refused'],
      pattern:
        /(?:[:(.'"{[-] {0,2}|^|\d\]? |\bis )connection refused(?=$|["'.,;:)\]}]| \(| -| in \/| \[|\n| executing | \S{1,253}:\d{2,5})/i,
      source: 'strerror(ECONNREFUSED): libpq, Java, Python, Rust, Ruby, PHP, .NET, curl, MySQL, gRPC',
    },
    {
      needs: ['connect call failed'],
      pattern: /\[Errno 111\] Connect call failed \('(?<host>[\w.:%-]{2,253})', (?<port>\d{1,5})/,
      source: 'Python asyncio (asyncpg, aioredis, aiokafka)',
    },
    {
      needs: [' refused. check that the hostname'],
      pattern: /Connection to (?<at>\S{1,280}) refused\. Check that the hostname/,
      source: 'PostgreSQL JDBC driver',
    },
    {
      needs: ["can't connect to"],
      pattern: /Can't connect to (?:local )?(?:MySQL |MariaDB )?server on '(?<at>[^'\s]{1,280})' \((?:111|61)\b/,
      source: 'MySQL and MariaDB clients, CR_CONN_HOST_ERROR',
    },
    {
      needs: ['tns:no listener', 'ora-12541'],
      pattern: /\bORA-12541\b|\bTNS:no listener\b/,
      source: 'Oracle Database error messages: nobody listens at the address',
    },
    {
      needs: ['actively refused'],
      pattern: /target machine actively refused it/,
      source: '.NET SocketException ConnectionRefused',
    },
    {
      needs: ['os { code: 111', 'connect error: 111', 'connectionrefused'],
      pattern: /\bcode: 111, kind: ConnectionRefused|delayed connect error: 111|\bkind: ConnectionRefused/,
      source: 'Rust std::io::Error; Envoy raw_buffer_socket',
    },
    {
      needs: ['the database system is'],
      pattern: /the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)/,
      source: 'PostgreSQL ERRCODE_CANNOT_CONNECT_NOW',
    },
  ]),
];
