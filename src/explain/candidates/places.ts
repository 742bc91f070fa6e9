import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { aftermathMs, settledMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';

/** Whether a Node has come back, lately before an instant or after it. */
function cameBack({ conditions, createdAt }: NodeView, since: number): boolean {
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.since >= since - aftermathMs && ready.since > createdAt + settledMs;
}

/** The zones and pools of those Nodes that were away when something failed and have come back; of Nodes that say neither, the cluster. */
export function placesThatCameBack(nodes: Iterable<Ref>, { since }: Finding, world: World): readonly Ref[] {
  const places = new Set<Ref>();
  for (const ref of nodes) {
    const node = kindOf(ref) === 'Node' ? world.get(ref) : undefined;
    if (typeof node !== 'object' || node.kind !== 'Node' || !cameBack(node, since)) continue;
    const { zone, pool } = node;
    if (zone !== undefined) places.add(refOf('Zone', '', zone));
    if (pool !== undefined) places.add(refOf('NodePool', '', pool));
    if (zone === undefined && pool === undefined) places.add(refOf('Cluster', '', 'nodes'));
  }
  return [...places];
}
