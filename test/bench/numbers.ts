/** The value below which this share of the numbers lies (nearest rank). */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle one. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

/**
 * Milliseconds that some work takes, by the clock or in processor time, whichever is less: other work on the machine lengthens the one, helper
 * threads that run beside it the other.
 */
export function timed(work: () => void): number {
  const [clock, processor] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(processor);
  return Math.min(performance.now() - clock, (user + system) / 1000);
}
