import type { Clock } from '../model/clock.ts';
import { ApiError } from './api-client.ts';
import { createBackoff } from './backoff.ts';
import type { CoverageReporter } from './coverage-reporter.ts';
import { type FailureKind, kindOfFailure, type Reaction, reactions } from './failure.ts';
import type { Prober } from './prober.ts';
import { sleep } from './sleep.ts';

/** Waits as long as a failure asks for, and says what coverage there is meanwhile. One per reflector. */
export type Recovery = {
  /** Resolves when it is time to try again; rejects when the signal fires. */
  after(error: unknown): Promise<void>;
  /** An answer began to arrive. */
  answered(): void;
  /** A watch has lived a while. */
  watched(): void;
};

/** Spread over those whom the server sent away at the same time. */
const retryAfterJitterMs = 1_000;
/** `Denied` after so many refusals within this time. */
const refusals = { count: 3, withinMs: 30_000, maxWaitMs: 10_000, retryMs: 300_000 };

/** What a recovery needs. */
export type RecoveryOptions = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly prober: Prober;
  readonly coverage: CoverageReporter;
};

/** The waiting part of the table in failure.ts. */
export function createRecovery({ clock, random, signal, prober, coverage }: RecoveryOptions): Recovery {
  const requestBackoff = createBackoff(random);
  const watchBackoff = createBackoff(random);
  let refusedAt: number[] = [];
  let unanswered = 0;

  /** A starting API server answers 403 to everyone, so it is believed only when it says so thrice while it is ready. */
  async function permission(): Promise<void> {
    const now = clock.now();
    refusedAt = [...refusedAt.filter((at) => now - at < refusals.withinMs), now];
    const believed =
      coverage.state() === 'Denied' || (refusedAt.length >= refusals.count && (await prober.ready(signal)));
    if (believed) coverage.set('Denied', 'Forbidden');
    const wait = believed ? refusals.retryMs : Math.min(requestBackoff.next(), refusals.maxWaitMs);
    await sleep(clock, wait, signal);
  }

  const waits: Readonly<Record<Reaction['wait'], () => Promise<void>>> = {
    async prober() {
      // The server answers the prober but not us: more than two in a row is no outage of the server.
      if (++unanswered > 2) await sleep(clock, requestBackoff.next(), signal);
      await prober.wait(signal);
    },
    requestBackoff: () => sleep(clock, requestBackoff.next(), signal),
    watchBackoff: () => sleep(clock, watchBackoff.next(), signal),
    permission,
  };

  return {
    async after(error) {
      const kind: FailureKind = kindOfFailure(error);
      const { state, reason, wait } = reactions[kind];
      // Still denied is no news.
      if (kind !== 'forbidden' || coverage.state() !== 'Denied') coverage.trouble(state, reason);
      const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
      if (retryAfterMs === undefined) await waits[wait]();
      else await sleep(clock, retryAfterMs + retryAfterJitterMs * random(), signal);
    },
    answered() {
      requestBackoff.reset();
      unanswered = 0;
    },
    watched: () => watchBackoff.reset(),
  };
}
