/** What one answer says of the server's clock: epoch milliseconds by `Date`, and how long the exchange took. */
export type ServerTime = { readonly serverTime: number; readonly durationMs: number };

/** Clocks that are further apart than this differ: what is said of how long something has lasted is off by as much. Milliseconds. */
const mostMs = 60_000;
/** `Date` is in whole seconds; milliseconds. */
const resolutionMs = 1_000;

/**
 * How far the clock of this machine is from the API server's, by the `Date` of its answers. Times of objects are the server's: what has
 * just begun looks old to a clock that is ahead, and to one that is behind it begins late.
 */
export class ClockDifference {
  readonly #changed: (milliseconds: number, differs: boolean) => void;
  #milliseconds = 0;

  /** `changed`: told when the clocks come to differ, and when they agree again. */
  constructor(changed: (milliseconds: number, differs: boolean) => void = () => undefined) {
    this.#changed = changed;
  }

  /** Positive: the server's clock is ahead of ours. 0 while nothing shows a difference. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Whether the clocks are too far apart for what is said of time to be right. */
  get differs(): boolean {
    return Math.abs(this.#milliseconds) > mostMs;
  }

  /** Learns from an answer that has just come. `now`: epoch milliseconds of this machine. */
  see({ serverTime, durationMs }: ServerTime, now: number): void {
    const before = this.differs;
    this.#milliseconds = differenceOf(serverTime, now - durationMs, now);
    if (this.differs !== before) this.#changed(this.#milliseconds, this.differs);
  }
}

/** The server made its answer at some instant between `asked` and `answered`: only what is outside of them is a difference. */
function differenceOf(serverTime: number, asked: number, answered: number): number {
  if (serverTime > answered) return serverTime - answered;
  return Math.min(0, serverTime + resolutionMs - asked);
}
