import { rowsOf, type SignRow } from '../row.ts';

/** A name that cannot be resolved: whose name it is, never the server that was asked. */
export const nameRows: readonly SignRow[] = [
  ...rowsOf('NameNotResolved', [
    {
      needs: ['lookup '],
      // Whatever became of the question: no such host, server misbehaving, a timeout or a refusal at the server's own port.
      pattern:
        /\blookup (?<host>[\w.-]{1,253})(?: on [\w.:[\]%]{2,80})?: (?=no such host|server misb|i\/o timeout|read |dial |write |Temporary|Try again|no answer|cannot unm|no DNS|DNS|context|operation)/,
      source: 'Go net.DNSError.Error',
    },
    {
      needs: ['getaddrinfo e', 'querya', 'querysrv', 'querytxt'],
      pattern:
        /\b(?:getaddrinfo|query[A-Z][A-Za-z]{0,6}) (?:ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME|ESERVFAIL|ETIMEOUT|ENODATA|EREFUSED) (?<host>[\w.-]{1,253})/,
      source: 'Node dns: getaddrinfo and c-ares',
    },
    {
      needs: ["syscall: 'getaddrinfo'", "syscall: 'query"],
      pattern: /\bsyscall: '(?:getaddrinfo|query[A-Z][A-Za-z]{0,6})', hostname: '(?<host>[\w.-]{1,253})'/,
      source: 'Node util.inspect of an error of dns on one line',
    },
    {
      needs: ['could not find address for '],
      pattern: /could not find address for (?<host>[A-Za-z0-9][\w.-]{0,252})(?::(?<port>\d{1,5}))?: /,
      source: 'MongoDB src/mongo/util/net: asynchronous resolver',
    },
    {
      needs: ['failed to resolve'],
      pattern: /[Ff]ailed to resolve:? ["']?(?<host>[A-Za-z0-9][\w.-]{0,252})(?::(?<port>\d{1,5}))?["']?(?=[ :,[(]|$)/,
      source: 'urllib3 NameResolutionError; Netty DnsNameResolver; librdkafka; Python requests',
    },
    {
      needs: ['unknownhostexception'],
      pattern: /UnknownHostException: "?(?<host>[A-Za-z0-9][\w.-]{0,252})(?![\w' ])/,
      source: 'Java java.net.InetAddress.getAllByName',
    },
    {
      needs: ['unknownhostexception', 'unresolvedaddressexception'],
      pattern: /\b(?:UnknownHostException|UnresolvedAddressException)\b/,
      source: 'Java java.net, java.nio.channels',
    },
    {
      needs: ['dns resolution failed', 'no resolvable bootstrap'],
      pattern: /DNS resolution failed for (?:service: )?(?<host>[A-Za-z0-9][\w.-]{0,252})(?::(?<port>\d{1,5}))?/,
      source: 'Kafka ClientUtils; gRPC C core',
    },
    {
      needs: ['no resolvable bootstrap'],
      pattern: /No resolvable bootstrap urls given in bootstrap\.servers/,
      source: 'Kafka ClientUtils.parseAndValidateAddresses',
    },
    {
      needs: ['could not translate host name'],
      pattern: /could not translate host name "(?<host>[^"\s]{1,253})"/,
      source: 'libpq (psql, psycopg, Ruby pg, PHP PDO)',
    },
    {
      needs: [
        'failed to resolve host',
        '[errno -',
        'name or service not known',
        'temporary failure in name',
        'name does not',
      ],
      // Needs a host in the same sentence; `addressIn` finds it, whatever the order.
      pattern:
        /(?:name or service not known|temporary failure in name resolution|name does not resolve|no address associated with hostname|nodename nor servname provided)(?:: '?(?<host>[a-z0-9_][\w-]{0,62}(?:\.[\w-]{1,63}){1,8}|(?<=')[\w.-]{1,253})(?='|$|[\s,;)]))?/i,
      source: 'gai_strerror of glibc, musl and BSD: Python, Ruby, PHP, Rust, .NET, MySQL, curl, Redis',
    },
    {
      needs: ['could not resolve host'],
      pattern: /[Cc]ould not resolve host(?:name)?:? ["']?(?<host>[A-Za-z0-9][\w.-]{0,252})/,
      source: 'curl CURLE_COULDNT_RESOLVE_HOST (git, PHP); ssh',
    },
    {
      needs: ['unable to resolve host '],
      pattern: /\bUnable to resolve host "?(?<host>[A-Za-z0-9][\w.-]{0,252})"?(?=[:;]|$| No address)/,
      source: 'grpc-java; okhttp on Android',
    },
    {
      needs: ['unable to resolve host', 'bad address '],
      pattern:
        /(?:unable to resolve host address|: bad address) ["'‘`]{1,2}(?<host>[A-Za-z0-9][\w.-]{0,252})(?::(?<port>\d{1,5}))?["'’]/,
      source: 'GNU wget; BusyBox wget, nc and ping',
    },
    {
      needs: ['temporary failure resolving'],
      pattern: /Temporary failure resolving '(?<host>[\w.-]{1,253})'/,
      source: 'apt',
    },
    {
      needs: ['unknown mysql server host'],
      pattern: /Unknown MySQL server host '(?<host>[^'\s]{1,253})'/,
      source: 'MySQL client CR_UNKNOWN_HOST',
    },
    {
      needs: ['no such host is known'],
      pattern: /No such host is known\.?(?: \((?<host>[\w.-]{1,253}):(?<port>\d{1,5})\))?/,
      source: '.NET SocketException HostNotFound',
    },
    {
      needs: ['failed to lookup address information', 'getaddrinfo failed', 'getaddrinfo for '],
      pattern: /failed to lookup address information|getaddrinfo failed|getaddrinfo for (?<host>[\w.-]{1,253}) failed/,
      source: 'Rust std::net; Python on Windows; PHP main/network.c',
    },
    {
      needs: ['host not found in upstream'],
      pattern: /host not found in upstream "(?<host>[\w.-]{1,253})(?::(?<port>\d{1,5}))?/,
      source: 'nginx ngx_inet_resolve_host, at its start',
    },
    {
      needs: ['could not be resolved ('],
      pattern: /(?<=(?<![\w.-])(?<host>[A-Za-z0-9][\w.-]{0,252})) could not be resolved \(\d{1,3}: /,
      source: 'nginx ngx_resolver, at run time',
    },
    {
      needs: ['could not be resolved', 'cannot be resolved'],
      pattern: /["'`](?<host>[A-Za-z0-9][\w.-]{0,252})(?::(?<port>\d{1,5}))?["'`] (?:could not|cannot) be resolved\b/,
      source: 'Varnish; own words of many programs',
    },
    {
      needs: ['could not resolve address'],
      pattern: /could not resolve address '(?<host>[\w.-]{1,253})(?::(?<port>\d{1,5}))?'/,
      source: 'HAProxy at its start',
    },
    {
      needs: ['could not find address for'],
      pattern: /Could not find address for (?<host>[A-Za-z0-9][\w.-]{0,252})(?::(?<port>\d{1,5}))?/,
      source: 'MongoDB server and shell',
    },
    {
      needs: ['nxdomain'],
      pattern:
        /\((?<host>[A-Za-z0-9][\w.-]{0,252}):(?<port>\d{1,5})\): non-existing domain|:nxdomain\b|\{error,nxdomain\}/,
      source: 'Erlang inet: Postgrex, RabbitMQ, Elixir Mint',
    },
    {
      needs: ['produced zero addresses'],
      pattern: /name resolver error: produced zero addresses/,
      source: 'grpc-go',
    },
  ]),
];
