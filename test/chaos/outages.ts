import { setTimeout as delay } from 'node:timers/promises';
import { type ChaosReceiver, moods } from './receiver.ts';

/** How long a product is out, and how long it is well in between; milliseconds. */
const spans = { out: { least: 5_000, most: 45_000 }, well: { least: 5_000, most: 30_000 } } as const;

/** Makes one receiver fail at random, in every way it knows, until told to end. */
export class Outages {
  readonly #receiver: ChaosReceiver;
  readonly #random: () => number;
  readonly #ending = new AbortController();
  #count = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(receiver: ChaosReceiver, random: () => number) {
    this.#receiver = receiver;
    this.#random = random;
  }

  /** Outages so far. */
  get count(): number {
    return this.#count;
  }

  /** Begins. */
  start(): void {
    this.#work = this.#run();
  }

  /** Resolves when the receiver is well and stays so. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#work;
    this.#receiver.feel('well');
  }

  async #run(): Promise<void> {
    const failing = moods.filter((mood) => mood !== 'well');
    while (!this.#ending.signal.aborted) {
      await this.#pass('well');
      if (this.#ending.signal.aborted) return;
      this.#count += 1;
      this.#receiver.feel(failing[Math.floor(this.#random() * failing.length)] ?? 'refusing');
      await this.#pass('out');
      this.#receiver.feel('well');
    }
  }

  async #pass(span: keyof typeof spans): Promise<void> {
    const { least, most } = spans[span];
    const milliseconds = least + this.#random() * (most - least);
    // Told to end meanwhile: nothing more to wait for.
    await delay(milliseconds, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}
