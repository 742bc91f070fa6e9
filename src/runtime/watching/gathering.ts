import type { Clock } from '../../model/clock.ts';
import type { ObjectEvent } from '../../model/raw-object.ts';

/**
 * Hands over what changes in one source at most every so often, each object as it is then: a Lease that is renewed every 2 s asks
 * for no turn of its own. Nothing is lost and nothing comes out of order; `flush` hands over at once.
 */
export class Gathering {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #handOver: (events: readonly ObjectEvent[]) => void;
  /** The newest of each object, in the order in which they came. */
  readonly #waiting = new Map<string, ObjectEvent>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, everyMs: number, handOver: (events: readonly ObjectEvent[]) => void) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#handOver = handOver;
  }

  add(events: readonly ObjectEvent[]): void {
    for (const event of events) {
      const { namespace = '', name, uid = '' } = event.raw.metadata;
      // What was made anew under a name is another object: what went before it is told first.
      const key = `${namespace}/${name}/${uid}`;
      this.#waiting.delete(key);
      this.#waiting.set(key, event);
    }
    if (this.#waiting.size > 0) this.#cancel ??= this.#clock.after(this.#everyMs, () => this.flush());
  }

  /** Hands over what waits. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.size === 0) return;
    const events = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#handOver(events);
  }
}
