import { changedAt } from '../dump/times.ts';
import type { RawObject } from '../model/raw-object.ts';
import type { Ref } from '../model/ref.ts';
import type { WritableWorld } from '../world/view/world.ts';

/** Nothing is said to have been so for longer (ms): what has gone leaves no time, and it may have gone since. */
const longestMs = 60 * 60_000;

/**
 * Since when things in a dump have been as they are. Much of what is wrong has no time of its own: a Service selects nothing, a budget allows
 * nothing. But it has been so since the last of what it is judged by became what it is, and objects tell that: when they were made and written,
 * when their conditions turned, when their containers began and ended.
 */
export class HeldSince {
  readonly #now: number;
  readonly #latest: number;
  readonly #changedAt = new Map<Ref, number>();

  /** `now`: when the dump was written; `latest`: what is met has been so since then at the latest. Epoch milliseconds. */
  constructor(now: number, latest: number) {
    this.#now = now;
    this.#latest = latest;
  }

  /** Notes an object, before it is taken in. */
  note(ref: Ref, raw: RawObject, json: string): void {
    const at = changedAt(raw, json, this.#now);
    if (at > 0) this.#changedAt.set(ref, at);
  }

  /** All objects have been taken in: what one is judged by, the other is. */
  spread(world: Pick<WritableWorld, 'concernedBy'>): void {
    for (const [ref, at] of [...this.#changedAt])
      for (const concerned of world.concernedBy(ref)) {
        const known = this.#changedAt.get(concerned);
        if (known !== undefined && known < at) this.#changedAt.set(concerned, at);
      }
  }

  /** Epoch milliseconds. */
  of = (ref: Ref): number => {
    const at = this.#changedAt.get(ref) ?? this.#latest;
    return Math.min(Math.max(at, this.#now - longestMs), this.#latest);
  };
}
