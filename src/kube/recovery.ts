import { Backoff, type BackoffRange, backoffMs, jittered } from '../model/backoff.ts';
import type { Clock } from '../model/clock.ts';
import { ApiError } from './api-client.ts';
import type { CoverageReporter } from './coverage-reporter.ts';
import { kindOfFailure, type Reaction, reactions } from './failure.ts';
import type { Prober } from './prober.ts';
import { sleep } from './sleep.ts';

/** client-go's reflector: 0.8 s doubling to 30 s. */
const reflectorWaits: BackoffRange = { firstMs: 800, longestMs: 30_000 };
/** No `Retry-After` is waited for longer than this: nobody sees anything of the kind meanwhile. */
const maxRetryAfterMs = 30_000;
/** Spread over those whom the server sent away at the same time. */
const retryAfterJitterMs = 1_000;
/** `Denied` after so many refusals within this time. */
const refusals = { count: 3, withinMs: 30_000, maxWaitMs: 10_000 };
/** Who is denied asks again soon: three bad answers are not to cost five minutes. */
const deniedWaits: BackoffRange = { firstMs: 30_000, longestMs: 300_000 };
const deniedJitter = 0.2;

/** What a recovery needs. */
export type RecoveryOptions = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly prober: Prober;
  readonly coverage: CoverageReporter;
};

/** The waiting part of the table in failure.ts: as long as a failure asks for, and what coverage there is meanwhile. */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #waits: Readonly<Record<Reaction['wait'], () => Promise<void>>>;
  readonly #watchBackoff: Backoff;
  readonly #requestBackoff: Backoff;
  /** When we were refused lately. */
  #refusedAt: number[] = [];
  /** How often in a row it was believed. */
  #denied = 0;
  /** Failures in a row without any answer. */
  #unanswered = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#watchBackoff = new Backoff(reflectorWaits, options.random);
    this.#requestBackoff = new Backoff(reflectorWaits, options.random);
    this.#waits = {
      prober: () => this.#untilTheServerAnswers(),
      requestBackoff: () => this.#sleep(this.#requestBackoff.next()),
      watchBackoff: () => this.#sleep(this.#watchBackoff.next()),
      permission: () => this.#permission(),
    };
  }

  /** Resolves when it is time to try again; rejects when the signal fires. */
  async after(error: unknown): Promise<void> {
    const { coverage, random } = this.#options;
    const kind = kindOfFailure(error);
    const { state, reason, wait } = reactions[kind];
    // Still denied is no news.
    if (kind !== 'forbidden' || coverage.state !== 'Denied') coverage.trouble(state, reason);
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
    if (retryAfterMs === undefined) await this.#waits[wait]();
    else await this.#sleep(Math.min(retryAfterMs, maxRetryAfterMs) + retryAfterJitterMs * random());
  }

  /** An answer began to arrive. */
  answered(): void {
    this.#requestBackoff.reset();
    this.#unanswered = 0;
    this.#denied = 0;
  }

  /** A watch has lived a while. */
  watched(): void {
    this.#watchBackoff.reset();
  }

  #sleep(milliseconds: number): Promise<void> {
    return sleep(this.#options.clock, milliseconds, this.#options.signal);
  }

  async #untilTheServerAnswers(): Promise<void> {
    // The server answers the prober but not us: more than two in a row is no outage of the server. That lists are answered
    // in between does not make the next watch come sooner.
    if (++this.#unanswered > 2) await this.#sleep(this.#watchBackoff.next());
    await this.#options.prober.wait(this.#options.signal);
  }

  /** A starting API server answers 403 to everyone, so it is believed only when it says so thrice while it is ready. */
  async #permission(): Promise<void> {
    const { clock, coverage, prober, signal } = this.#options;
    const now = clock.monotonic();
    this.#refusedAt = [...this.#refusedAt.filter((at) => now - at < refusals.withinMs), now];
    const believed =
      coverage.state === 'Denied' || (this.#refusedAt.length >= refusals.count && (await prober.ready(signal)));
    if (believed) coverage.set('Denied', 'Forbidden');
    const waitMs = believed
      ? jittered(backoffMs(deniedWaits, ++this.#denied), deniedJitter, this.#options.random())
      : Math.min(this.#requestBackoff.next(), refusals.maxWaitMs);
    await this.#sleep(waitMs);
  }
}
