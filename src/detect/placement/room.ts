import { parseQuantity } from '../../model/quantity.ts';
import { refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { Problem } from '../kit/detector.ts';
import { type Fleet, fleetOf } from '../kit/fleet.ts';
import { lastTold } from '../kit/told.ts';
import { failedScaleUpFor } from './scale-up.ts';
import { shortageIn } from './shortage.ts';

/** How long a Pod may fit on no Node before it is a finding, and whether it could still fit later. */
type Patience = Pick<Problem, 'forSeconds' | 'settle' | 'lookAgainAt'>;

/** It fits on nothing that there is or that could come: only the time in which what it names may be made just after it. */
const hopeless: Patience = { forSeconds: 30, settle: 'conclusive' };
/** Others may make it pass; a rollout does so within this time. */
const mayPass: Patience = { forSeconds: 90, settle: 'waits' };
/** The same for want of room: it is told after 75 s, so that what several workloads lack shows before the first of them is told. */
const mayFit: Patience = { forSeconds: 60, settle: 'waits' };
/** A new Node takes 2 to 4 min from the decision to its kubelet being ready, on the large clouds. */
const mayGrow: Patience = { forSeconds: 300, settle: 'waits' };
/** A Node is being made for it (ms). */
const growsMs = 900_000;
const grows: Patience = { forSeconds: growsMs / 1000, settle: 'waits' };

/** What an autoscaler says of a Pod that waits: it makes a Node for it, or can make none that would fit. */
const announcements: ReadonlyMap<string, Patience> = new Map([
  ['TriggeredScaleUp', grows],
  // Karpenter.
  ['Nominated', grows],
  ['NotTriggerScaleUp', mayPass],
]);

function announced(pod: PodView, since: number, world: ObservedWorld, now: number): Patience | undefined {
  const reasons = [...announcements.keys()];
  // Their clocks and the scheduler's differ.
  const event = lastTold(pod.ref, { reasons, after: since - 60_000 }, world, now);
  return event && announcements.get(event.reason);
}

/** No Node matches: `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector`, as many as there are. */
export function isSelectedNowhere(text: string): boolean {
  const [, all] = /\b0\/(\d+) nodes are available/.exec(text) ?? [];
  const [, mismatched] = /\b(\d+) node\(s\) didn't match Pod's node affinity\/selector/.exec(text) ?? [];
  return all !== undefined && all === mismatched;
}

/** What the containers that run for the life of a Pod ask for of one resource, in cores or bytes. */
function requested(pod: PodView, resource: 'cpuRequest' | 'memoryRequest'): number {
  const lasting = pod.template.containers.filter(({ role }) => role !== 'init');
  return lasting.reduce((sum, container) => sum + (parseQuantity(container[resource] ?? '') ?? 0), 0);
}

/** Whether a Pod asks for more than any empty Node has; where there is no Node, nobody knows. */
function isLargerThanAll(pod: PodView, sizes: Fleet['sizes']): boolean {
  const [cpu, memory] = [requested(pod, 'cpuRequest'), requested(pod, 'memoryRequest')];
  return sizes.length > 0 && sizes.every(([cores, bytes]) => cpu > cores || memory > bytes);
}

/** How patient to be with a Pod that fits on no Node since an instant (epoch milliseconds), by what the scheduler says. */
export function patienceWith(pod: PodView, since: number, text: string, world: ObservedWorld, now: number): Patience {
  if (/persistentvolumeclaim "[^"]+" not found/i.test(text)) return hopeless;
  // Where a Node that nobody has is not known to be absent, there may be Nodes that are not seen.
  if (world.get(refOf('Node', '', '')) !== 'absent') return mayPass;
  const { grows: adds, newestAt, sizes } = fleetOf(world, now);
  if (/unbound immediate PersistentVolumeClaims/.test(text)) return mayPass;
  if (failedScaleUpFor(pod, world, now)) return mayPass;
  const said = announced(pod, since, world, now);
  // That a Node cannot be created is a finding on the autoscaler, not on the Pod.
  if (said === grows && now < since + growsMs) return { ...grows, lookAgainAt: now + 30_000 };
  if (said) return said;
  if (adds || newestAt > since) return mayGrow;
  return isSelectedNowhere(text) || isLargerThanAll(pod, sizes)
    ? hopeless
    : shortageIn(text) === undefined
      ? mayPass
      : mayFit;
}
