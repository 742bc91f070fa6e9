import type { Clock } from '../model/clock.ts';

/** Who waits until what was appended by then is saved. Nobody waits long: after `patienceMs` all are let go. */
export class Waiters {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #impatient: () => void;
  #count = 0;
  #saved = 0;
  #waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #cancel: (() => void) | undefined;

  /** `impatient` is called when somebody has waited for too long. */
  constructor(clock: Clock, patienceMs: number, impatient: () => void) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#impatient = impatient;
  }

  /** How many transactions there were so far. */
  get count(): number {
    return this.#count;
  }

  /** One more transaction that is to be saved. */
  appended(): void {
    this.#count += 1;
  }

  /** Resolves when all transactions so far are saved; `undefined` when they are. */
  wait(): Promise<void> | undefined {
    if (this.#saved >= this.#count) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ upTo: this.#count, resolve });
    this.#watch();
    return promise;
  }

  /** The first `upTo` transactions are saved. */
  reached(upTo: number): void {
    this.#saved = Math.max(this.#saved, upTo);
    const ready = this.#waiting.filter((each) => each.upTo <= this.#saved);
    this.#waiting = this.#waiting.filter((each) => each.upTo > this.#saved);
    for (const { resolve } of ready) resolve();
    this.#cancel?.();
    this.#cancel = undefined;
    this.#watch();
  }

  /** Lets everybody go. */
  release(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  #watch(): void {
    if (this.#waiting.length > 0) this.#cancel ??= this.#clock.after(this.#patienceMs, () => this.#giveUp());
  }

  /** Where it was this process that took so long, the answer is there and only has to be heard. */
  #giveUp(): void {
    const [longest] = this.#waiting;
    setImmediate(() => {
      if (longest !== undefined && this.#waiting.includes(longest)) this.#impatient();
    });
  }
}
