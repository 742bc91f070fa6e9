import { rowsOf, type SignRow } from '../row.ts';

/** Connections that break, servers that say they are not there for anybody, and hosts that cannot be reached. */
export const unreachableRows: readonly SignRow[] = [
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
  ...rowsOf('ServiceUnavailable', [
    {
      needs: ['vault is sealed', 'redis is loading', 'database system is', 'service temporarily unavailable'],
      pattern:
        /\bVault is sealed\b|\bRedis is loading the dataset|FATAL: {1,2}the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)|\b503 Service Temporarily Unavailable\b/,
      source: 'Vault; Redis; PostgreSQL ERRCODE_CANNOT_CONNECT_NOW; nginx',
    },
    {
      needs: ['503'],
      pattern:
        /\b503 Server Error: Service Unavailable for url|[Rr]equest failed with status code 503|\b503 Service Unavailable(?: from \w{3,7} https?:|: ")|unexpected (?:HTTP )?status(?: code)?:? 503\b/,
      source: 'Python requests; axios; Spring RestClient; Go programs',
    },
    {
      needs: ['indicate success: 50'],
      pattern: /\bdoes not indicate success: 50[234]\b/,
      source: '.NET HttpResponseMessage.EnsureSuccessStatusCode',
    },
    {
      needs: [
        'response code: 50',
        'server error: bad gateway',
        'server error: gateway time',
        'status code 50',
        'error: 50',
      ],
      pattern:
        /\bServer returned HTTP response code: 50[234] for URL\b|\b50[24] Server Error: (?:Bad Gateway|Gateway Time-?out) for url|[Rr]equest failed with status code 50[24]\b|\bThe requested URL returned error: 50[234]\b|unexpected (?:HTTP )?status(?: code)?:? 50[24]\b/,
      source: 'java.net.HttpURLConnection; Python requests; axios; curl and git; Go programs (RFC 9110, 15.6)',
    },
  ]),
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
    needs: ['no servers available for connection'],
    pattern: /\b[Nn]ats: no servers available for connection\b/,
    source: 'NATS clients',
  },
  {
    kind: 'ConnectionReset',
    needs: ['kex_exchange_identification'],
    pattern: /\bkex_exchange_identification: (?:Connection closed by remote host|read: Connection reset)/,
    source: 'OpenSSH: whoever answers the port hangs up',
  },
  ...rowsOf('HostUnreachable', [
    {
      needs: ['license path:'],
      pattern: /^License path: {1,4}(?<port>\d{1,5})@(?<host>[A-Za-z0-9][\w.-]{0,252})/,
      source: 'FlexNet Publisher: the report of a client that gets no licence',
    },
    {
      needs: ['serverselectionerror', 'serverselectiontimeouterror'],
      pattern: /\bMongo(?:ose)?ServerSelectionError: |\bServerSelectionTimeoutError: /,
      source: 'MongoDB drivers for Node and Python, where the reason is in none of the rows above',
    },
    {
      needs: ['could not be established. broker may', 'could not be established. node may'],
      pattern:
        /Connection to node -?\d{1,10}(?: \((?<host>[^)\s/:]{1,253})(?:\/[\d.]{7,15})?:(?<port>\d{1,5})\))? could not be established\. (?:Broker|Node) may not be available/,
      source: 'Kafka NetworkClient',
    },
    {
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
      needs: ['unabletoconnect on', 'not possible to connect to the redis'],
      pattern: /UnableToConnect on (?<at>[^/,\s]{1,280})/,
      source: 'StackExchange.Redis',
    },
    {
      needs: ['not possible to connect to the redis', 'unable to connect to redis', 'redisconnectionexception'],
      pattern:
        /not possible to connect to the redis server|RedisConnectionException: Unable to connect to (?<at>\S{1,280})|RedisConnectionFailureException: Unable to connect/,
      source: 'StackExchange.Redis; Lettuce; Spring Data Redis',
    },
    {
      needs: [
        'communications link failure',
        'endpoints were reachable',
        'no living connections',
        'no alive nodes',
        'configured nodes are available',
      ],
      pattern:
        /Communications link failure|None of the specified endpoints were reachable|No Living connections|No alive nodes found|None of the configured nodes (?:are|were) available/,
      source: 'MySQL Connector/J; RabbitMQ.Client; Elasticsearch clients',
    },
    {
      needs: ['could not connect to', 'unable to connect to', "couldn't connect to"],
      pattern:
        /\b(?:[Cc]ould not|[Uu]nable to|[Cc]ouldn't) connect to (?:\w{1,12} )?host:? ["']?(?<host>[A-Za-z0-9][\w.-]{0,252})["']?,? port:? (?<port>\d{1,5})/,
      source: 'Jakarta Mail SMTPTransport, and others in the same words',
    },
    {
      needs: ['network-related or instance-specific'],
      pattern: /network-related or instance-specific error occurred while establishing a connection to SQL Server/,
      source: 'Microsoft.Data.SqlClient',
    },
    {
      needs: ["can't reach database server"],
      pattern: /Can't reach database server at [`"'](?<host>[\w.:-]{1,253}?)[`"']?(?::[`"']?(?<port>\d{1,5}))?[`"']/,
      source: 'Prisma P1001',
    },
    {
      needs: ['no live upstreams', 'no healthy upstream', 'upstream connect error'],
      pattern:
        /no live upstreams while connecting|[Nn]o healthy upstream|upstream connect error or disconnect\/reset before headers/,
      source: 'nginx; Envoy',
    },
    {
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
    {
      needs: ["can't connect to", 'network adapter could not'],
      pattern:
        /Can't connect to (?:MySQL|MariaDB) server on '(?<at>[^'\s]{1,280})'|\bThe Network Adapter could not establish the connection\b/,
      source: 'MySQL and MariaDB clients, for whatever reason; Oracle JDBC',
    },
  ]),
  {
    kind: 'ConnectionReset',
    needs: ['connection lost: ', 'connection to broker lost'],
    pattern: /\bConnection lost: The server closed the connection\b|\bConnection to broker lost\b/,
    source: 'mysqljs; Celery',
  },
];
