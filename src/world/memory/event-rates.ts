const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const bucketMs = 5 * minuteMs;
/** What is "now", and how long is remembered (ms). */
const recentMs = 30 * minuteMs;
const memoryMs = 24 * hourMs;
/** Whole hours that must have been seen before anything is usual. */
const minHours = 3;

/** How many Warnings that nobody knows come, in all the cluster; remembered for a day. A restart forgets it. */
export class EventRates {
  /** By the beginning of five minutes (epoch milliseconds), the oldest first. */
  readonly #buckets = new Map<number, number>();
  #from: number | undefined;

  /** Something begins to be seen, or some came. */
  note(times: number, now: number): void {
    this.#from ??= now;
    if (times === 0) return;
    const bucket = now - (now % bucketMs);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + times);
  }

  /** How many came in the last half hour. */
  recent(now: number): number {
    return this.#between(now - recentMs, now + bucketMs);
  }

  /** How many come in an hour as a rule: in the middle of those before the last half hour. `undefined`: too little was seen. */
  usualHourly(now: number): number | undefined {
    const counts: number[] = [];
    for (let end = now - recentMs; end - hourMs >= Math.max(this.#from ?? now, now - memoryMs); end -= hourMs)
      counts.push(this.#between(end - hourMs, end));
    if (counts.length < minHours) return undefined;
    return counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)];
  }

  /** Forgets what is a day old. */
  expire(now: number): void {
    for (const bucket of this.#buckets.keys()) {
      if (bucket > now - memoryMs - bucketMs) break;
      this.#buckets.delete(bucket);
    }
  }

  #between(from: number, to: number): number {
    let sum = 0;
    for (const [bucket, times] of this.#buckets) if (bucket >= from && bucket < to) sum += times;
    return sum;
  }
}
