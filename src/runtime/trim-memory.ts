import type { Clock } from '../model/clock.ts';

/** So long after the first lists (ms): by then the baseline's turn is over, and what it told has been sent. */
const firstMs = 5_000;
/** Looked at so often from then on (ms). */
const lookMs = 30_000;
/** A collection for less growth than this is not worth its time: 16 MiB of 160. */
const worthShare = 0.1;
/** Busy for less of the time than this: nobody waits for a collection. */
const idleShare = 0.1;

/** The process whose memory it is. */
export type Memory = {
  /** What is resident (bytes). */
  resident(): number;
  /** Busy for which share of the time since this was asked last: 0 to 1. */
  busyShare(): number;
  /** Collects garbage, until nothing is left that could be, and gives back what is free. */
  collect(): Promise<void>;
};

/**
 * Collects garbage and gives free memory back to the system: five seconds after the first lists, which leave 15 to 40 MiB, and
 * from then on when much has come together and there is little else to do. The engine by itself waits until the heap has grown by
 * as much again, which takes days in a quiet cluster.
 */
export class MemoryTrimmer {
  readonly #clock: Clock;
  readonly #memory: Memory;
  /** The least that was resident since the last collection: what is needed (bytes). */
  #needed = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, memory: Memory = ownMemory()) {
    this.#clock = clock;
    this.#memory = memory;
  }

  /** The first lists have been taken in. */
  start(): void {
    this.#clock.after(firstMs, () => {
      this.#collect();
      this.#lookLater();
    });
  }

  #lookLater(): void {
    this.#clock.after(lookMs, () => {
      this.#look(this.#memory.resident(), this.#memory.busyShare());
      this.#lookLater();
    });
  }

  #look(resident: number, busyShare: number): void {
    if (busyShare < idleShare && resident > this.#needed * (1 + worthShare)) this.#collect();
    else this.#needed = Math.min(this.#needed, resident);
  }

  #collect(): void {
    // What comes together from then on is measured from there, however much of it comes at once.
    void this.#memory.collect().then(() => {
      this.#needed = this.#memory.resident();
      // Collecting is no work that anybody waits for.
      this.#memory.busyShare();
    });
  }
}

/** This process. The engine offers collection only with `--expose-gc`, a flag of the image; without it nothing is collected. */
function ownMemory(): Memory {
  let last = performance.eventLoopUtilization();
  return {
    resident: () => process.memoryUsage.rss(),
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    // The usual collection keeps the pages that it has emptied.
    async collect() {
      await globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'async' });
    },
  };
}
