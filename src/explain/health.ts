import type { WorkloadHealth } from '../model/explanation.ts';
import { nameOf } from '../model/ref.ts';
import type { WorkloadView } from '../world/kinds/workload.ts';
import { isReady } from '../world/readiness.ts';
import type { World } from '../world/world.ts';
import { type Impact, nodeDown } from './severity.ts';
import { podsOf, workloadView } from './workload.ts';

/** Up to this size a workload's Pods are counted one by one. */
const podSample = 200;

/**
 * Its controller's own count; with a lost node the Pods that are ready elsewhere, since the controller learns of the loss
 * later than we do.
 */
function readyOf(view: WorkloadView, world: World, lostNode: string | undefined): number {
  if (lostNode === undefined || view.replicas > podSample) return view.ready;
  return podsOf(world, view.ref, podSample).filter((pod) => isReady(pod) && pod.node !== lostNode).length;
}

/** What is left of each workload that keeps replicas and wants some. */
export function healthOf({ root, reason, workloads, world }: Impact): WorkloadHealth[] {
  const lostNode = nodeDown({ root, reason }) ? nameOf(root) : undefined;
  return workloads.flatMap((ref) => {
    const view = workloadView(world, ref);
    if (view === undefined || view.replicas === 0) return [];
    return [{ ref, wanted: view.replicas, ready: readyOf(view, world, lostNode) }];
  });
}
