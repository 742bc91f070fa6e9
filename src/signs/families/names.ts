import type { SignRow } from '../row.ts';

/** A name that cannot be resolved: whose name it is, never the server that was asked. */
export const nameRows: readonly SignRow[] = [
  {
    kind: 'NameNotResolved',
    needs: ['lookup '],
    // Whatever became of the question: no such host, server misbehaving, i/o timeout, connection refused at the server's port.
    pattern: /\blookup (?<host>[\w.-]{1,253})(?: on [\w.:[\]]{2,60})?: (?!no such file)/,
    source: 'Go net.DNSError.Error',
  },
  {
    kind: 'NameNotResolved',
    needs: ['getaddrinfo e', 'querya e', 'querysrv e'],
    pattern:
      /\b(?:getaddrinfo|query[A-Z][A-Za-z]{0,6}) (?:ENOTFOUND|EAI_AGAIN|EAI_NODATA|ESERVFAIL|ETIMEOUT|ENODATA|EREFUSED) (?<host>[\w.-]{1,253})/,
    source: 'Node dns: getaddrinfo and c-ares',
  },
  {
    kind: 'NameNotResolved',
    needs: ['unknownhostexception'],
    pattern: /UnknownHostException: "?(?<host>[\w.-]{1,253})/,
    source: 'Java java.net.InetAddress',
  },
  {
    kind: 'NameNotResolved',
    needs: ['could not translate host name'],
    pattern: /could not translate host name "(?<host>[^"\s]{1,253})"/,
    source: 'libpq (psql, psycopg, Ruby pg, PHP PDO)',
  },
  {
    kind: 'NameNotResolved',
    needs: ['host not found in upstream'],
    pattern: /host not found in upstream "(?<host>[\w.-]{1,253})(?::(?<port>\d{1,5}))?/,
    source: 'nginx ngx_inet_resolve_host',
  },
];
