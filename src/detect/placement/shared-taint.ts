import type { Ref } from '../../model/ref.ts';
import type { Labels } from '../../model/subject.ts';
import type { NodeView, Taint } from '../../world/kinds/cluster/node.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** A taint as kubectl writes it, with a Node that has it: the first by name. */
export type SharedTaint = { readonly node: Ref; readonly taint: string };

/** What Kubernetes itself puts on Nodes, and takes off again, is told of the Node. */
const ownTaint = /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\//;

const written = ({ key, value, effect }: Taint): string =>
  `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;

/** The taints of a Node that keep Pods away, and that somebody put there. */
const keepingAway = ({ taints }: NodeView): readonly string[] =>
  taints.filter(({ key, effect }) => effect !== 'PreferNoSchedule' && !ownTaint.test(key)).map(written);

/** The Nodes for workloads by name. */
const nodesByName = once((world): readonly NodeView[] =>
  [...world.all('Node')]
    .filter((view) => view.kind === 'Node')
    .filter((node) => !node.controlPlane)
    .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
);

/** The taint that some Nodes have in common, with the first of them. */
function commonTaint([first, ...others]: readonly NodeView[]): SharedTaint | undefined {
  if (first === undefined) return undefined;
  const taint = keepingAway(first).find((each) => others.every((node) => keepingAway(node).includes(each)));
  return taint === undefined ? undefined : { node: first.ref, taint };
}

/** The taint that all Nodes for workloads have: nobody may go anywhere who does not tolerate it. */
const ofAllNodes = once((world, now): SharedTaint | undefined => {
  const nodes = nodesByName(world, now);
  // One Node alone shares nothing.
  return nodes.length < 2 ? undefined : commonTaint(nodes);
});

/** How many Nodes the scheduler says to have taints that a Pod does not tolerate, where it does not match the others. */
function taintedOfSelected(text: string): number | undefined {
  const [, all, rest = ''] = /^0\/(\d+) nodes are available: (.*)/s.exec(text) ?? [];
  const tainted = Number(/\b(\d+) node\(s\) had untolerated taint/.exec(rest)?.[1] ?? 0);
  const mismatched = Number(/\b(\d+) node\(s\) didn't match Pod's node affinity\/selector/.exec(rest)?.[1] ?? 0);
  return tainted > 0 && tainted + mismatched === Number(all) ? tainted : undefined;
}

/**
 * The taint that all Nodes have in common which a Pod may go to by their labels, where the scheduler says that it fits on none of them for
 * its taints.
 */
export function sharedTaint(
  text: string,
  selector: Labels,
  world: ObservedWorld,
  now: number,
): SharedTaint | undefined {
  const tainted = taintedOfSelected(text);
  if (tainted === undefined) return undefined;
  const wanted = Object.entries(selector);
  if (wanted.length === 0) return ofAllNodes(world, now);
  const fitting = nodesByName(world, now).filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value));
  return fitting.length === tainted ? commonTaint(fitting) : undefined;
}
