import type { Ref } from '../model/ref.ts';
import type { World } from '../world/world.ts';

/** Who selects a Pod, looked at. */
const fanOut = 32;

/** The leases by which the scheduler and the controller manager lead. */
export const leaders: readonly Ref[] = [
  'Lease/kube-system/kube-scheduler',
  'Lease/kube-system/kube-controller-manager',
];

/** Where kubeadm and the managed clusters have their DNS. */
const clusterDns: Ref = 'Service/kube-system/kube-dns';

/** Whether it is the Service that answers for names. */
export const isClusterDns = (ref: Ref): boolean => ref === clusterDns;

/** The cluster's DNS, which every Pod needs but its own. */
export function dnsOf(ref: Ref, world: World): readonly Ref[] {
  return Iterator.from(world.linked(ref, 'selects', 'in', fanOut)).some((by) => by === clusterDns) ? [] : [clusterDns];
}
