import type { ContainerState, PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { containersOf, facet } from '../kit/containers.ts';
import { nodeNamed } from '../kit/exemptions.ts';
import { youngUntil } from '../kit/fleet.ts';
import { evidenceMs, lastTold } from '../kit/told.ts';

/** The drivers and the network of a new Node start after it does. */
export const youngNodeSeconds = 300;

/** Whether nothing of a container has run yet. */
function isUntried({ running, terminated, last }: ContainerState): boolean {
  return running === undefined && terminated === undefined && last === undefined;
}

/** Whether a container waits for what its Pod needs before anything of it can run. */
export function isHeldUp(pod: PodView, { waiting }: ContainerState): boolean {
  if (waiting?.reason === 'ContainerCreating') return true;
  // With init containers all of them say so until the volumes are there.
  return waiting?.reason === 'PodInitializing' && pod.containers.every(isUntried);
}

/** Since when a Pod has been on its Node and nothing of it could be made; `undefined` where that is not so. */
function heldUpSince(pod: PodView, world: ObservedWorld): number | undefined {
  const first = containersOf(pod).find(({ state }) => isHeldUp(pod, state));
  if (pod.phase !== 'Pending' || pod.node === undefined || !first) return undefined;
  return world.since(pod.ref, facet(first, `waiting/${first.state.waiting?.reason}`));
}

/**
 * What a kubelet tells of volumes or of the network of a Pod that it cannot start. An Event does not clear by its age: as long as the Pod
 * is held up and the last that was told of it is this, it is still so.
 */
export function obstacle(pod: PodView, reasons: readonly string[], world: ObservedWorld, now: number) {
  const began = heldUpSince(pod, world);
  if (began === undefined) return undefined;
  const last = world.events(pod.ref).at(-1);
  if (last && reasons.includes(last.reason) && last.lastAt >= began) return { began, event: last };
  const event = lastTold(pod.ref, { reasons }, world, now);
  return event && { began, event, lookAgainAt: event.lastAt + evidenceMs };
}

/** Whether the Node was young when the trouble began: how long to wait does not change while it is waited. */
export function beganOnYoungNode(pod: PodView, world: ObservedWorld, since: number): boolean {
  const node = nodeNamed(world, pod.node);
  return typeof node === 'object' && youngUntil(node) > since;
}
