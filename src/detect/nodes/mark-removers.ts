import { nameOf, type Ref } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { maxWorkloads } from '../../world/reading/bounds.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { autoscalers } from '../kit/autoscalers.ts';
import { startupTaint } from '../kit/conditions.ts';
import { agentsLike } from '../kit/driver-agent.ts';

/** Nodes that have the mark of their start and are looked at: those that come at once wait for the same. */
const mostMarked = 8;
/** What the programs are called that take Nodes over for a cloud (the charts and manifests of each). */
const takesOver = /cloud-controller-manager|(?:^|-)ccm$/;

const cloudControllers = once((world): readonly Ref[] => {
  const found: Ref[] = [];
  for (const kind of ['Deployment', 'DaemonSet'])
    for (const { ref } of Iterator.from(world.all(kind)).take(maxWorkloads))
      if (takesOver.test(nameOf(ref))) found.push(ref);
  return found.sort();
});

/** Parts of the domains of such marks that tell nothing of who takes them off. */
const usual: ReadonlySet<string> = new Set([
  'csi',
  'node',
  'aws',
  'cluster',
  'startup-taint',
  'ignore-taint',
  'readiness',
]);

/** Who takes the mark of its start off a Node: the cloud's controller, whoever makes Nodes, or the agent there that its domain names. */
export function markRemovers(node: NodeView, world: ObservedWorld, now: number): readonly Ref[] {
  const [domain = ''] = startupTaint(node)?.key.split('/') ?? [];
  if (domain === 'node.cloudprovider.kubernetes.io') return cloudControllers(world, now);
  if (domain === 'karpenter.sh') return autoscalers(world, now);
  const words = domain
    .split('.')
    .slice(0, -1)
    .filter((word) => !usual.has(word));
  return words.length === 0 ? [] : agentsLike(words, node.ref, world);
}

/** The Nodes that still have the mark of their start, by name. */
const markedNodes = once((world): readonly NodeView[] =>
  [...world.all('Node')]
    .filter((view) => view.kind === 'Node')
    .filter((node) => startupTaint(node) !== undefined)
    .sort((a, b) => (a.ref < b.ref ? -1 : 1))
    .slice(0, mostMarked),
);

/** Whether a scheduler counts a Node out for the mark of its start; newer ones say no more than that there are taints. */
const countsOut = (text: string, node: NodeView): boolean =>
  text.includes('untolerated taint(s)') || text.includes(`untolerated taint {${startupTaint(node)?.key}`);

/** The Nodes of which a scheduler says that their mark keeps a Pod away, and who takes it off. */
export function markedFor(text: string, world: ObservedWorld, now: number): readonly Ref[] {
  if (!text.includes('untolerated taint')) return [];
  const marked = markedNodes(world, now).filter((node) => countsOut(text, node));
  return [...new Set(marked.flatMap((node) => [node.ref, ...markRemovers(node, world, now)]))];
}
