import { namespaceOf } from '../../model/ref.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import { backendsOf } from '../../world/view/endpoints.ts';
import { isExposed } from '../../world/view/exposure.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { workloadsBehind } from '../kit/backends.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** Whether an autoscaler decides how many there are: HPA, or KEDA, which makes one. */
function isAutoscaled({ ref }: WorkloadView, world: ObservedWorld): boolean {
  return Iterator.from(world.linked(ref, 'scales', 'in', 1)).some(() => true);
}

/** Whether nothing at all runs in a namespace: somebody has parked it, or not moved in yet. */
function isParked(namespace: string, world: ObservedWorld): boolean {
  return Iterator.from(world.podsIn(namespace, 1)).every(() => false);
}

const scaledToZeroRouted = detector({
  id: 'W24',
  reasons: [{ reason: 'ScaledToZeroRouted', family: 'consequence', sure: 'high' }],
  judges: 'Service',
  reads: ['EndpointSlice', 'Deployment', 'StatefulSet', 'ReplicaSet', 'Pod'],
  severity: 'low',
  forSeconds: 900,
  source:
    'apps/v1 spec.replicas of all workloads that a Service selects; its EndpointSlices; Ingresses, routes of the Gateway API and load balancers that lead to it',
  predicate:
    'traffic from outside is routed to a Service for 15 min whose workloads are all scaled to 0, while other Pods run in the namespace',
  clears: 'a replica is wanted, an endpoint is ready, or nothing routes to it',
  symptom: 'service',
  patience: '15 min: people scale down for a moment to migrate or to repair',
  isNot:
    'a Service inside the cluster; a namespace in which nothing runs; what an autoscaler, KEDA or Knative scales, or wakes when it is asked; the colour of a blue-green release that is not in use',
  judge: (service, world) => {
    const backends = service.selector && backendsOf(service.ref, world);
    if (!backends || backends.ready > 0 || !isExposed(world, service.ref)) return false;
    const workloads = workloadsBehind(service, world);
    if (workloads.length === 0 || workloads.some(({ replicas }) => replicas > 0)) return false;
    if (isParked(namespaceOf(service.ref), world) || workloads.some((each) => isAutoscaled(each, world))) return false;
    return {
      since: backends.emptySince,
      facts: { workloads: workloads.length, parked: workloads[0]?.ref ?? '' },
      names: workloads.slice(0, 3).map(({ ref }) => ref),
    };
  },
});

/** Workloads that are switched off and still asked for. */
export const parkedDetectors: readonly Detector[] = [scaledToZeroRouted];
