/** Time as the edges see it. The pure core gets `now` as an argument; everything else takes one of these. */
export type Clock = {
  /** Epoch milliseconds. The host's own may be set back and forth; whoever compares instants uses one that is not (`AnchoredClock`). */
  now(): number;
  /**
   * Milliseconds from an arbitrary start that only ever run forward, at one speed, whatever is done to the host's time. For
   * durations; means nothing to another process.
   */
  monotonic(): number;
  /** Runs `action` after `milliseconds`; the returned function cancels it. Never keeps a stopping process alive. */
  after(milliseconds: number, action: () => void): () => void;
};

/** Longest wait in one piece, so that an instant which the clock was moved past is noticed. Milliseconds. */
const longestWaitMs = 10_000;

/**
 * Runs `action` once the clock has reached an instant (epoch milliseconds), never before the caller is done; the returned
 * function cancels it. At most 10 s late when the clock jumps, however far away the instant was.
 */
export function callAt(clock: Clock, instant: number, action: () => void): () => void {
  let cancel = wait();
  function wait(): () => void {
    return clock.after(Math.min(Math.max(0, instant - clock.now()), longestWaitMs), () => {
      if (clock.now() >= instant) action();
      else cancel = wait();
    });
  }
  return () => cancel();
}
