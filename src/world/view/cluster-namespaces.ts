/**
 * Namespaces in which a cluster's own programs run: those of Kubernetes and its distributions, and what people call the ones that they add. A
 * workload's name alone says nothing, since any team may give it; namespaces are not theirs to make.
 */
const ofCluster = /^(?:kube|openshift)-|-system$|(?:^|-)(?:cluster|infra|infrastructure|platform|addons?)(?:-|$)/;

/** Whether programs of a namespace serve the whole cluster: it is one of the cluster's, or called like what it is made for. */
export function servesCluster(namespace: string, madeFor: RegExp): boolean {
  return ofCluster.test(namespace) || madeFor.test(namespace);
}
