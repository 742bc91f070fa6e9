import { clusterDnsServices } from '../../model/cluster-dns.ts';
import { kindOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';

/** Whether a Service is that of cluster DNS: by a name that it has, or by the label that nearly all distributions keep. */
export function isClusterDns({ ref, labels }: { readonly ref: Ref; readonly labels: Labels }): boolean {
  if (kindOf(ref) !== 'Service') return false;
  if (clusterDnsServices.includes(ref)) return true;
  return namespaceOf(ref) === 'kube-system' && labels['k8s-app'] === 'kube-dns';
}

/** What resolvers say when no server answered, or it could not: `NXDOMAIN` is an answer. */
export const unansweredLookup =
  /:53: (?:read: )?connection refused|i\/o timeout|timed out|server misbehaving|EAI_AGAIN|ESERVFAIL|ETIMEOUT|temporary failure|try again|\[Errno -3\]|operation refused/i;
