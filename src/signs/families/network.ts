import type { SignRow } from '../row.ts';

/** Connections that are refused, that time out, that break, and hosts that cannot be reached. */
export const networkRows: readonly SignRow[] = [
  {
    // A browser or a scanner hung up on us.
    kind: 'none',
    needs: ['tls handshake error from'],
    pattern: /http: TLS handshake error from /,
    source: 'Go net/http server: its client gave up',
  },
  {
    kind: 'none',
    needs: ['could not receive data from client', 'could not send data to client', 'unexpected eof on client'],
    pattern: /could not (?:receive data from|send data to) client|unexpected EOF on client connection/,
    source: 'PostgreSQL server log: its client went away',
  },
  {
    kind: 'none',
    needs: [' closing amqp connection', 'closing mqtt connection'],
    pattern: /closing (?:AMQP|MQTT) connection/,
    source: 'RabbitMQ server log: its client went away',
  },
  {
    // Whom it was on its way to is in the same line, and was never asked.
    kind: 'ConnectionRefused',
    needs: ['proxyconnect', 'proxyerror('],
    pattern:
      /\bproxyconnect \w{2,5}: dial \w{2,5}:? (?:connect to )?(?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): connect: connection refused|\bProxyError\('(?:Unable to|Cannot) connect to proxy (?<host>[\w.-]{1,253}):(?<port>\d{1,5})\b/,
    source: 'Go net/http Transport; urllib3',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['connection refused'],
    pattern:
      /\bdial \w{2,5} (?:\[?[\w.:%-]{2,253}\]?:\d{1,5}->)?(?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): connect: connection refused/,
    source: 'Go net.OpError (lib/pq, pgx, go-redis, sarama, grpc-go)',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['econnrefused'],
    pattern: /\bconnect ECONNREFUSED (?<at>\[?[\w.:%-]{2,253}:\d{1,5})/,
    source: 'Node net (pg, ioredis, mongoose, amqplib, kafkajs, undici)',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['econnrefused'],
    pattern: /\bECONNREFUSED\b/,
    source: 'Node, Ruby Errno, Erlang :econnrefused',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['connection refused'],
    pattern: /connection refused\)? while connecting to upstream/i,
    behind: /upstream: "(?<at>[^"\s]{1,300})"/,
    source: 'nginx ngx_http_upstream',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['connection refused'],
    pattern:
      /(?:[:(.'"{[-] {0,2}|^|\d\]? |\bis )connection refused(?=$|["'.,;:)\]}]| \(| -| in \/| \[|\n| \S{1,253}:\d{2,5})/i,
    source: 'strerror(ECONNREFUSED): libpq, Java, Python, Rust, Ruby, PHP, .NET, curl, MySQL, gRPC',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['connect call failed'],
    pattern: /\[Errno 111\] Connect call failed \('(?<host>[\w.:%-]{2,253})', (?<port>\d{1,5})/,
    source: 'Python asyncio (asyncpg, aioredis, aiokafka)',
  },
  {
    kind: 'ConnectionRefused',
    needs: [' refused. check that the hostname'],
    pattern: /Connection to (?<at>\S{1,280}) refused\. Check that the hostname/,
    source: 'PostgreSQL JDBC driver',
  },
  {
    kind: 'ConnectionRefused',
    needs: ["can't connect to"],
    pattern: /Can't connect to (?:local )?(?:MySQL |MariaDB )?server on '(?<at>[^'\s]{1,280})' \((?:111|61)\b/,
    source: 'MySQL and MariaDB clients, CR_CONN_HOST_ERROR',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['actively refused'],
    pattern: /target machine actively refused it/,
    source: '.NET SocketException ConnectionRefused',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['os { code: 111', 'connect error: 111', 'connectionrefused'],
    pattern: /\bcode: 111, kind: ConnectionRefused|delayed connect error: 111|\bkind: ConnectionRefused/,
    source: 'Rust std::io::Error; Envoy raw_buffer_socket',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['the database system is'],
    pattern: /the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)/,
    source: 'PostgreSQL ERRCODE_CANNOT_CONNECT_NOW',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['max retries exceeded'],
    pattern: /\bHTTPS?ConnectionPool\(host='(?<host>[\w.-]{1,253})', port=(?<port>\d{1,5})\): Max retries exceeded/,
    behind: /Caused by (?:Connect|Read)TimeoutError\b/,
    source: 'urllib3 MaxRetryError: requests, boto3, the Kubernetes client for Python',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['i/o timeout', 'operation timed out', 'connection timed out'],
    pattern:
      /\bdial \w{2,5} (?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): (?:i\/o timeout|connect: (?:connection|operation) timed out)/,
    source: 'Go net.OpError',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['i/o timeout'],
    pattern: /\b(?:read|write) \w{2,5} \S{2,280}->(?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): i\/o timeout/,
    source: 'Go net.OpError',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['context deadline exceeded', 'client.timeout exceeded'],
    pattern:
      /\b(?:Get|Post|Put|Patch|Delete|Head) "(?<at>https?:\/\/[^"\s]{1,600})": (?:net\/http: [a-z ]{1,60})?(?:\(?Client\.Timeout exceeded|context deadline exceeded)/,
    source: 'Go net/http Client',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['tls handshake timeout'],
    pattern: /net\/http: TLS handshake timeout/,
    source: 'Go net/http Transport',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['etimedout', 'esockettimedout'],
    pattern: /\b(?:connect |read )?E(?:SOCKET)?TIMEDOUT(?: (?<at>\[?[\w.:%-]{2,253}:\d{1,5}))?/,
    source: 'Node net, Ruby Errno, Erlang',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['connect timeout error'],
    pattern: /Connect Timeout Error(?: \(attempted address(?:es)?: (?<at>[^,\s)]{1,280}))?/,
    source: 'Node undici (fetch)',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['timed out) while', 'upstream timed out'],
    pattern: /upstream timed out \(110: /,
    behind: /upstream: "(?<at>[^"\s]{1,300})"/,
    source: 'nginx ngx_http_upstream',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['timed out'],
    pattern:
      /(?:\bconnect(?:ion)?(?: attempt| to \S{1,253})?|\bread|\bsocket|\boperation|server selection) timed out(?= after|[.,:;)}\]"'!]|$| \(|\n| -| while)/i,
    source: 'strerror(ETIMEDOUT): Java, Python, PHP, curl, libpq; MongoDB drivers',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['timeout expired'],
    pattern: /(?:\bfailed: |: |Connection )timeout expired(?! while)/i,
    source: 'libpq connect_timeout; Microsoft.Data.SqlClient',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: [
      'did not properly respond',
      'httpclient.timeout',
      'execution expired',
      'timeout was reached',
      'os { code: 110',
    ],
    pattern:
      /connected party did not properly respond|configured HttpClient\.Timeout of|\bexecution expired|Timeout was reached|\bcode: 110, kind: TimedOut/,
    source: '.NET sockets and HttpClient; Ruby net/http; curl; Rust',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: [
      'fetching topic metadata',
      'failed to update metadata',
      'timed out waiting for a node',
      'not present in metadata',
    ],
    pattern:
      /Timeout expired while fetching topic metadata|Failed to update metadata after \d{1,9} ms|Timed out waiting for a node assignment|not present in metadata after \d{1,9} ms/,
    source: 'Kafka Java client',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['timed out after'],
    pattern: /Timed out after \d{1,9} ms while waiting (?:to connect|for a server)/,
    source: 'MongoDB Java driver',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['i/o timeout', 'timeout connecting to', 'timed out: ', 'timed out connecting'],
    pattern:
      /: i\/o timeout(?=$|["'.,;:)\]}])|\bTimeout connecting to |[Cc]onnection timed out: |[Tt]imed out connecting to /,
    source: 'Go os.ErrDeadlineExceeded, however it is wrapped; redis-py; Python smtplib and socket',
  },
  {
    kind: 'ConnectionReset',
    needs: ['econnreset', 'socket hang up'],
    pattern: /\bECONNRESET\b|\bsocket hang up\b/,
    source: 'Node net and http, Ruby Errno',
  },
  {
    kind: 'ConnectionReset',
    needs: ['connection reset'],
    pattern: /(?:[:('"{[] {0,2}|^|\d\]? )connection reset(?: by peer)?(?=$|["'.,;:)\]}]| \(|\n)/i,
    source: 'strerror(ECONNRESET): Go, Java, Python, PHP, libpq',
  },
  {
    kind: 'ConnectionReset',
    needs: [
      'server closed the connection unexpectedly',
      'terminating connection due to',
      'server has gone away',
      'lost connection to',
      'connection terminated unexpectedly',
      'prematurely closed connection',
      'connection was killed',
      'closed connection before',
    ],
    pattern:
      /server closed the connection unexpectedly|terminating connection due to (?:administrator command|unexpected)|server has gone away|Lost connection to (?:MySQL|backend|MariaDB) server|Connection terminated unexpectedly|upstream prematurely closed connection/,
    source: 'libpq; MySQL client; node-postgres; nginx',
  },
  {
    kind: 'ServiceUnavailable',
    needs: ['vault is sealed', 'loading redis', 'database system is', 'service temporarily unavailable'],
    pattern:
      /\bVault is sealed\b|\bLOADING Redis is loading|FATAL: {1,2}the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)|\b503 Service Temporarily Unavailable\b/,
    source: 'Vault; Redis; PostgreSQL ERRCODE_CANNOT_CONNECT_NOW; nginx',
  },
  {
    kind: 'ServiceUnavailable',
    needs: ['503'],
    pattern:
      /\b503 Server Error: Service Unavailable for url|[Rr]equest failed with status code 503|\b503 Service Unavailable(?: from \w{3,7} https?:|: ")|unexpected (?:HTTP )?status(?: code)?:? 503\b/,
    source: 'Python requests; axios; Spring RestClient; Go programs',
  },
  {
    kind: 'HostUnreachable',
    needs: ['no route to host', 'network is unreachable', 'host is unreachable', 'ehostunreach', 'enetunreach'],
    pattern: /\bno route to host\b|\bnetwork is unreachable\b|\bhost is unreachable\b|\bE(?:HOST|NET)UNREACH\b/i,
    source: 'strerror(EHOSTUNREACH, ENETUNREACH), every runtime',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['httptimeoutexception', 'timeout of '],
    pattern: /\bHttp(?:Connect)?TimeoutException: |\btimeout of \d{1,9}ms exceeded\b/,
    source: 'java.net.http; axios',
  },
  {
    kind: 'HostUnreachable',
    needs: ['license path:'],
    pattern: /^License path: {1,4}(?<port>\d{1,5})@(?<host>[A-Za-z0-9][\w.-]{0,252})/,
    source: 'FlexNet Publisher: the report of a client that gets no licence',
  },
  {
    kind: 'HostUnreachable',
    needs: ['serverselectionerror', 'serverselectiontimeouterror'],
    pattern: /\bMongo(?:ose)?ServerSelectionError: |\bServerSelectionTimeoutError: /,
    source: 'MongoDB drivers for Node and Python, where the reason is in none of the rows above',
  },
  {
    kind: 'HostUnreachable',
    needs: ['could not be established. broker may', 'could not be established. node may'],
    pattern:
      /Connection to node -?\d{1,10}(?: \((?<host>[^)\s/:]{1,253})(?:\/[\d.]{7,15})?:(?<port>\d{1,5})\))? could not be established\. (?:Broker|Node) may not be available/,
    source: 'Kafka NetworkClient',
  },
  {
    kind: 'HostUnreachable',
    needs: [
      'run out of available brokers',
      'all broker connections are down',
      'all brokers are down',
      'nobrokersavailable',
    ],
    pattern:
      /run out of available brokers to talk to|Local: All broker connections are down|\d{1,3}\/\d{1,3} brokers are down|NoBrokersAvailable/,
    source: 'sarama; librdkafka; kafka-python',
  },
  {
    kind: 'HostUnreachable',
    needs: ['unabletoconnect on', 'not possible to connect to the redis'],
    pattern: /UnableToConnect on (?<at>[^/,\s]{1,280})/,
    source: 'StackExchange.Redis',
  },
  {
    kind: 'HostUnreachable',
    needs: ['not possible to connect to the redis', 'unable to connect to redis', 'redisconnectionexception'],
    pattern:
      /not possible to connect to the redis server|RedisConnectionException: Unable to connect to (?<at>\S{1,280})|RedisConnectionFailureException: Unable to connect/,
    source: 'StackExchange.Redis; Lettuce; Spring Data Redis',
  },
  {
    kind: 'HostUnreachable',
    needs: [
      'communications link failure',
      'endpoints were reachable',
      'no living connections',
      'configured nodes are available',
    ],
    pattern:
      /Communications link failure|None of the specified endpoints were reachable|No Living connections|None of the configured nodes (?:are|were) available/,
    source: 'MySQL Connector/J; RabbitMQ.Client; Elasticsearch clients',
  },
  {
    kind: 'HostUnreachable',
    needs: ['could not connect to', 'unable to connect to', "couldn't connect to"],
    pattern:
      /\b(?:[Cc]ould not|[Uu]nable to|[Cc]ouldn't) connect to (?:\w{1,12} )?host:? ["']?(?<host>[A-Za-z0-9][\w.-]{0,252})["']?,? port:? (?<port>\d{1,5})/,
    source: 'Jakarta Mail SMTPTransport, and others in the same words',
  },
  {
    kind: 'HostUnreachable',
    needs: ['network-related or instance-specific'],
    pattern: /network-related or instance-specific error occurred while establishing a connection to SQL Server/,
    source: 'Microsoft.Data.SqlClient',
  },
  {
    kind: 'HostUnreachable',
    needs: ["can't reach database server"],
    pattern: /Can't reach database server at [`"'](?<host>[\w.:-]{1,253}?)[`"']?(?::[`"']?(?<port>\d{1,5}))?[`"']/,
    source: 'Prisma P1001',
  },
  {
    kind: 'HostUnreachable',
    needs: ['no live upstreams', 'no healthy upstream', 'upstream connect error'],
    pattern:
      /no live upstreams while connecting|no healthy upstream|upstream connect error or disconnect\/reset before headers/,
    source: 'nginx; Envoy',
  },
  {
    kind: 'HostUnreachable',
    needs: [
      'could not connect to host',
      'failed to connect to',
      'failed to connect:',
      'unable to connect to',
      'could not connect to',
      'cannot connect to',
    ],
    pattern:
      /\b(?:[Ff]ailed|[Uu]nable|[Cc]ould not|[Cc]annot) (?:to )?connect to (?:server |host |the server |database |broker |remote )?[[`'"]?(?<at>(?:[a-z][a-z0-9+.-]{1,20}:\/\/)?(?:\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9][\w.-]{0,252}):\d{2,5})(?![\w:])/,
    source: 'what programs say in front of the reason (Npgsql, MongoDB, Envoy, own code)',
  },
];
