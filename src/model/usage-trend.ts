/** What was in use at an instant (epoch milliseconds). */
type Sample = { readonly at: number; readonly used: number };

/** Samples of one are this far apart at least, and so many are kept: 6 hours of them. */
const apartMs = 15 * 60_000;
const maxSamples = 24;
/** A line through less than this (ms) or fewer samples tells nothing. */
const leastSpanMs = 60 * 60_000;
const leastSamples = 4;
/** Who is measured: a cluster of 5,000 Nodes has as many claims. Those measured longest ago go first. */
const maxMeasured = 20_000;
/** What has not been measured for so long has another past by now (ms). */
const staleMs = 60 * 60_000;

/** How what is in use grows, by a name; bounded. */
export class UsageTrend {
  readonly #samples = new Map<string, readonly Sample[]>();

  /** So much is in use now. */
  note(name: string, used: number, now: number): void {
    const known = this.#samples.get(name) ?? [];
    const last = known.at(-1);
    if (last && now - last.at < apartMs) return;
    this.#samples.delete(name);
    const fresh = last && now - last.at > staleMs ? [] : known;
    this.#samples.set(name, [...fresh, { at: now, used }].slice(-maxSamples));
    const [oldest] = this.#samples.size > maxMeasured ? this.#samples.keys().take(1) : [];
    if (oldest !== undefined) this.#samples.delete(oldest);
  }

  /** When `capacity` is reached (milliseconds from the last sample) by a line through the samples; `undefined`: it does not grow. */
  fullInMs(name: string, capacity: number): number | undefined {
    const samples = this.#samples.get(name) ?? [];
    const [first, last] = [samples[0], samples.at(-1)];
    if (!first || !last || samples.length < leastSamples || last.at - first.at < leastSpanMs) return undefined;
    const slope = slopeOf(samples);
    return slope > 0 ? Math.max(0, capacity - last.used) / slope : undefined;
  }
}

/** By least squares, in units a millisecond. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, used] = [mean((sample) => sample.at), mean((sample) => sample.used)];
  let [above, below] = [0, 0];
  for (const sample of samples) {
    above += (sample.at - at) * (sample.used - used);
    below += (sample.at - at) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
