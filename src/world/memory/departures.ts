import type { Ref } from '../../model/ref.ts';
import { fits, listOf, number, oneOf, record, text } from '../../model/shape.ts';
import type { PodView } from '../kinds/workloads/pod.ts';
import { Recent } from './recent.ts';

/** How a Pod went that leaves nothing behind to tell of it. */
export type DepartureKind = 'preempted' | 'killedAtGraceEnd';
/** A Pod that went so; `at`: epoch milliseconds; `node`: from where. */
export type Departure = {
  readonly uid: string;
  readonly how: DepartureKind;
  readonly at: number;
  readonly node?: string;
};

/** How long it is remembered. */
const memoryMs = 24 * 60 * 60_000;
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

/** Whether something remembered is how Pods of one owner went. */
export const areDepartures = fits(
  listOf(record<Departure>({ uid: text, how: oneOf(['preempted', 'killedAtGraceEnd']), at: number }, { node: text })),
);

/** How Pods went lately, by the workload that they belonged to. */
export class Departures extends Recent<Departure> {
  constructor() {
    super({ ofOne: 12, objects: 5000 });
  }

  /** A Pod went, or goes. It may be told more than once. */
  note(owner: Ref, departure: Departure): void {
    if (!this.of(owner).some(({ uid }) => uid === departure.uid)) this.remember(owner, departure);
  }

  /** Forgets what is a day old. */
  expire(now: number): void {
    this.keep(({ at }) => at > now - memoryMs);
  }
}
