import { kindOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';

/** What the Service of cluster DNS is called: kubeadm and the managed clusters, OpenShift, RKE2. */
export const clusterDnsServices: readonly Ref[] = [
  'Service/kube-system/kube-dns',
  'Service/openshift-dns/dns-default',
  'Service/kube-system/rke2-coredns-rke2-coredns',
];
const known: ReadonlySet<Ref> = new Set(clusterDnsServices);

/** Whether a Service is that of cluster DNS: by its name, or by the label that nearly all distributions keep. */
export function isClusterDns({ ref, labels }: { readonly ref: Ref; readonly labels: Labels }): boolean {
  if (kindOf(ref) !== 'Service') return false;
  return known.has(ref) || (namespaceOf(ref) === 'kube-system' && labels['k8s-app'] === 'kube-dns');
}
