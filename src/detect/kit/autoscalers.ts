import { nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { servesCluster } from '../../world/view/cluster-namespaces.ts';
import { once } from '../../world/view/once.ts';

/** What the programs are called that add Nodes, whatever a release or a cloud is named before it (the charts of each project). */
const addsNodes = /(?:^|-)(?:cluster-autoscaler|karpenter)$/;

/** What a namespace is called that is made for them. */
const theirs = /autoscal|karpenter/;

/** The workloads that add Nodes, for the whole cluster. */
export const autoscalers = once((world): readonly Ref[] => {
  const found: Ref[] = [];
  for (const { ref } of world.all('Deployment'))
    if (addsNodes.test(nameOf(ref)) && servesCluster(namespaceOf(ref), theirs)) found.push(ref);
  return found.sort();
});
