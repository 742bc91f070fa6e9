import type { Ref } from '../model/ref.ts';
import type { NodeView, Taint } from '../world/kinds/node.ts';
import type { ObservedWorld } from '../world/world.ts';
import { once } from './once.ts';

/** A taint as kubectl writes it, with a Node that has it: the first by name. */
export type SharedTaint = { readonly node: Ref; readonly taint: string };

/** What Kubernetes itself puts on Nodes, and takes off again, is told of the Node. */
const ownTaint = /^(?:node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\//;

const written = ({ key, value, effect }: Taint): string =>
  `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;

/** The taints of a Node that keep Pods away, and that somebody put there. */
const keepingAway = ({ taints }: NodeView): readonly string[] =>
  taints.filter(({ key, effect }) => effect !== 'PreferNoSchedule' && !ownTaint.test(key)).map(written);

/** The taint that all Nodes for workloads have: nobody may go anywhere who does not tolerate it. */
const ofAllNodes = once((world): SharedTaint | undefined => {
  const nodes = [...world.all('Node')].filter((view) => view.kind === 'Node').filter((node) => !node.controlPlane);
  const [first, ...others] = nodes.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  // One Node alone shares nothing.
  if (first === undefined || others.length === 0) return undefined;
  const taint = keepingAway(first).find((each) => others.every((node) => keepingAway(node).includes(each)));
  return taint === undefined ? undefined : { node: first.ref, taint };
});

/** The taint that all Nodes have in common, where the scheduler says that a Pod fits on none of them for its taints. */
export function sharedTaint(text: string, world: ObservedWorld, now: number): SharedTaint | undefined {
  const isKeptAway = /^0\/(\d+) nodes are available: \1 node\(s\) had untolerated taint/.test(text);
  return isKeptAway ? ofAllNodes(world, now) : undefined;
}
