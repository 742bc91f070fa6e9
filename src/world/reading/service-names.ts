/**
 * Hosts in the texts of a Pod's template that can be Services of the cluster, or are outside it. Only what stands where a host
 * stands is read, and nothing else of a text is kept: not the user before it, not the path behind it, no value.
 */

/** Characters of one text that are looked at; the lists of hosts that programs are given are shorter. */
const longestText = 16_384;
/** Hosts that are kept of one object. */
export const mostServices = 32;
/** Hosts in one list: `kafka-0.kafka:9092,kafka-1.kafka:9092`. */
const longestList = 16;

/** Variables and flags whose whole value is a host, by how they are called: `DB_HOST`, `--redis-addr`. */
const namesHost =
  /(?:host|hosts|hostname|addr|address|addresses|endpoint|endpoints|server|servers|brokers?|upstream|backend|url|uri)$/i;

/** The authority of a URL, without its user: `postgres://app:…@db:5432/shop`. */
const ofUrl =
  /(?:\b(?<scheme>https?))?:\/\/(?:[^\s/@"'`]{0,256}@)?(?<host>[a-z0-9](?:[a-z0-9.-]{0,252}))(?::(?<port>\d{1,5}))?(?=[:/?#\s"'`,;)\]}]|$)/gi;
/** A host with a port, as a word of its own: `db:5432`. */
const withPort = /(?:^|[\s"'`,;=@(/[])(?<host>[a-z0-9][a-z0-9.-]{0,252}):(?<port>[0-9]{2,5})(?![\w.:-])/gi;
/** A name that says that it is a Service's: `db.data.svc.cluster.local`. */
const inFull = /(?:^|[^a-z0-9.-])(?<host>(?:[a-z0-9-]{1,63}\.){2,3}svc)(?![a-z0-9-])/gi;

const label = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A Pod of a StatefulSet by its own name, which its Service publishes: `kafka-0.kafka`. */
const ordinal = /-\d+$/;

/** The port that a URL without one means. */
const schemePorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** A host outside: a name of three labels or more, as public names and those of companies have. */
const outside = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){2,8}[a-z]{2,63}$/;
const isOutside = (host: string): boolean =>
  host.length < 254 && outside.test(host) && !/\.(?:svc|local)(?:\.|$)/.test(host);

/** The Service that a host is, `db` or `db.data`; `undefined`: it is none of the cluster. */
export function serviceOfHost(host: string): string | undefined {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const svc = labels.indexOf('svc');
  const [name, namespace] = svc < 0 ? short(labels) : [labels[svc - 2], labels[svc - 1]];
  if (name === undefined || !label.test(name) || name === 'localhost') return undefined;
  if (namespace === undefined) return svc < 0 ? name : undefined;
  return label.test(namespace) ? `${name}.${namespace}` : undefined;
}

/** Of a name without `svc`: `db`, `db.data`, `db-0.db`, `db-0.db.data`. */
function short([first = '', second, third, ...more]: readonly string[]): readonly (string | undefined)[] {
  if (more.length > 0) return [];
  if (second !== undefined && ordinal.test(first)) return [second, third];
  return third === undefined ? [first, second] : [];
}

/** Reads texts for hosts one after the other, and holds what it found. */
export class ServiceNames {
  readonly #found = new Set<string>();
  readonly #outside = new Set<string>();
  readonly #ports = new Set<string>();

  /** A variable with its value, or a flag with its. */
  setting(name: string, value: string): void {
    this.text(value);
    if (namesHost.test(name) && value.length < 1024 && !value.includes('/'))
      for (const host of value.split(',', longestList)) this.#add(host.trim());
  }

  /** Arguments of a program: `--db-host=db`, `--db-host db`, `http://db:80`. */
  args(args: readonly unknown[]): void {
    let flag = '';
    for (const arg of args) {
      if (typeof arg !== 'string') continue;
      const is = arg.indexOf('=');
      if (arg.startsWith('-') && is > 0) this.setting(arg.slice(0, is), arg.slice(is + 1));
      else this.setting(flag, arg);
      flag = arg.startsWith('-') && is < 0 ? arg : '';
    }
  }

  /** Any text. */
  text(whole: string): void {
    // Most values are neither.
    if (!whole.includes(':') && !whole.includes('.svc')) return;
    const text = whole.length > longestText ? whole.slice(0, longestText) : whole;
    for (const pattern of [ofUrl, withPort, inFull])
      for (const { groups: { host = '', port, scheme = '' } = {} } of text.matchAll(pattern))
        this.#add(host, port ?? schemePorts[scheme.toLowerCase()]);
  }

  #add(host: string, port?: string): void {
    if (host === '') return;
    const service = serviceOfHost(host);
    const name = host.toLowerCase().replace(/\.$/, '');
    if (service !== undefined) {
      if (this.#found.size < mostServices) this.#found.add(service);
      if (port !== undefined && this.#ports.size < mostServices) this.#ports.add(`${service}:${port}`);
    } else if (this.#outside.size < mostServices && isOutside(name)) this.#outside.add(name);
  }

  /** The Services, sorted; `undefined`: none. */
  all(): readonly string[] | undefined {
    return this.#found.size === 0 ? undefined : [...this.#found].sort();
  }

  /** The Services with the ports that are asked of them, `db:5432`, in the same way. */
  ports(): readonly string[] | undefined {
    return this.#ports.size === 0 ? undefined : [...this.#ports].sort();
  }

  /** The hosts outside the cluster, in the same way. */
  hosts(): readonly string[] | undefined {
    return this.#outside.size === 0 ? undefined : [...this.#outside].sort();
  }
}
