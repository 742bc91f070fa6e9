import type { Clock } from './clock.ts';

/** Host and anchored time that differ by no more than this agree; also the least jump that counts as a step. Milliseconds. */
const toleranceMs = 1_000;
/** A step forward is believed when it has lasted this long: one that is taken back at once would end every wait. Milliseconds. */
const beliefMs = 30_000;
/** How much faster or slower than real time it may run to meet the host's, as a share: a wait of a minute takes at most 67 s. */
const slewShare = 0.1;

/**
 * One story of time for everything that compares instants: begins at the host's time, goes on at the pace of real time, and
 * never goes back.
 *
 * A host's clock that is set back is met by running a tenth slower, so nothing waits for the lost time. One that is set forward
 * is followed in one jump once that has lasted 30 s; so is a machine that slept, whose real time stood still. Smaller
 * differences are met at the same gentle pace.
 */
export class AnchoredClock implements Clock {
  readonly #host: Clock;
  readonly #stepped: (milliseconds: number) => void;
  /** Host's time less real time as last seen: it changes only when the host's is set. */
  #offset: number;
  /** When the host's clock was last set, by real time. */
  #steppedAt = Number.NEGATIVE_INFINITY;
  /** Real time when last asked, and what was answered then. */
  #askedAt: number;
  #now: number;

  /** `host`: may be set in both directions. `stepped` is told of each step of the host's clock, in milliseconds, forward positive. */
  constructor(host: Clock, stepped: (milliseconds: number) => void) {
    this.#host = host;
    this.#stepped = stepped;
    this.#now = host.now();
    this.#askedAt = host.monotonic();
    this.#offset = this.#now - this.#askedAt;
  }

  now(): number {
    const realTime = this.#host.monotonic();
    const hostTime = this.#host.now();
    this.#noticeStep(hostTime - realTime, realTime);
    const elapsed = realTime - this.#askedAt;
    this.#askedAt = realTime;
    this.#now += elapsed;
    const behind = hostTime - this.#now;
    const believed = realTime - this.#steppedAt >= beliefMs;
    if (behind > toleranceMs && believed) this.#now = hostTime;
    else this.#now += Math.max(-elapsed * slewShare, Math.min(behind, elapsed * slewShare));
    return Math.floor(this.#now);
  }

  monotonic(): number {
    return this.#host.monotonic();
  }

  after(milliseconds: number, action: () => void): () => void {
    return this.#host.after(milliseconds, action);
  }

  #noticeStep(offset: number, realTime: number): void {
    const step = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(step) < toleranceMs) return;
    this.#steppedAt = realTime;
    this.#stepped(Math.round(step));
  }
}
