import { readFileSync } from 'node:fs';

/** Resident memory of a process (KiB in the kernel's words, bytes here): now, and the most it ever was. */
export function memoryOf(pid: number): { readonly residentBytes: number; readonly peakBytes: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
  return { residentBytes: field('VmRSS'), peakBytes: field('VmHWM') };
}

/** One reading. `at`: epoch milliseconds. */
export type Reading = { readonly at: number; readonly bytes: number };

/** The slope of the least-squares line through readings, in bytes per hour; 0 of fewer than two. */
export function slopePerHour(readings: readonly Reading[]): number {
  const { length } = readings;
  if (length < 2) return 0;
  const mean = (of: (reading: Reading) => number): number => readings.reduce((sum, each) => sum + of(each), 0) / length;
  const meanAt = mean(({ at }) => at);
  const meanBytes = mean(({ bytes }) => bytes);
  let above = 0;
  let below = 0;
  for (const { at, bytes } of readings) {
    above += (at - meanAt) * (bytes - meanBytes);
    below += (at - meanAt) ** 2;
  }
  return below === 0 ? 0 : (above / below) * 3_600_000;
}
