import { type Clock, callAt } from '../../model/clock.ts';
import type { Effects, Input, Turn } from '../../model/turn.ts';

/** Carries out what a turn asked for. Commit comes first and is synchronous; nothing of a turn is done before it. */
export type Carry = (effects: Effects, inputs: readonly Input[], now: number) => void;

/** What the loop runs with. */
export type LoopOptions = {
  readonly turn: Turn;
  /** Must never go back: the core's time is this. */
  readonly clock: Clock;
  readonly carry: Carry;
  /** May replace the inputs (redacted), so that what is decided is exactly what was recorded. */
  readonly record?: (inputs: readonly Input[], now: number) => readonly Input[];
  readonly observe?: (seconds: number, inputs: number) => void;
  /** Told of an exception in a turn, which is a programming error. */
  readonly crashed: (error: unknown) => void;
};

/**
 * The one loop that owns the core: queues inputs and runs turns. A turn takes everything that is there, awaits nothing, and its
 * effects are carried out before the next. Without inputs and before the asked instant no turn runs. After an exception no
 * further turn runs on what it left behind.
 */
export class Loop {
  readonly #options: LoopOptions;
  #queue: Input[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #cancelWake: (() => void) | undefined;
  #waitingSince: number | undefined;
  #running = false;
  #stopped = false;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Queues an input; a turn follows as soon as the process is free. */
  push(input: Input): void {
    if (this.#stopped) return;
    this.#queue.push(input);
    this.#schedule();
  }

  /** Runs the turn for what is queued now, so that a reader sees a world without a backlog. */
  drain(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#run();
  }

  /** Since when (monotonic milliseconds) a turn has been due without running, if one is. */
  waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelWake?.();
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#queue = [];
    this.#waitingSince = undefined;
  }

  #schedule(): void {
    this.#waitingSince ??= this.#options.clock.monotonic();
    if (!this.#stopped && !this.#running) this.#scheduled ??= setImmediate(() => this.#run());
  }

  #run(): void {
    this.#scheduled = undefined;
    if (this.#stopped || this.#running || this.#queue.length === 0) return;
    const { clock, observe, crashed } = this.#options;
    this.#running = true;
    const startedAt = clock.monotonic();
    const taken = this.#queue;
    this.#queue = [];
    this.#waitingSince = undefined;
    try {
      this.#turn(taken, clock.now());
    } catch (error) {
      this.stop();
      crashed(error);
    } finally {
      this.#running = false;
      observe?.((clock.monotonic() - startedAt) / 1000, taken.length);
      // What was pushed while the turn's effects were carried out waits for the next one.
      if (this.#queue.length > 0) this.#schedule();
    }
  }

  #turn(taken: readonly Input[], now: number): void {
    const { turn, carry, record } = this.#options;
    const inputs = record?.(taken, now) ?? taken;
    const effects = turn(inputs, now);
    carry(effects, inputs, now);
    this.#wakeAt(effects.wakeAt);
  }

  #wakeAt(instant: number | undefined): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    if (instant === undefined || this.#stopped) return;
    this.#cancelWake = callAt(this.#options.clock, instant, () => this.push({ kind: 'wake' }));
  }
}
