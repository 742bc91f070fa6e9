import { type Clock, callAt } from '../model/clock.ts';

/** What is to be done later, by key: one appointment per key, the newest counts. */
export class Timetable {
  readonly #clock: Clock;
  readonly #cancels = new Map<string, () => void>();
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does it at an instant (epoch milliseconds), at once when that is past; `undefined`: never. Nothing after `stop`. */
  at(key: string, at: number | undefined, action: () => void): void {
    this.cancel(key);
    if (this.#stopped || at === undefined) return;
    const due = (): void => {
      this.#cancels.delete(key);
      action();
    };
    this.#cancels.set(key, callAt(this.#clock, at, due));
  }

  /** It is not done. */
  cancel(key: string): void {
    this.#cancels.get(key)?.();
    this.#cancels.delete(key);
  }

  /** Nothing is done any more. */
  stop(): void {
    this.#stopped = true;
    for (const key of [...this.#cancels.keys()]) this.cancel(key);
  }
}
