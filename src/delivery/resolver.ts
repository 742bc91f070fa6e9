import type { LookupAddress } from 'node:dns';
import { Resolver as DnsClient } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '../model/clock.ts';
import { addressesInHosts, candidateNames, parseSearchRules } from './resolv-conf.ts';

/** Milliseconds until a query is sent again, and how often it is sent to each name server. */
const queryTimeoutMs = 2_000;
const tries = 2;
/** Milliseconds for a name with all its search domains: less than for a connection, so that the error names what failed. */
const lookupTimeoutMs = 8_000;
/** Addresses of one name that are looked at; each costs a check. */
const maxAddresses = 32;

/** What a name server says when the name is not there, or has no address of this family. */
const absent: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);
/** After these the next search domain is asked, as glibc does; after anything else there is no point. */
const passable: ReadonlySet<string> = new Set([...absent, 'ESERVFAIL']);

/** A name that did not resolve. `code`: `ENOTFOUND` when it does not exist, `EAI_AGAIN` when that could not be found out. */
class ResolveError extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN';
  constructor(name: string, code: ResolveError['code']) {
    super(`${name}: ${code}`);
    this.name = 'ResolveError';
    this.code = code;
  }
}

/** What turns names into addresses. */
export type Names = Pick<Resolver, 'resolve'>;

/** Where a resolver reads its rules from. */
export type ResolverOptions = {
  readonly clock: Clock;
  /** The files of the system, read at each lookup; another place for tests. */
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  /** Name servers (`127.0.0.1:5353`) instead of the system's. */
  readonly servers?: readonly string[];
};

/**
 * Resolves names as the Pod does (hosts file, search domains, `ndots`), but never on the thread pool of the process: there
 * `getaddrinfo` waits for a name server that is silent, and every other lookup and file access waits behind it.
 */
export class Resolver {
  readonly #options: ResolverOptions;
  /** One lookup per name at a time, whoever asks: a hundred deliveries to one host are one question. */
  readonly #underWay = new Map<string, Promise<readonly LookupAddress[]>>();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  /** The addresses of a name or literal address, IPv4 first. Rejects with `code` `ENOTFOUND` or `EAI_AGAIN` within 8 s. */
  resolve(name: string): Promise<readonly LookupAddress[]> {
    const known = this.#underWay.get(name);
    if (known) return known;
    const lookup = this.#lookUp(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, lookup);
    return lookup;
  }

  async #lookUp(name: string): Promise<readonly LookupAddress[]> {
    const literal = isIP(name);
    if (literal !== 0) return [{ address: name, family: literal }];
    const { hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf' } = this.#options;
    const local = addressesInHosts(textOf(hostsFile), name);
    if (local.length > 0) return sorted(local);
    // RFC 6761: never a question to a name server.
    if (/^(?:.+\.)?localhost\.?$/i.test(name)) return sorted(['127.0.0.1', '::1']);
    return this.#ask(name, candidateNames(name, parseSearchRules(textOf(resolvConf))));
  }

  async #ask(name: string, candidates: readonly string[]): Promise<readonly LookupAddress[]> {
    // A client of its own: its sockets and clocks are no other lookup's, and it can be stopped.
    const client = new DnsClient({ timeout: queryTimeoutMs, tries });
    if (this.#options.servers) client.setServers(this.#options.servers);
    let late = false;
    const cancel = this.#options.clock.after(lookupTimeoutMs, () => {
      late = true;
      client.cancel();
    });
    try {
      let uncertain = false;
      for (const candidate of candidates) {
        const { addresses, failures } = await query(client, candidate);
        if (addresses.length > 0) return sorted(addresses);
        uncertain ||= failures.some((code) => !absent.has(code));
        if (late || failures.some((code) => !passable.has(code))) break;
      }
      throw new ResolveError(name, uncertain ? 'EAI_AGAIN' : 'ENOTFOUND');
    } finally {
      cancel();
    }
  }
}

/** Both families at once; one that fails does not spoil the other. */
async function query(
  client: DnsClient,
  name: string,
): Promise<{ readonly addresses: readonly string[]; readonly failures: readonly string[] }> {
  const answers = await Promise.allSettled([client.resolve4(name), client.resolve6(name)]);
  return {
    addresses: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    failures: answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : [])),
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'error';
}

/** A system without the file has no such rules. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function sorted(addresses: readonly string[]): readonly LookupAddress[] {
  return addresses
    .slice(0, maxAddresses)
    .map((address) => ({ address, family: isIP(address) }))
    .filter(({ family }) => family !== 0)
    .toSorted((a, b) => a.family - b.family);
}
