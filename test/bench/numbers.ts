/** The value below which this share of the numbers lies (nearest rank). */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle one. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}
