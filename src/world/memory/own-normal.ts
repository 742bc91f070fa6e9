import type { Ref } from '../../model/ref.ts';
import { fits, listOf, number, pairOf, record } from '../../model/shape.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** How long is remembered what was usual. */
const memoryMs = 7 * dayMs;
/** Restarts are counted in steps of this; four of them are a day. */
const stepMs = 6 * hourMs;
const stepsOfDay = dayMs / stepMs;
/** So many samples at least tell what is usual; of durations no more than the last are kept. */
const fewestSamples = 10;
const mostSamples = 16;
/** Restarts of the last day that are told apart. */
const mostRestarts = 64;
/** Workloads that are remembered; the one of which nothing was noted for longest is forgotten first. */
const mostWorkloads = 10_000;
/** From the median absolute deviation to the standard one, and how many of these are still usual. */
const [perDeviation, usualDeviations] = [1.4826, 3];

/** What is usual: in the middle, and at most. */
export type Usual = { readonly median: number; readonly most: number };

/** What is known of a workload by having watched it for days. */
export type OwnNormal = {
  /** Restarts of its containers in the last 24 h. */
  readonly restarts: number;
  /** How many there are in a day as a rule; `undefined`: it is not known yet. Each is worked out when it is asked for. */
  readonly usualRestarts: Usual | undefined;
  /** How long its Pods take from being placed to being ready (seconds). */
  readonly usualStart: Usual | undefined;
  /** How long its Jobs take that succeed (seconds). */
  readonly usualRun: Usual | undefined;
};

/** One start or run: when it was (epoch seconds), and how long it took (seconds). */
type Sample = readonly [at: number, seconds: number];

/** What is kept of one workload, as it is saved. */
export type SavedNormal = {
  /** Restarts of the last day (epoch seconds), and of a week by steps. */
  readonly restarts: readonly number[];
  readonly steps: readonly (readonly [step: number, count: number])[];
  readonly starts: readonly Sample[];
  readonly runs: readonly Sample[];
};

const nothing: SavedNormal = { restarts: [], steps: [], starts: [], runs: [] };

const pairs = listOf(pairOf(number, number));

/** Whether something remembered has the shape of what is kept of a workload. */
export const isSavedNormal = fits(
  record<SavedNormal>({ restarts: listOf(number), steps: pairs, starts: pairs, runs: pairs }),
);

function middle(sorted: readonly number[]): number {
  const half = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}

/** What is usual by samples: three deviations from their median; `least`: what is no difference. */
export function usualOf(samples: readonly number[], least: number): Usual | undefined {
  if (samples.length < fewestSamples) return undefined;
  const ascending = (a: number, b: number): number => a - b;
  const median = middle([...samples].sort(ascending));
  const deviation = middle(samples.map((sample) => Math.abs(sample - median)).sort(ascending));
  return { median, most: median + usualDeviations * Math.max(perDeviation * deviation, least) };
}

const stepOf = (time: number): number => Math.floor(time / stepMs);

/** Restarts a day at every step that was watched, but for the last day: what is judged is not its own measure. */
function daysOf(steps: SavedNormal['steps'], from: number, now: number): readonly number[] {
  const counts = new Map(steps);
  const days: number[] = [];
  const first = Math.max(stepOf(from) + stepsOfDay, stepOf(now - memoryMs) + stepsOfDay);
  for (let end = first; end <= stepOf(now) - stepsOfDay; end += 1) {
    let sum = 0;
    for (let step = end - stepsOfDay + 1; step <= end; step += 1) sum += counts.get(step) ?? 0;
    days.push(sum);
  }
  return days;
}

function usualSeconds(samples: readonly Sample[], now: number): Usual | undefined {
  const recent = samples.filter(([at]) => at * 1000 > now - memoryMs).map(([, seconds]) => seconds);
  // A tenth of it, or some seconds, is no difference.
  return usualOf(recent, Math.max(5, middle([...recent].sort((a, b) => a - b)) / 10));
}

/** What is normal for each workload by itself, from what was seen of it in the last seven days. Bounded; saved across restarts. */
export class OwnNormals {
  readonly #byWorkload = new Map<Ref, SavedNormal>();
  readonly #changed = new Set<Ref>();
  /** Since when anybody watches (epoch milliseconds). */
  #since: number | undefined;

  /** What was saved. */
  restore(saved: ReadonlyMap<Ref, SavedNormal>, since: number | undefined): void {
    for (const [ref, normal] of saved) this.#byWorkload.set(ref, normal);
    this.#since = since;
  }

  /** Since when anybody watches (epoch milliseconds); `undefined`: nobody has yet. */
  get since(): number | undefined {
    return this.#since;
  }

  /** Somebody watches now. */
  watch(now: number): void {
    this.#since ??= now;
  }

  /** Containers of a workload were restarted. */
  restarted(workload: Ref, count: number, now: number): void {
    const known = this.#byWorkload.get(workload) ?? nothing;
    const seconds = Math.floor(now / 1000);
    const restarts = [...known.restarts, ...Array.from({ length: Math.min(count, mostRestarts) }, () => seconds)];
    const step = stepOf(now);
    const before = known.steps.find(([at]) => at === step)?.[1] ?? 0;
    const steps = known.steps.filter(([at]) => at !== step && at > stepOf(now - memoryMs));
    this.#put(workload, {
      ...known,
      restarts: restarts.filter((at) => at * 1000 > now - dayMs).slice(-mostRestarts),
      steps: [...steps, [step, before + count]],
    });
  }

  /** A Pod of it was ready for the first time, or a Job of it has succeeded, after so many seconds. */
  took(workload: Ref, what: 'starts' | 'runs', seconds: number, now: number): void {
    const known = this.#byWorkload.get(workload) ?? nothing;
    const sample: Sample = [Math.floor(now / 1000), Math.round(seconds)];
    this.#put(workload, { ...known, [what]: [...known[what], sample].slice(-mostSamples) });
  }

  #put(workload: Ref, normal: SavedNormal): void {
    this.#byWorkload.delete(workload);
    this.#byWorkload.set(workload, normal);
    this.#changed.add(workload);
    const [oldest] = this.#byWorkload.size > mostWorkloads ? this.#byWorkload.keys().take(1) : [];
    if (oldest === undefined) return;
    this.#byWorkload.delete(oldest);
    this.#changed.add(oldest);
  }

  /** What is normal for a workload that was made at an instant (epoch milliseconds). */
  of(workload: Ref, createdAt: number, now: number): OwnNormal {
    const { restarts, steps, starts, runs } = this.#byWorkload.get(workload) ?? nothing;
    const from = Math.max(createdAt, this.#since ?? now);
    return {
      restarts: restarts.filter((at) => at * 1000 > now - dayMs).length,
      get usualRestarts() {
        return usualOf(daysOf(steps, from, now), 1);
      },
      get usualStart() {
        return usualSeconds(starts, now);
      },
      get usualRun() {
        return usualSeconds(runs, now);
      },
    };
  }

  /** When the first restart of the last day is a day old (epoch milliseconds); `undefined`: there was none. */
  changesAt(workload: Ref, now: number): number | undefined {
    const first = this.#byWorkload.get(workload)?.restarts.find((at) => at * 1000 > now - dayMs);
    return first === undefined ? undefined : first * 1000 + dayMs;
  }

  /** What is kept of the workloads of which something else is since the last call; `undefined`: nothing any more. */
  takeChanges(): ReadonlyMap<Ref, SavedNormal | undefined> {
    const changes = new Map([...this.#changed].map((ref) => [ref, this.#byWorkload.get(ref)]));
    this.#changed.clear();
    return changes;
  }
}
