import { clusterDnsServices } from '../../model/cluster-dns.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { fanOut } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';

/** The leases by which the scheduler and the controller manager lead. */
export const leaders: readonly Ref[] = [
  'Lease/kube-system/kube-scheduler',
  'Lease/kube-system/kube-controller-manager',
];

/** The cluster's DNS by the names that it may have, which every Pod and workload needs but its own. */
export function dnsOf(ref: Ref, world: World): readonly Ref[] {
  const own = new Set(world.linked(ref, kindOf(ref) === 'Pod' ? 'selects' : 'fronts', 'in', fanOut));
  return clusterDnsServices.some((service) => own.has(service)) ? [] : clusterDnsServices;
}
