/** Time as the edges see it. The pure core gets `now` as an argument; everything else takes one of these. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Milliseconds from an arbitrary start that only ever run forward, at one speed, whatever is done to the host's time. For
   * durations; means nothing to another process.
   */
  monotonic(): number;
  /** Runs `action` after `milliseconds`; the returned function cancels it. Never keeps a stopping process alive. */
  after(milliseconds: number, action: () => void): () => void;
};
