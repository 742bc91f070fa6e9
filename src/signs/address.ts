import type { SignTarget } from '../model/sign.ts';

/** A name or an address as it is written in front of a port; the repetition ends at anything else. */
const host = '\\[[0-9a-fA-F:.%]{2,45}\\]|[A-Za-z0-9_](?:[\\w.-]{0,251}[A-Za-z0-9_])?';
const port = '\\d{2,5}';

/**
 * How addresses stand in sentences, the surest first: each with what a sentence must have, in lower case, for it to be tried. Each begins
 * with something literal or at the start of a word.
 */
const shapes: readonly (readonly [needs: string, pattern: RegExp])[] = [
  // libpq since 14: connection to server at "db" (10.0.0.5), port 5432 failed
  [
    'server at "',
    new RegExp(`server at "(?<host>${host})"(?: \\([0-9a-fA-F:.]{2,45}\\))?, port (?<port>${port})`, 'g'),
  ],
  // libpq before 14: is the server running on host "db" (10.0.0.5) and accepting TCP/IP connections on port 5432?, in one line or more
  ['running on host', new RegExp(`running on host "(?<host>${host})"(?:[^"]{0,80}? on port (?<port>${port}))?`, 'gi')],
  // pgx: failed to connect to `host=db user=app database=app`
  ['`host=', new RegExp(`\`host=(?<host>${host}) user=`, 'g')],
  // Go's net: read tcp 10.1.0.7:41234->10.0.0.5:5432
  ['->', new RegExp(`->(?<host>${host}):(?<port>${port})(?!\\w|:\\S)`, 'g')],
  // Ruby: connect(2) for "db" port 5432; for db:5432 as well
  ['for "', new RegExp(`for "(?<host>${host})" port (?<port>${port})`, 'g')],
  // BusyBox: can't connect to remote host (10.0.0.5)
  ['remote host (', new RegExp(`remote host \\((?<host>${host})\\)`, 'g')],
  // asyncio: ('10.0.0.5', 5432)
  ["('", new RegExp(`\\('(?<host>${host})', (?<port>${port})`, 'g')],
  // gRPC's C core: ipv4:10.0.0.5:50051
  ['ipv', new RegExp(`\\bipv[46]:(?:%5B)?(?<host>${host})(?:%5D)?:(?<port>${port})`, 'g')],
  // MySQL's clients: server on 'db' (111), server on 'db:3306'
  ["server on '", new RegExp(`server on '(?<host>${host})(?::(?<port>${port}))?'`, 'g')],
  // PHP: getaddrinfo for db failed
  ['getaddrinfo for ', new RegExp(`getaddrinfo for (?<host>${host}) failed`, 'g')],
  // Python, Node, .NET and PHP: host='api', port=443
  [
    'port',
    new RegExp(
      `host(?:name)?["']?[=:] ?["']?(?<host>${host})["']?[,;]? ["']?port["']?[=:] ?["']?(?<port>${port})(?!\\d)`,
      'gi',
    ),
  ],
  // SQL Server's and libpq's keywords, curl: host db port 5432, connect to api port 80
  [
    'port',
    new RegExp(
      `(?:host:?|connect to|connecting to) ["']?(?<host>${host})["']?,? (?:on )?port:? (?<port>${port})(?!\\d)`,
      'gi',
    ),
  ],
  // Java's InetSocketAddress: db.shop/10.0.0.5:5432, db/<unresolved>:5432
  ['/', new RegExp(`(?<![\\w./:-])(?<host>${host})/(?:[0-9.]{7,15}|<unresolved>):(?<port>${port})(?![\\w:.])`, 'g')],
  // Go and curl: connect to api.shop.svc:80: connection refused
  [' to ', new RegExp(`\\bconnect(?:ing)? to (?<host>${host}):(?<port>${port})(?!\\w|:\\S|\\.\\d)`, 'gi')],
  // A URL; of several hosts (MongoDB, Kafka) the first. Credentials before the host are not it.
  [
    '://',
    new RegExp(
      `(?:\\b(?<scheme>https?))?://(?:[^\\s/@"'<>]{0,200}@)?(?<host>${host})(?::(?<port>\\d{1,5}))?(?![\\w])`,
      'gi',
    ),
  ],
  // Go's form for MySQL: tcp(db:3306)
  ['(', new RegExp(`tcp6?\\((?<host>${host}):(?<port>${port})\\)`, 'g')],
  // Data sources of many drivers: user@db.shop:5432/orders
  ['@', new RegExp(`@(?<host>[A-Za-z][\\w.-]{1,252}):(?<port>${port})(?!\\w|:\\S|\\.\\d)`, 'g')],
  [':', new RegExp(`(?<![\\w./:@-]|\\d/)/?(?<host>${host}):(?<port>${port})(?!\\w|:\\S|\\.\\d)`, 'g')],
];

/** Matches of one shape that are looked at: times of day and places in files look like addresses. */
const maxMatches = 8;

/** `main.go:12` is a place in a source file, `com.example.Main:52` one in a class. */
const sourceFile =
  /\.(?:go|java|kt|scala|py|rb|php|js|mjs|cjs|ts|tsx|jsx|rs|cs|fs|vb|cc|cpp|cxx|c|h|hpp|ex|exs|erl|swift|lua|pl|pm|sh|sql|yaml|yml|json|xml|toml|conf|log|html|erb|groovy|clj)$|^[a-z].*\.[A-Z]\w*$/;
/** Words that stand before a colon and a number and are no hosts. */
const notHosts =
  /^(?:\d+|code|errno|error|err|status|port|pid|tid|line|col|column|attempt|retry|retries|exit|timeout|after|level|time|ts|count|size|version|id|thread|worker|signal|sig|rc|duration|elapsed|request|response|http|https|tcp|udp|at|on|ms|nio|exec|main|got|expected|length|bytes|goroutine|max|min|index|offset|node|shard|partition|step|job|task|total|failed|failures|true|false|null|undefined|nil|none)$/i;

/** The target that a captured host and port say, if they can be one. */
export function target(rawHost: string | undefined, rawPort?: string): SignTarget | undefined {
  if (rawHost === undefined) return undefined;
  const name = rawHost.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!name || name.length > 253 || !/^[\w.:%-]+$/.test(name) || !/[A-Za-z0-9]/.test(name)) return undefined;
  const number = Number(rawPort);
  const valid = rawPort !== undefined && Number.isInteger(number) && number >= 1 && number <= 65_535;
  return valid ? { host: name, port: number } : { host: name };
}

/** The target of an address by itself: a URL, `host:port`, or an IPv6 address with a port behind it, in brackets or not. */
export function addressOf(address: string): SignTarget | undefined {
  if (address.includes('://')) return addressIn(address);
  const parts = /^\[?(?<host>.{1,253}?)\]?:(?<port>\d{1,5})$/.exec(address)?.groups;
  return parts ? target(parts.host, parts.port) : (addressIn(address) ?? target(address));
}

/** What stands before a page where people can read more: nobody calls it. */
const toRead = /\b(?:see|visit|more info(?:rmation)?|read more|learn more|docs?|documentation|refer to)\b[^.;]{0,40}$/i;
/** Hosts of nothing but such pages. */
const page = /^docs?\.|^(?:wiki|kb|support|help|learn)\.[\w-]+\.(?:com|io|org)$/i;
/** Characters before an address in which that is looked for. */
const maxInvitation = 60;

/** The port that a URL without one means. */
const schemePorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** The addresses that a sentence names, by the shapes that they stand in. */
function* addressesIn(text: string): Iterable<SignTarget> {
  const lower = text.toLowerCase();
  for (const [needs, pattern] of shapes) {
    if (!lower.includes(needs)) continue;
    for (const { groups, index } of text.matchAll(pattern).take(maxMatches)) {
      if (!groups?.host || notHosts.test(groups.host) || sourceFile.test(groups.host)) continue;
      if (page.test(groups.host) || toRead.test(text.slice(Math.max(0, index - maxInvitation), index))) continue;
      const found = target(groups.host, groups.port ?? schemePorts[groups.scheme?.toLowerCase() ?? '']);
      if (found) yield found;
    }
  }
}

/** The first address that a sentence names; nothing where it names none. */
export function addressIn(text: string): SignTarget | undefined {
  return Iterator.from(addressesIn(text)).next().value;
}

/** libpq before 14 asks for the port on the line behind that of the host. */
const askedPort = /\bTCP\/IP connections on port (\d{1,5})\?/;

/** The port that a line says of a host that another one names. */
export function portIn(text: string): number | undefined {
  const said = askedPort.exec(text)?.[1];
  return said === undefined ? undefined : Number(said);
}

/** Numbers, not a name: IPv4, or IPv6. */
const numeric = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:.%]*:[0-9a-f:.%]*)$/i;
/** Whom is then dialled is the proxy. */
const proxied = /proxyconnect|via proxy|through proxy/i;

/** pgx before 5.5: whom it was asked to connect to; the numbers behind that are what it tried. */
const askedFor = new RegExp(`\`host=(?<host>${host}) user=`);

/** The name of a Service beside the numbers that it was resolved to: `dial tcp 10.96.3.7:5432: … host=db.shop.svc`. */
const inCluster = /[= "'](?<host>[a-z\d][a-z\d.-]{1,250}\.svc(?:\.cluster\.local)?)(?![\w:@]|[.-]\w)/;

/** pgx: `10.0.5.3:5432 (db.shop.svc)`. */
const inBrackets = new RegExp(`^[^ ]{1,60} \\((?<host>${host})\\)`);

/** URLs without a port, by the port that their scheme means; the whole name, and not what is left of one in front of a port. */
const schemes: Readonly<Record<number, RegExp>> = {
  443: new RegExp(`\\bhttps://(?<host>${host})(?![\\w:@]|[.-]\\w)`),
  80: new RegExp(`\\bhttp://(?<host>${host})(?![\\w:@]|[.-]\\w)`),
};

/** The name in a URL of the same sentence that says its port by its scheme. */
function byScheme(port: number, text: string): SignTarget | undefined {
  const name = schemes[port]?.exec(text)?.groups?.host;
  return name === undefined || numeric.test(name) ? undefined : { host: name, port };
}

/**
 * The name in the same sentence that stands for an address of numbers, by its port (Go's `Get "http://api:8080": dial tcp
 * 10.96.3.7:8080`): what the name is resolved to changes, and the name is whom the program means.
 */
export function nameBeside(found: SignTarget, text: string): SignTarget {
  if (found.port === undefined || !numeric.test(found.host) || proxied.test(text)) return found;
  const bracketed = text.indexOf(`${found.host}:${found.port} (`);
  const pair = bracketed < 0 ? undefined : inBrackets.exec(text.slice(bracketed))?.groups?.host;
  if (pair !== undefined && !numeric.test(pair)) return { host: pair, port: found.port };
  const named = Iterator.from(addressesIn(text)).find(({ host, port }) => port === found.port && !numeric.test(host));
  const asked = named === undefined ? askedFor.exec(text)?.groups?.host : undefined;
  if (asked !== undefined && !numeric.test(asked)) return { host: asked, port: found.port };
  const service = inCluster.exec(text)?.groups?.host;
  return named ?? byScheme(found.port, text) ?? (service === undefined ? found : { host: service, port: found.port });
}
