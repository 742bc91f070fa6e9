import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Guard } from './views.ts';

/** What the cluster says of whoever presents a token. */
export type Verdict = Awaited<ReturnType<Guard['authorize']>>;

/** A verdict holds for so long (ms): a right that is taken is gone soon, and a page that asks for its parts asks once. */
const holdsMs = 10_000;
/** Verdicts that are remembered at most. */
const maxVerdicts = 1_000;

/** What the cluster has said of tokens of late, which are not kept: only their hashes are. */
export class Verdicts {
  readonly #now: () => number;
  /** Hash → verdict, the oldest first. */
  readonly #known = new Map<string, { readonly verdict: Verdict; readonly at: number }>();

  /** `now`: milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What is known of a token that asks for a path. */
  get(token: string, path: string): Verdict | undefined {
    const found = this.#known.get(keyOf(token, path));
    const age = found && this.#now() - found.at;
    return age !== undefined && age >= 0 && age < holdsMs ? found?.verdict : undefined;
  }

  /** The cluster has said so. */
  set(token: string, path: string, verdict: Verdict): void {
    const key = keyOf(token, path);
    this.#known.delete(key);
    this.#known.set(key, { verdict, at: this.#now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxVerdicts && oldest !== undefined) this.#known.delete(oldest);
  }
}

const keyOf = (token: string, path: string): string =>
  createHash('sha256').update(path).update('\0').update(token).digest('base64url');

/** Tokens that one address may have the cluster asked about: so many at once, and one more every so many milliseconds. */
const allowance = { atOnce: 10, everyMs: 1_000 };
/** Addresses that are remembered at most. */
const maxAddresses = 1_000;

/** A bucket of questions for each address, so that who invents tokens keeps nobody else from asking. */
export class Buckets {
  readonly #now: () => number;
  /** Address → how many it may ask at `at`. */
  readonly #left = new Map<string, { readonly count: number; readonly at: number }>();

  /** `now`: milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether this one may ask now; counted if so. */
  take(request: IncomingMessage): boolean {
    const key = networkOf(request.socket.remoteAddress ?? '');
    const now = this.#now();
    const { count, at } = this.#left.get(key) ?? { count: allowance.atOnce, at: now };
    const refilled = Math.min(allowance.atOnce, count + Math.max(0, now - at) / allowance.everyMs);
    const may = refilled >= 1;
    this.#left.delete(key);
    this.#left.set(key, { count: may ? refilled - 1 : refilled, at: now });
    const [oldest] = this.#left.keys();
    if (this.#left.size > maxAddresses && oldest !== undefined) this.#left.delete(oldest);
    return may;
  }
}

/** Whoever has one address of IPv6 has its /64. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain)) return plain;
  const [before = '', after = ''] = plain.replace(/%.*$/, '').split('::');
  const head = before.split(':').filter((group) => group !== '');
  const tail = after.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
