import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../model/clock.ts';
import { type EditionSource, type LicenseSource, type LicenseStanding, withoutLicense } from '../model/license.ts';
import { openSecret, type Secret } from '../model/secret.ts';
import type { LicenseClaims } from './claims.ts';
import type { LicenseKeys } from './keys.ts';
import {
  judgeLicense,
  judgeTrial,
  type LastKnown,
  type Unusable,
  unreadStanding,
  unusableStanding,
  unusableToken,
} from './standing.ts';
import { checkToken } from './token.ts';

/**
 * What reading the licence came to. `trialSince`: when the trial began (epoch milliseconds). `unread`: why the API server could not be asked, a clause;
 * it says nothing of the licence.
 */
export type LicenseReading =
  | { readonly token: Secret }
  | { readonly trialSince: number }
  | { readonly unusable: Unusable }
  | { readonly unread: string };

/** What the AlertConfig says, besides where the licence is. */
export type LicenseSurroundings = {
  /** What its status says that was known last. */
  readonly before?: LastKnown;
  /** An instant that is surely past (epoch milliseconds), by another clock than that of this host. */
  readonly notBefore: number;
};

/** What the watch works with. */
export type LicenseWatchOptions = {
  /** Never goes back. */
  readonly clock: Clock;
  readonly clusterId: string;
  readonly keys: LicenseKeys;
  /** Never rejects. */
  readonly read: (source: EditionSource) => Promise<LicenseReading>;
  readonly changed: (standing: LicenseStanding, before: LicenseStanding) => void;
};

/** What is known of the licence: believed claims, or why there are none. */
type Known =
  | { readonly claims: LicenseClaims }
  | { readonly trialSince: number }
  | { readonly unusable: Unusable }
  | { readonly unread: string };

/** The licence is read and judged again after this; milliseconds. As the Secrets of providers are. */
const recheckMs = { claims: 60_000, unusable: 10_000, unread: 2_000 } as const;
/**
 * What was known before goes on for so long when the licence becomes unusable: a Secret is replaced by deleting it first, and a
 * wrong token is a mistake to be mended. Milliseconds.
 */
const toleranceMs = 600_000;
/** The start waits for so long for a licence that the API server cannot be asked for. Milliseconds. */
const patienceMs = 30_000;

/** Follows the licence: reads it once a minute, and judges it whenever it or the time changes what it gives. */
export class LicenseWatch {
  readonly #options: LicenseWatchOptions;
  readonly #settled = Promise.withResolvers<void>();
  #source: EditionSource | undefined;
  #surroundings: LicenseSurroundings = { notBefore: 0 };
  #known: Known | undefined;
  /** What was last believed, whatever has been read since. */
  #believed: LicenseClaims | undefined;
  /** Until when what was known before goes on, while the licence is unusable; epoch milliseconds. */
  #toleratedUntil: number | undefined;
  #standing: LicenseStanding = withoutLicense;
  #cancel: (() => void) | undefined;
  #cancelPatience: (() => void) | undefined;
  /** Which look is the newest: an older answer says nothing. */
  #looks = 0;

  constructor(options: LicenseWatchOptions) {
    this.#options = options;
  }

  /** How the licence stands now. */
  standing(): LicenseStanding {
    return this.#standing;
  }

  /** Resolves when the licence has been looked at, or could not be for so long that the start cannot wait. */
  settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Where the licence is from now on; `undefined`: none is configured. */
  use(source: EditionSource | undefined, surroundings: LicenseSurroundings): void {
    this.#surroundings = surroundings;
    if (this.#looks === 0) this.#cancelPatience = this.#options.clock.after(patienceMs, () => this.#settle());
    else if (isSameSource(this.#source, source)) return;
    this.#source = source;
    void this.#look();
  }

  /** Nothing is read any more. */
  stop(): void {
    this.#looks += 1;
    this.#source = undefined;
    this.#cancel?.();
    this.#settle();
  }

  #settle(): void {
    this.#cancelPatience?.();
    this.#settled.resolve();
  }

  async #look(): Promise<void> {
    const look = ++this.#looks;
    this.#cancel?.();
    this.#cancel = undefined;
    const known = this.#source && (await this.#ask(this.#source));
    if (look !== this.#looks) return;
    this.#take(known);
    this.#judge();
    if (known === undefined || !('unread' in known)) this.#settle();
  }

  async #ask(source: EditionSource): Promise<Known> {
    const reading = await this.#options.read(source);
    if (!('token' in reading)) return reading;
    const checked = await checkToken(openSecret(reading.token), this.#options.keys);
    return 'claims' in checked ? checked : { unusable: unusableToken(checked.flaw, checked.detail) };
  }

  #take(known: Known | undefined): void {
    // What cannot be read is as it was.
    if (known && 'unread' in known && this.#known) return;
    this.#known = known;
    if (known === undefined || 'trialSince' in known) this.#believed = undefined;
    if (known && 'claims' in known) this.#believed = known.claims;
    if (known && 'unusable' in known) this.#toleratedUntil ??= this.#now() + toleranceMs;
    else this.#toleratedUntil = undefined;
  }

  #judge(): void {
    const before = this.#standing;
    this.#standing = this.#judged();
    this.#appoint();
    if (!isDeepStrictEqual(before, this.#standing)) this.#options.changed(this.#standing, before);
  }

  #judged(): LicenseStanding {
    const known = this.#known;
    if (known === undefined) return withoutLicense;
    const now = this.#now();
    if ('trialSince' in known) return judgeTrial(known.trialSince, now);
    const believed = this.#believed && judgeLicense(this.#believed, this.#options.clusterId, now);
    if ('claims' in known) return believed ?? withoutLicense;
    const before = believed ?? this.#surroundings.before;
    if ('unread' in known) return unreadStanding(known.unread, before, now);
    return unusableStanding(known.unusable, before, this.#toleratedUntil ?? now, now);
  }

  /** Epoch milliseconds. A host's clock that was set back before the start does not revive a licence. */
  #now(): number {
    const issuedAt = (this.#believed?.iat ?? 0) * 1000;
    return Math.max(this.#options.clock.now(), this.#surroundings.notBefore, issuedAt);
  }

  /** Looks again in a while, or when time alone changes the standing. */
  #appoint(): void {
    const known = this.#known;
    if (known === undefined) return;
    const often =
      'claims' in known || 'trialSince' in known
        ? recheckMs.claims
        : 'unread' in known
          ? recheckMs.unread
          : recheckMs.unusable;
    const { changesAt } = this.#standing;
    const waitMs = changesAt === undefined ? often : Math.min(often, Math.max(1, changesAt - this.#now()));
    this.#cancel = this.#options.clock.after(waitMs, () => void this.#look());
  }
}

function isSameSource(a: EditionSource | undefined, b: EditionSource | undefined): boolean {
  if (a === 'trial' || b === 'trial') return a === b;
  const inlineOf = (source: LicenseSource | undefined): string | undefined =>
    source?.inline && openSecret(source.inline);
  return isDeepStrictEqual(a?.location, b?.location) && inlineOf(a) === inlineOf(b);
}
