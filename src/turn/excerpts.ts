import { BoundedMap } from '../model/bounded-map.ts';
import type { SamplePod } from '../model/explanation.ts';
import { FairShares } from '../model/fair-shares.ts';
import type { Incident } from '../model/incident.ts';
import { namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { ContainerRun, Evidence, EvidenceRequest } from '../model/turn.ts';
import { worksOn } from '../world/memory/losses.ts';
import type { WritableWorld } from '../world/view/world.ts';
import { AbsorbedLogs } from './absorbed-logs.ts';

/** Runs of which it is remembered that they were asked for, and of which the lines are kept, shared fairly by namespaces. */
const mostAsked = 5_000;
const mostKept = 500;
/** Characters of one excerpt that are kept: what a message can use, and as much again for the signs. */
const mostCharacters = 8_192;
/** An answer that has not come by then (ms) does not come any more: its request went with an earlier process. */
const patienceMs = 60_000;

const containerKey = ({ pod, uid, container }: ContainerRun): string => `${pod}|${uid}|${container}`;
const runKey = (run: ContainerRun): string => `${containerKey(run)}|${run.attempt}|${run.ended ? 'ended' : 'runs'}`;

/** The run of a sample as it is asked for; `undefined` when its Pod is gone. */
function runOf({ ref, container, attempt, ended }: SamplePod, world: WritableWorld): ContainerRun | undefined {
  const uid = world.uidOf(ref);
  return uid === undefined ? undefined : { pod: ref, uid, container, attempt, ended };
}

/** A kubelet serves the logs of its Pods: that of a lost Node would only let us wait. */
function isServed(pod: Ref, world: WritableWorld): boolean {
  const { node } = world.subject(pod);
  if (node === undefined) return false;
  const view = world.get(refOf('Node', '', node));
  return view === 'unknown' || worksOn(view);
}

/**
 * The ends of logs that explain incidents: asked for while these settle, each run of a container once, and kept for the message. As long as
 * incidents last those are read, too, of workloads that are held in them. Part of the pure core.
 */
export class Excerpts {
  readonly #world: WritableWorld;
  /** By run, when it was asked for (epoch milliseconds). */
  readonly #askedAt = new BoundedMap<string, number>(mostAsked);
  /** Samples whose run was asked for: an explanation that stays the same asks for nothing more, turn after turn. */
  readonly #asked = new WeakSet<SamplePod>();
  /** Who is held in the incident of another, and runs of theirs that were asked for: nobody quotes them. */
  readonly #absorbed: AbsorbedLogs;
  readonly #askedOfAbsorbed = new BoundedMap<string, true>(mostAsked);
  /** By container, of the run that was read last. */
  readonly #found = new FairShares<string, Evidence>(mostKept, ({ pod }) => namespaceOf(pod));

  constructor(world: WritableWorld) {
    this.#world = world;
    this.#absorbed = new AbsorbedLogs(world);
  }

  /** An answer: its lines are kept for whoever is told of it. */
  take(evidence: Evidence): void {
    const kept: string[] = [];
    let characters = 0;
    for (const line of evidence.lines.toReversed()) {
      characters += line.length;
      if (characters > mostCharacters && kept.length > 0) break;
      kept.unshift(line);
    }
    this.#found.set(containerKey(evidence), { ...evidence, lines: kept });
  }

  /**
   * What to read now: for incidents that begin the run whose log explains each best, and as far as there is room for it one run of each
   * workload that these, or others that have `changed`, hold besides their root; no run twice. Nothing for what is part of another incident.
   */
  wanted(
    beginning: Iterable<Incident>,
    changed: Iterable<Incident>,
    { evidence }: Settings,
    now: number,
  ): EvidenceRequest[] {
    if (!evidence.logs) return [];
    const lines = Math.max(evidence.logLines, linesForSigns);
    const requests: EvidenceRequest[] = [];
    for (const { explanation, foldedInto } of beginning) {
      if (foldedInto !== undefined) continue;
      this.#absorbed.note(explanation);
      const request = explanation.samplePod && this.#ownRequest(explanation.samplePod, lines, now);
      if (request) requests.push(request);
    }
    for (const { explanation, foldedInto, state } of changed)
      if (foldedInto === undefined && state !== 'Resolved') this.#absorbed.note(explanation);
    return [...requests, ...this.#absorbed.take(now, (sample) => this.#absorbedRequest(sample, lines))];
  }

  /** Epoch milliseconds: when more may be read of what is wanted. */
  wakeAt(now: number): number | undefined {
    return this.#absorbed.wakeAt(now);
  }

  #ownRequest(sample: SamplePod, lines: number, now: number): EvidenceRequest | undefined {
    if (this.#asked.has(sample)) return undefined;
    const run = this.#servedRun(sample);
    if (!run) return undefined;
    const key = runKey(run);
    this.#asked.add(sample);
    if (this.#askedAt.has(key)) return undefined;
    this.#askedAt.set(key, now);
    const found = this.#found.get(containerKey(run));
    // It was read while another incident held it.
    return found && runKey(found) === key ? undefined : { ...run, previous: sample.previous, lines };
  }

  #absorbedRequest(sample: SamplePod, lines: number): EvidenceRequest | undefined {
    const run = this.#servedRun(sample);
    const key = run && runKey(run);
    if (!key || this.#askedAt.has(key) || this.#askedOfAbsorbed.has(key)) return undefined;
    this.#askedOfAbsorbed.set(key, true);
    return { ...run, previous: sample.previous, lines };
  }

  #servedRun(sample: SamplePod): ContainerRun | undefined {
    const run = runOf(sample, this.#world);
    return run && isServed(run.pod, this.#world) ? run : undefined;
  }

  /**
   * The end of the log of a sample, as far as it is here: of a container that crashes on and on the run before tells the same.
   * `awaited`: it is under way.
   */
  of(sample: SamplePod | undefined, now: number): Evidence | 'awaited' | undefined {
    const run = sample && runOf(sample, this.#world);
    if (!run) return undefined;
    const found = this.#found.get(containerKey(run));
    if (found && (runKey(found) === runKey(run) || (found.ended === run.ended && found.lines.length > 0))) return found;
    const askedAt = this.#askedAt.get(runKey(run));
    return askedAt !== undefined && now < askedAt + patienceMs ? 'awaited' : undefined;
  }

  /** Whether the log of a sample is to be read and has not been read yet: it is asked for by the end of the turn. */
  isAwaited(sample: SamplePod | undefined, { evidence }: Settings, now: number): boolean {
    const run = evidence.logs && sample ? runOf(sample, this.#world) : undefined;
    if (!run || !isServed(run.pod, this.#world)) return false;
    const found = this.of(sample, now);
    return found === undefined || found === 'awaited';
  }

  /** Whether an answer is to what would be asked of a sample. */
  isOf(evidence: Evidence, sample: SamplePod | undefined): boolean {
    const run = sample && runOf(sample, this.#world);
    return run !== undefined && runKey(run) === runKey(evidence);
  }

  /** Keeps no lines but those of incidents that are not over. */
  forget(incidents: Iterable<Incident>): void {
    if (this.#found.size === 0) return;
    const needed = new Set<string>();
    for (const { state, explanation } of incidents) {
      const run = state !== 'Resolved' && explanation.samplePod && runOf(explanation.samplePod, this.#world);
      if (run) needed.add(containerKey(run));
    }
    for (const [key] of [...this.#found.entries()]) if (!needed.has(key)) this.#found.delete(key);
  }
}

/** Lines that are read for their signs although a message quotes fewer: a trace is longer than what is worth quoting. */
const linesForSigns = 50;
