import { latest } from '../../model/instants.ts';
import { patience } from '../../model/patience.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { isReady } from '../../world/pods/readiness.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { nodeNamed } from '../kit/exemptions.ts';
import { isRollingOut } from '../kit/rolling-out.ts';
import { patienceWith } from './room.ts';

const second = 1000;

/** A workload that has nothing left to serve with, since an instant (epoch milliseconds). */
export type Outage = { readonly workload: WorkloadView; readonly pods: readonly PodView[]; readonly since: number };

/** So long after it began an outage may be told. */
export const shortestMs = patience.outage * second;
/**
 * Nothing serves for so long (ms) that people are to know, whatever is under way. So long may also take what nobody knows better, and
 * Pods that crash, which rows tell of that know why.
 */
export const longestMs = 90 * second;

/** A controller that works makes a Pod anew within seconds; a new leader of it needs some more. */
const madeMs = 15 * second;
/** A kubelet that works takes up a Pod within seconds. */
const takenUpMs = 30 * second;
/** A machine of a cloud that is started anew is back so long after the control plane missed it, which itself waits for 40 s and more. */
const rebootMs = 40 * second;
/** Volumes are detached and attached, and then an image is pulled. */
const preparedMs = 90 * second;
/** Of how long a start took before: twice that, and a little for a short one. */
const [startFactor, startLeastMs] = [2, 15 * second];

/** What a container waits for that is no step of a start: rows tell of these that know why. */
const isStep: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing']);

/** Where a Pod is on its way to serving. */
type Stage = {
  readonly is: (pod: PodView, outage: Outage) => boolean;
  /** Until when that is what happens on a normal day (epoch milliseconds). */
  readonly until: (pod: PodView, outage: Outage, world: ObservedWorld, now: number) => number;
};

const placement = (pod: PodView) => conditionOf(pod, 'PodScheduled');

/** The states of the containers that run for the life of the Pod. */
function lasting({ containers, template }: PodView): PodView['containers'] {
  const inits = new Set(template.containers.flatMap(({ name, role }) => (role === 'init' ? [name] : [])));
  return containers.filter(({ name }) => !inits.has(name));
}

const isRunning = (pod: PodView): boolean =>
  lasting(pod).length > 0 && lasting(pod).every(({ running }) => running !== undefined);

/** When the last of its containers began (epoch milliseconds). */
const began = (pod: PodView): number => latest(lasting(pod).map(({ running }) => running?.startedAt ?? 0));

/**
 * How long Pods like this one took from running to ready, as far as any was seen (seconds): those of its owner. A new revision may
 * take longer than the one before.
 */
function knownStarts({ owner }: PodView, workload: WorkloadView, world: ObservedWorld): readonly number[] {
  if (owner === undefined || (owner === workload.ref && isRollingOut(workload))) return [];
  return world.starts(owner);
}

/** How long a Pod may run before it is ready, by what its startup probe grants it and how long others took. */
function startMs(pod: PodView, { workload }: Outage, world: ObservedWorld): number | undefined {
  const starting = lasting(pod).filter(({ started }) => started === false);
  const budgets = pod.template.containers.flatMap(({ name, startupBudgetSeconds = 0 }) =>
    starting.some((state) => state.name === name) ? [startupBudgetSeconds * second] : [],
  );
  const known = knownStarts(pod, workload, world);
  if (known.length === 0) return budgets.length > 0 && latest(budgets) > 0 ? latest(budgets) : undefined;
  return latest([...budgets, startLeastMs + startFactor * second * latest(known)]);
}

/** Whether a Pod has run since before nothing served, and goes on running. */
export const runsOn = (pod: PodView, { since }: Outage): boolean => isRunning(pod) && began(pod) < since;

/** The stages, in the order in which they are looked for. */
const stages: readonly Stage[] = [
  {
    is: (pod) => pod.phase === 'Pending' && placement(pod)?.status === 'False',
    until(pod, _, world, now) {
      const { since = pod.createdAt, message = '' } = placement(pod) ?? {};
      return since + (patienceWith(pod, since, message, world, now).forSeconds ?? 0) * second;
    },
  },
  {
    is: (pod) => pod.phase === 'Pending' && pod.startedAt === undefined,
    until: (pod) => (placement(pod)?.since ?? pod.createdAt) + takenUpMs,
  },
  {
    is: (pod) => pod.phase === 'Pending' && pod.containers.every(({ waiting }) => isStep.has(waiting?.reason ?? '')),
    until: ({ startedAt = 0 }) => startedAt + preparedMs,
  },
  {
    is: runsOn,
    until(pod, _, world) {
      const node = nodeNamed(world, pod.node);
      const ready = typeof node === 'object' ? conditionOf(node, 'Ready') : undefined;
      return ready && ready.status !== 'True' ? ready.since + rebootMs : 0;
    },
  },
  {
    is: isRunning,
    until(pod, outage, world) {
      const allowed = startMs(pod, outage, world);
      return allowed === undefined ? outage.since + longestMs : began(pod) + allowed;
    },
  },
];

const isOver = ({ phase }: PodView): boolean => phase === 'Failed' || phase === 'Succeeded';

/** When the Pods that are still to be made should be there at the latest: those that leave go first. */
function madeBy({ workload, pods }: Outage, world: ObservedWorld): number {
  const leaving = pods.flatMap(({ deletionAt }) => deletionAt ?? []);
  const missing = world.since(workload.ref, 'unmade');
  return latest([...leaving, missing]) + madeMs;
}

/**
 * Until when a workload that serves nothing may be on its way back by itself (epoch milliseconds): while one of its Pods leaves, is
 * placed, prepared or started as on any normal day. Pods that run on and do not serve, and Pods that nobody makes, do not come back.
 */
export function comesBackBy(outage: Outage, world: ObservedWorld, now: number): number {
  const { workload, pods, since } = outage;
  const coming = pods.filter((pod) => pod.deletionAt === undefined && !isOver(pod) && !isReady(pod));
  const until = coming.map(
    (pod) => stages.find(({ is }) => is(pod, outage))?.until(pod, outage, world, now) ?? since + longestMs,
  );
  if (coming.length === 0 || workload.created < workload.replicas) until.push(madeBy(outage, world));
  return latest([since + shortestMs, ...until]);
}
