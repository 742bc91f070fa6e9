import { workloadOf } from '../explain/evidence/workload.ts';
import { sampleOfPart } from '../explain/solve/sample.ts';
import type { Explanation, ExplanationPart, SamplePod } from '../model/explanation.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { type Rate, TokenBucket } from '../model/token-bucket.ts';
import type { World } from '../world/view/world.ts';

/** Less than half of what is read in all, so that incidents that begin are always read first. */
const readRate: Rate = { perSecond: 2, burst: 20 };

/**
 * Which logs to read of workloads that are held in the explanation of another root: one run of each, as only its own words can tell that it
 * fails for a reason of its own. Namespaces take turns, so that many in one keep none of another waiting. Part of the pure core.
 */
export class AbsorbedLogs {
  readonly #world: World;
  /** Explanations and shares of them that were looked at: those that stay the same cost nothing, turn after turn. */
  readonly #known = new WeakSet<Explanation | ExplanationPart>();
  /** By namespace, whose turn it is first; of each workload the run that tells most now. */
  readonly #waiting = new Map<string, Map<Ref, SamplePod>>();
  readonly #reads = new TokenBucket(readRate, 0);

  constructor(world: World) {
    this.#world = world;
  }

  /** Puts the workloads in line that an explanation holds besides its root, as far as their shares have changed. */
  note(explanation: Explanation): void {
    if (this.#known.has(explanation)) return;
    this.#known.add(explanation);
    const own = workloadOf(this.#world, explanation.root.ref);
    for (const part of explanation.parts ?? []) {
      if (this.#known.has(part)) continue;
      this.#known.add(part);
      const workload = part.root.ref;
      const sample = workload === own ? undefined : sampleOfPart(this.#world, part);
      if (sample) this.#lineOf(namespaceOf(workload)).set(workload, sample);
    }
  }

  /** The runs whose logs are due, each as `ask` turns it into a request; a run for which it returns nothing leaves the queue at no cost. */
  take<T>(now: number, ask: (sample: SamplePod) => T | undefined): readonly T[] {
    const asked: T[] = [];
    for (const [namespace, line] of this.#waiting) {
      if (this.#reads.waitMs(now) > 0) break;
      const request = nextOf(line, ask);
      // Behind the others: this loop comes back to it when all of them had their turn.
      this.#waiting.delete(namespace);
      if (line.size > 0) this.#waiting.set(namespace, line);
      if (request !== undefined && this.#reads.take(now)) asked.push(request);
    }
    return asked;
  }

  /** Epoch milliseconds: when the next of those that wait may be read. */
  wakeAt(now: number): number | undefined {
    return this.#waiting.size === 0 ? undefined : now + this.#reads.waitMs(now);
  }

  #lineOf(namespace: string): Map<Ref, SamplePod> {
    const line = this.#waiting.get(namespace) ?? new Map<Ref, SamplePod>();
    this.#waiting.set(namespace, line);
    return line;
  }
}

/** The first of a line that something is made of; it leaves the line, with those before it. */
function nextOf<T>(line: Map<Ref, SamplePod>, ask: (sample: SamplePod) => T | undefined): T | undefined {
  for (const [workload, sample] of line) {
    line.delete(workload);
    const request = ask(sample);
    if (request !== undefined) return request;
  }
  return undefined;
}
