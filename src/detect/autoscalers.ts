import { nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import { once } from './once.ts';

/** What the programs are called that add Nodes, whatever a release or a cloud is named before it (the charts of each project). */
const addsNodes = /(?:^|-)(?:cluster-autoscaler|karpenter)$/;

/**
 * Namespaces in which a cluster's own programs run: those of Kubernetes and its distributions, what people call the ones that they add, and
 * those that are called like the program. A name alone says nothing, since any team may call a Deployment so; namespaces are not theirs to make.
 */
const ofCluster =
  /^(?:kube|openshift)-|-system$|(?:^|-)(?:cluster|infra|infrastructure|platform|addons?)(?:-|$)|autoscal|karpenter/;

/** The workloads that add Nodes, for the whole cluster. */
export const autoscalers = once((world): readonly Ref[] => {
  const found: Ref[] = [];
  for (const { ref } of world.all('Deployment'))
    if (addsNodes.test(nameOf(ref)) && ofCluster.test(namespaceOf(ref))) found.push(ref);
  return found.sort();
});
