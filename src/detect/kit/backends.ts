import type { Ref } from '../../model/ref.ts';
import type { ServiceView } from '../../world/kinds/network/service.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** What the rows of Services have in common. */
export const judgesServices = { judges: 'Service', symptom: 'service' } as const;

/** Pods of a Service looked at one by one. */
const podSample = 50;

/** Some of the Pods that a Service selects: those that are to serve. */
export function podsBehind({ ref }: ServiceView, world: ObservedWorld): PodView[] {
  const pods: PodView[] = [];
  for (const each of world.linked(ref, 'selects', 'out', podSample)) {
    const pod = world.get(each);
    if (typeof pod !== 'object' || pod.kind !== 'Pod') continue;
    if (pod.deletionAt === undefined && pod.phase !== 'Succeeded' && pod.phase !== 'Failed') pods.push(pod);
  }
  return pods;
}

/** The workloads whose Pods a Service selects, whether there are any or not. */
export function workloadsBehind({ ref }: ServiceView, world: ObservedWorld): WorkloadView[] {
  return [...world.linked(ref, 'fronts', 'out', podSample)].flatMap((each) => {
    const view = world.get(each);
    return typeof view === 'object' && 'replicas' in view ? [view] : [];
  });
}

/** The workloads of the Pods that a Service of the cluster selects; none for anything else. */
export function serving(service: Ref, world: ObservedWorld): readonly Ref[] {
  const view = world.get(service);
  if (typeof view !== 'object' || view.kind !== 'Service') return [];
  return [...new Set(podsBehind(view, world).map(({ ref }) => world.topOwner(ref)))];
}
