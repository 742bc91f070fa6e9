import type { DeliveryReport, Outcome } from '../model/delivery.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { TokenBucket } from '../model/token-bucket.ts';
import { Circuit } from './circuit.ts';
import { askedWaitMs } from './retry.ts';
import type { DispatchedType } from './types.ts';

/** Attempts that run at once for one provider, each of another lane. */
const maxConcurrent = 4;

/** Why an attempt or a delivery failed, and the stream it belonged to. */
type LastFailure = NonNullable<DeliveryReport['failure']> & Pick<DeliveryReport, 'stream'>;

/** One provider as the dispatcher knows it: how it has been answering, and what it allows. Times are epoch milliseconds. */
export class Destination {
  readonly circuit: Circuit;
  readonly bucket: TokenBucket;
  #quietUntil = 0;
  #running = 0;
  #missingSecret: string | undefined;
  #lastFailure: LastFailure | undefined;

  /** One that nothing is known of yet. */
  constructor({ pacing }: DispatchedType, random: () => number, now: number) {
    this.circuit = new Circuit(random);
    this.bucket = new TokenBucket(pacing, now);
  }

  /** The product asked not to be called before. */
  get quietUntil(): number {
    return this.#quietUntil;
  }

  /** The last failure in this life of the process, of whichever stream. */
  get lastFailure(): LastFailure | undefined {
    return this.#lastFailure;
  }

  /** What its Secret lacks, in words, as long as nothing could be tried since. */
  get missingSecret(): string | undefined {
    return this.#missingSecret;
  }

  /** Whether another attempt may begin beside those that run. */
  hasRoom(): boolean {
    return this.#running < (this.circuit.probeAt === undefined ? maxConcurrent : 1);
  }

  idle(): boolean {
    return this.#running === 0;
  }

  attemptBegins(): void {
    this.#running += 1;
  }

  attemptEnds(): void {
    this.#running -= 1;
  }

  /** Learns from the outcome of an attempt whether and when the product wants to be asked again. */
  learn(outcome: Outcome, now: number): void {
    this.#missingSecret = undefined;
    this.circuit.learn(outcome, now);
    const asked = askedWaitMs(outcome);
    if (asked > 0) this.#quietUntil = Math.max(this.#quietUntil, now + asked);
  }

  /** Remembers what its Secret lacks. False when that is known already, so that it is told once. */
  learnMissing(what: string): boolean {
    const isNews = this.#missingSecret !== what;
    this.#missingSecret = what;
    return isNews;
  }

  /** Its spec or Secret changed: earlier failures no longer count. */
  changed(): void {
    this.circuit.close();
    this.#quietUntil = 0;
  }

  /** Remembers why something failed: what waits for long ends with that. */
  record({ ended, failure, stream }: DeliveryReport): void {
    if (failure && (ended === 'failed' || ended === 'pending')) this.#lastFailure = { ...failure, stream };
  }
}

/** The destinations of the providers that there are, by UID: a provider made anew under the same name begins anew. */
export class Destinations {
  readonly #byUid = new Map<string, Destination>();
  readonly #providers: () => ReadonlyMap<Ref, ProviderSettings>;
  readonly #make: (type: DispatchedType) => Destination;

  constructor(providers: () => ReadonlyMap<Ref, ProviderSettings>, make: (type: DispatchedType) => Destination) {
    this.#providers = providers;
    this.#make = make;
  }

  get(uid: string): Destination | undefined {
    return this.#byUid.get(uid);
  }

  of({ uid }: ProviderSettings, type: DispatchedType): Destination {
    const known = this.#byUid.get(uid);
    if (known) return known;
    this.#forgetDeleted();
    const made = this.#make(type);
    this.#byUid.set(uid, made);
    return made;
  }

  #forgetDeleted(): void {
    const uids = new Set([...this.#providers().values()].map(({ uid }) => uid));
    for (const [uid, destination] of this.#byUid) if (!uids.has(uid) && destination.idle()) this.#byUid.delete(uid);
  }
}
