/** The earliest of some instants (epoch milliseconds), `Infinity` of none. Any number of them: `Math.min(...list)` throws beyond some 120,000. */
export function earliest(instants: Iterable<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const instant of instants) if (instant < first) first = instant;
  return first;
}

/** The latest of some instants (epoch milliseconds), `-Infinity` of none. */
export function latest(instants: Iterable<number>): number {
  let last = Number.NEGATIVE_INFINITY;
  for (const instant of instants) if (instant > last) last = instant;
  return last;
}
