import { type BackoffRange, backoffMs, jittered } from '../model/backoff.ts';
import type { Outcome } from '../model/delivery.ts';

/** Consecutive failures after which a provider is probed by one delivery at a time. */
const failuresToOpen = 5;
/** Between probes. */
const probeWaits: BackoffRange = { firstMs: 5_000, longestMs: 5 * 60_000 };

/**
 * What an outcome says about the product, whatever happened to the message: that it works, that it does not, or nothing. A product that
 * refuses one message works for the next; one that refuses our credentials does not.
 */
export function healthShownBy(outcome: Outcome): 'healthy' | 'failing' | undefined {
  if (outcome.is === 'delivered') return 'healthy';
  if (outcome.is === 'retryable') return 'failing';
  return outcome.is === 'permanent' && outcome.credential ? 'failing' : undefined;
}

/** Whether a provider is worth asking. Waiting for it spends no attempt. Times are epoch milliseconds. */
export class Circuit {
  readonly #random: () => number;
  #failures = 0;
  #probeAt: number | undefined;
  #openSince: number | undefined;

  /** A closed circuit. `random`: from 0 up to 1, for the jitter (half of each wait is fixed). */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** When the next probe is due while it is open, `undefined` while it is closed. */
  get probeAt(): number | undefined {
    return this.#probeAt;
  }

  /** Since when it has been open. */
  get openSince(): number | undefined {
    return this.#openSince;
  }

  close(): void {
    this.#failures = 0;
    this.#probeAt = undefined;
    this.#openSince = undefined;
  }

  /** Learns from an attempt that has ended. */
  learn(outcome: Outcome, now: number): void {
    const health = healthShownBy(outcome);
    if (health === 'healthy') this.close();
    if (health !== 'failing') return;
    this.#failures += 1;
    if (this.#failures < failuresToOpen) return;
    this.#openSince ??= now;
    this.#probeAt = now + jittered(backoffMs(probeWaits, this.#failures - failuresToOpen + 1), 0.5, this.#random());
  }
}
