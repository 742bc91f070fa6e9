import { type SignCase, says } from '../case.ts';

const kind = 'NameNotResolved';

/** Names that cannot be resolved. */
export const nameCases: readonly SignCase[] = [
  says('Go net', '2026/03/01 10:00:00 dial tcp: lookup db.shop on 10.96.0.10:53: no such host', kind, {
    target: 'db.shop',
  }),
  says(
    'MongoDB 8',
    '{"t":{"$date":"2026-03-01T10:00:00.000+00:00"},"s":"E","c":"REPL","id":21415,"ctx":"ReplCoord-0","msg":"Locally stored replica set configuration is invalid","attr":{"error":"HostUnreachable: could not find address for mongo-1.mongo.shop.svc.cluster.local:27017: SocketException: onInvoke :: caused by :: Host not found (authoritative)"}}',
    kind,
    { target: 'mongo-1.mongo.shop.svc.cluster.local:27017' },
  ),
  says(
    'Go net, its DNS server silent',
    'panic: dial tcp: lookup redis on 10.96.0.10:53: read udp 10.244.1.7:41234->10.96.0.10:53: i/o timeout',
    kind,
    { target: 'redis' },
  ),
  says(
    'Go net, its DNS server refusing',
    'dial tcp: lookup redis on 10.96.0.10:53: read udp 10.244.1.7:41234->10.96.0.10:53: read: connection refused',
    kind,
    { target: 'redis' },
  ),
  says(
    'hcloud-fip-controller (logrus)',
    'time="2021-02-10T21:33:35Z" level=fatal msg="Could not run controller: Could not get server objects for addressList: could not fetch servers: Get \\"https://api.hetzner.cloud/v1/servers?page=1&per_page=50\\": dial tcp: lookup api.hetzner.cloud on 192.168.0.10:53: server misbehaving" func="github.com/sirupsen/logrus.(*Entry).Logf" file="/go/pkg/mod/github.com/sirupsen/logrus@v1.4.2/entry.go:314"',
    kind,
    { target: 'api.hetzner.cloud' },
  ),
  says(
    'Go zap',
    '{"level":"error","ts":1700000000.1,"caller":"app/main.go:31","msg":"cannot connect to the database","error":"failed to connect to `host=db.shop user=app database=shop`: hostname resolving error (lookup db.shop on 10.96.0.10:53: no such host)","stacktrace":"main.main\\n\\t/src/main.go:31"}',
    kind,
    { target: 'db.shop' },
  ),
  says('Node', 'Error: getaddrinfo ENOTFOUND db', kind, { target: 'db' }),
  says(
    'Node',
    "node:internal/process/promises:391\n    triggerUncaughtException(err, true /* fromPromise */);\n    ^\n\nError: getaddrinfo EAI_AGAIN kafka.events.svc.cluster.local\n    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:120:26) {\n  errno: -3001,\n  code: 'EAI_AGAIN',\n  syscall: 'getaddrinfo',\n  hostname: 'kafka.events.svc.cluster.local'\n}",
    kind,
    { target: 'kafka.events.svc.cluster.local' },
  ),
  says(
    'Node',
    "[error] price refresh failed { errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: 'feeds.exchange.example' }",
    kind,
    { target: 'feeds.exchange.example' },
  ),
  says('Node mongodb+srv', 'Error: querySrv ENOTFOUND _mongodb._tcp.cluster0.example.net', kind, {
    target: '_mongodb._tcp.cluster0.example.net',
  }),
  says(
    'pino',
    '{"level":50,"time":1700000000000,"pid":1,"hostname":"api-1","err":{"type":"Error","message":"getaddrinfo ENOTFOUND redis-master","stack":"Error: getaddrinfo ENOTFOUND redis-master\\n    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:107:26)"},"msg":"redis client error"}',
    kind,
    { target: 'redis-master' },
  ),
  says('Java', 'Caused by: java.net.UnknownHostException: db.shop: Name or service not known', kind, {
    target: 'db.shop',
  }),
  says(
    'Netty',
    "Caused by: java.net.UnknownHostException: Failed to resolve 'orders' [A(1), AAAA(28)] after 4 queries",
    kind,
    { target: 'orders' },
  ),
  says(
    'Kafka Java client',
    '2026-03-01 10:00:00 WARN  ClientUtils:89 - Couldn\'t resolve server kafka:9092 from bootstrap.servers as DNS resolution failed for kafka\nException in thread "main" org.apache.kafka.common.KafkaException: Failed to construct kafka producer\nCaused by: org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers',
    kind,
  ),
  says(
    'libpq',
    'psycopg2.OperationalError: could not translate host name "db" to address: Name or service not known',
    kind,
    { target: 'db' },
  ),
  says(
    'redis-py',
    'redis.exceptions.ConnectionError: Error -2 connecting to redis:6379. Name or service not known.',
    kind,
    { target: 'redis:6379' },
  ),
  says(
    'redis-py',
    'redis.exceptions.ConnectionError: Error -3 connecting to redis-master:6379. Temporary failure in name resolution.',
    kind,
    { target: 'redis-master:6379' },
  ),
  says(
    'urllib3 2',
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='api', port=80): Max retries exceeded with url: /health (Caused by NameResolutionError(\"<urllib3.connection.HTTPConnection object at 0x7f8b>: Failed to resolve 'api' ([Errno -2] Name or service not known)\"))",
    kind,
    { target: 'api' },
  ),
  says(
    'urllib3 1.26',
    "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.example.com', port=443): Max retries exceeded with url: /v1 (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'))",
    kind,
    { target: 'api.example.com:443' },
  ),
  says(
    'pymysql',
    "pymysql.err.OperationalError: (2003, \"Can't connect to MySQL server on 'mysql' ([Errno -2] Name or service not known)\")",
    kind,
    { target: 'mysql' },
  ),
  says('Python socket', 'socket.gaierror: [Errno -2] Name or service not known', kind),
  says(
    'aiohttp',
    'aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host api:8080 ssl:default [Name or service not known]',
    kind,
    { target: 'api:8080' },
  ),
  says('curl', 'curl: (6) Could not resolve host: api.shop.svc', kind, { target: 'api.shop.svc' }),
  says('GNU wget', 'wget: unable to resolve host address ‘api’', kind, { target: 'api' }),
  says('BusyBox wget', "wget: bad address 'api:8080'", kind, { target: 'api:8080' }),
  says('BusyBox nc', "nc: bad address 'db'", kind, { target: 'db' }),
  says('MySQL client', "ERROR 2005 (HY000): Unknown MySQL server host 'mysql' (-2)", kind, { target: 'mysql' }),
  says(
    'PHP PDO',
    'PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] php_network_getaddresses: getaddrinfo for mysql failed: Name or service not known in /var/www/html/db.php:4',
    kind,
    { target: 'mysql' },
  ),
  says(
    'Ruby net/http',
    'Failed to open TCP connection to api:3000 (getaddrinfo: Name or service not known) (SocketError)',
    kind,
    { target: 'api:3000' },
  ),
  says(
    '.NET on Linux',
    'Unhandled exception. System.Net.Http.HttpRequestException: Name or service not known (orders:8080)',
    kind,
    { target: 'orders:8080' },
  ),
  says('.NET on Windows', 'System.Net.Http.HttpRequestException: No such host is known. (orders:80)', kind, {
    target: 'orders:80',
  }),
  says(
    'Rust reqwest',
    'Error: error sending request for url (http://orders:8080/v1): error trying to connect: dns error: failed to lookup address information: Name or service not known',
    kind,
    { target: 'orders:8080' },
  ),
  says('nginx', 'nginx: [emerg] host not found in upstream "api.shop:8080" in /etc/nginx/conf.d/default.conf:3', kind, {
    target: 'api.shop:8080',
  }),
  says(
    'nginx at run time',
    '2026/03/01 10:00:00 [error] 29#29: *1 api.shop.svc.cluster.local could not be resolved (3: Host not found), client: 10.1.0.3, server: , request: "GET / HTTP/1.1", host: "shop"',
    kind,
    { target: 'api.shop.svc.cluster.local' },
  ),
  says(
    'HAProxy',
    "[ALERT]    (1) : config : [/usr/local/etc/haproxy/haproxy.cfg:12] : 'server web/web1' : could not resolve address 'api'.",
    kind,
    { target: 'api' },
  ),
  says(
    'Postgrex',
    '10:00:00.123 [error] Postgrex.Protocol (#PID<0.300.0>) failed to connect: ** (DBConnection.ConnectionError) tcp connect (db:5432): non-existing domain - :nxdomain',
    kind,
    { target: 'db:5432' },
  ),
  says(
    'librdkafka',
    "%3|1700000000.123|FAIL|rdkafka#producer-1| [thrd:kafka:9092/bootstrap]: kafka:9092/bootstrap: Failed to resolve 'kafka:9092': Name or service not known (after 2ms in state CONNECT)",
    kind,
    { target: 'kafka:9092' },
  ),
  says(
    'gRPC C core',
    'grpc._channel._InactiveRpcError: details = "DNS resolution failed for orders:50051: C-ares status is not ARES_SUCCESS qtype=A name=orders: Domain name not found"',
    kind,
    { target: 'orders:50051' },
  ),
  says(
    'apt',
    "W: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure resolving 'deb.debian.org'",
    kind,
    { target: 'deb.debian.org' },
  ),
  says(
    'MongoDB shell',
    'MongoServerSelectionError: Could not find address for mongo-0.mongo:27017: SocketException: onInvoke :: caused by :: Host not found (authoritative)',
    kind,
    { target: 'mongo-0.mongo:27017' },
  ),
  says('grpc-go', 'rpc error: code = Unavailable desc = name resolver error: produced zero addresses', kind),
  says(
    'Python, with the host behind it',
    "socket.gaierror: [Errno -3] Temporary failure in name resolution: 'ldap.hq.example'",
    'NameNotResolved',
    { target: 'ldap.hq.example' },
  ),
];
