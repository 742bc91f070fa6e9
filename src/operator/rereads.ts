import type { Clock } from '../model/clock.ts';
import type { Ref } from '../model/ref.ts';

/** When an object that cannot be read is read again: at once, soon, and from then on once a minute (ms). */
const delaysMs = [0, 5_000, 60_000] as const;
/** So many readings that agree are believed: the first one, and one after the server has had time. */
const enough = 3;

/** So many are read again; beyond, as where the definitions are old, what was seen is believed. */
const maxObjects = 100;

/** What reading again needs. */
export type RereadsOptions = {
  readonly clock: Clock;
  /** Reads one object by `GET` and hands it on like any other. May reject: it is tried again. */
  readonly read: (ref: Ref) => Promise<void>;
};

/**
 * Objects that cannot be read as they are, and are read again by `GET` until they can. What a list or a watch brought may be wrong
 * although the object is well, and nobody edits what is well: without this it would stay so for good.
 */
export class Rereads {
  readonly #options: RereadsOptions;
  /** Ref → how often in a row it could not be read, and the reading to come. */
  readonly #doubtful = new Map<Ref, { readonly times: number; readonly cancel: () => void }>();

  constructor(options: RereadsOptions) {
    this.#options = options;
  }

  /** It could not be read once more. Returns whether that is believed. */
  note(ref: Ref): boolean {
    if (!this.#doubtful.has(ref) && this.#doubtful.size >= maxObjects) return true;
    const times = (this.#doubtful.get(ref)?.times ?? 0) + 1;
    this.#plan(ref, times);
    return times >= enough;
  }

  /** The API server refuses what was made of it: it may be another by now. */
  ask(ref: Ref): void {
    if (!this.#doubtful.has(ref) && this.#doubtful.size < maxObjects) this.#plan(ref, 1);
  }

  /** It can be read, or is gone. */
  forget(ref: Ref): void {
    this.#doubtful.get(ref)?.cancel();
    this.#doubtful.delete(ref);
  }

  /** Nothing is read any more. */
  stop(): void {
    for (const ref of [...this.#doubtful.keys()]) this.forget(ref);
  }

  #plan(ref: Ref, times: number): void {
    this.#doubtful.get(ref)?.cancel();
    const delayMs = delaysMs[Math.min(times, delaysMs.length) - 1] ?? 0;
    const cancel = this.#options.clock.after(delayMs, () => void this.#read(ref, times));
    this.#doubtful.set(ref, { times, cancel });
  }

  async #read(ref: Ref, times: number): Promise<void> {
    try {
      await this.#options.read(ref);
    } catch {
      // Nobody answered: that says nothing of the object.
      const still = this.#doubtful.get(ref);
      if (still?.times === times) this.#plan(ref, Math.max(times, 2));
    }
  }
}
