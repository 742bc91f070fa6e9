import { isListOf, isNumber, isText } from '../model/memory.ts';
import { NotedMap } from '../model/noted-map.ts';
import type { Ref } from '../model/ref.ts';
import type { PodView } from './kinds/pod.ts';

/** How a Pod went that leaves nothing behind to tell of it. */
export type DepartureKind = 'preempted' | 'killedAtGraceEnd';
/** A Pod that went so; `at`: epoch milliseconds; `node`: from where. */
export type Departure = {
  readonly uid: string;
  readonly how: DepartureKind;
  readonly at: number;
  readonly node?: string;
};

/** How long it is remembered, of how many Pods of one owner, and of how many owners. */
const memoryMs = 24 * 60 * 60_000;
const maxOfOne = 12;
const maxOwners = 5000;

const none: readonly Departure[] = [];
/** Clocks of Nodes and of the API server differ, and both write whole seconds. */
const clockMs = 1500;

/** How a Pod that is being deleted goes, where that is worth remembering of its owner. */
export function departureOf(pod: PodView): Pick<Departure, 'how' | 'at'> | undefined {
  const disruption = pod.conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (disruption?.reason === 'PreemptionByScheduler') return { how: 'preempted', at: disruption.since };
  const { deletionAt } = pod;
  if (deletionAt === undefined) return undefined;
  const killed = pod.containers.find(
    ({ terminated }) =>
      terminated?.exitCode === 137 &&
      terminated.reason !== 'OOMKilled' &&
      (terminated.finishedAt ?? 0) >= deletionAt - clockMs,
  );
  return killed && { how: 'killedAtGraceEnd', at: deletionAt };
}

function isDeparture(value: unknown): value is Departure {
  if (typeof value !== 'object' || value === null) return false;
  const { uid, how, at, node }: Partial<Departure> = value;
  if (node !== undefined && !isText(node)) return false;
  return isText(uid) && (how === 'preempted' || how === 'killedAtGraceEnd') && isNumber(at);
}

/** Whether something remembered is how Pods of one owner went. */
export const areDepartures = (value: unknown): value is readonly Departure[] => isListOf(value, isDeparture);

/** How Pods went lately, by the workload that they belonged to. */
export class Departures {
  readonly #byOwner = new NotedMap<Ref, readonly Departure[]>();

  /** What is to be saved. */
  get noted(): NotedMap<Ref, readonly Departure[]> {
    return this.#byOwner;
  }

  /** A Pod went, or goes. It may be told more than once. */
  note(owner: Ref, departure: Departure): void {
    const known = this.#byOwner.get(owner) ?? none;
    if (known.some(({ uid }) => uid === departure.uid)) return;
    this.#byOwner.delete(owner);
    this.#byOwner.set(owner, [...known, departure].slice(-maxOfOne));
    const [first] = this.#byOwner.size > maxOwners ? this.#byOwner.keys().take(1) : [];
    if (first !== undefined) this.#byOwner.delete(first);
  }

  /** How the Pods of a workload went, the latest last. */
  of(owner: Ref): readonly Departure[] {
    return this.#byOwner.get(owner) ?? none;
  }

  /** Forgets what is a day old. */
  expire(now: number): void {
    for (const [owner, list] of this.#byOwner) {
      const kept = list.filter(({ at }) => at > now - memoryMs);
      if (kept.length === 0) this.#byOwner.delete(owner);
      else if (kept.length < list.length) this.#byOwner.set(owner, kept);
    }
  }
}
