import type { Ref } from './ref.ts';

/** What the Service of cluster DNS is called: kubeadm and the managed clusters, OpenShift, RKE2. */
export const clusterDnsServices: readonly Ref[] = [
  'Service/kube-system/kube-dns',
  'Service/openshift-dns/dns-default',
  'Service/kube-system/rke2-coredns-rke2-coredns',
];
