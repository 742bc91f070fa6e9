import { earliest } from '../../model/instants.ts';
import { kindOf, nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import type { NamedDetector, Naming } from '../kit/detector.ts';
import { failingPlaces } from './failing-places.ts';

/** As many Nodes of a group, and this share of it, are more than each by itself; lost within this time of each other. */
const [minLost, minShare] = [3, 0.05];
/** One Node is no group. */
const fewestLost = 2;
const togetherMs = 5 * 60_000;

/** The Nodes that are of no zone and no pool. */
export const wholeCluster = refOf('Cluster', '', 'nodes');

const places: ReadonlySet<string> = new Set(['Zone', 'NodePool', 'Cluster']);

/** Whether it is what Nodes are of: such places are weighed against each other, so that what is found of one may concern all. */
export const isPlace = (ref: Ref): boolean => places.has(kindOf(ref));

/** The groups that a Node is of, as virtual objects: its zone and its pool, else the cluster. */
export function groupsOf({ zone, pool }: NodeView): readonly Ref[] {
  const groups: Ref[] = [];
  if (zone !== undefined) groups.push(refOf('Zone', '', zone));
  if (pool !== undefined) groups.push(refOf('NodePool', '', pool));
  return groups.length > 0 ? groups : [wholeCluster];
}

/** A Node that is lost, and since when (epoch milliseconds). */
type Lost = { readonly node: NodeView; readonly since: number };

/** The Nodes whose findings name a group, the one lost longest ago first. */
function lostOf(naming: Naming, world: ObservedWorld): readonly Lost[] {
  const lost: Lost[] = [];
  for (const [ref, findings] of naming) {
    const node = world.get(ref);
    if (typeof node === 'object' && node.kind === 'Node')
      lost.push({ node, since: earliest(findings.map(({ since }) => since)) });
  }
  return lost.sort((a, b) => a.since - b.since);
}

/** The most of them that were lost at about the same time. */
function together(lost: readonly Lost[]): readonly Lost[] {
  let most: readonly Lost[] = [];
  for (const [at, { since }] of lost.entries()) {
    const near = lost.slice(at).filter((other) => other.since - since <= togetherMs);
    if (near.length > most.length) most = near;
  }
  return most;
}

/** How many Nodes there are of a group. */
function sizeOf(group: Ref, world: ObservedWorld): number {
  let size = 0;
  for (const node of world.all('Node')) if (node.kind === 'Node' && groupsOf(node).includes(group)) size += 1;
  return size;
}

/** Of a small group two are enough where they are most of it. */
const isEnough = (lost: number, all: number): boolean =>
  lost >= Math.max(minLost, Math.ceil(all * minShare)) || (lost >= fewestLost && lost * 2 > all);

/** Nobody hears of it any more: the control plane has waited before it says so, as it does not where a kubelet restarts. */
function isSilent(ref: Ref, world: ObservedWorld): boolean {
  const node = world.get(ref);
  return typeof node === 'object' && node.kind === 'Node' && conditionOf(node, 'Ready')?.status === 'Unknown';
}

/**
 * How many Nodes this group accounts for that are lost at about the same time, those that are about to be found among them: the first
 * to be found is no incident of its own that is told before the others are.
 */
function ownOf(ref: Ref, lost: readonly Lost[], world: ObservedWorld): number {
  const [first, last] = [lost[0]?.since ?? 0, lost.at(-1)?.since ?? 0];
  const span = { from: first - togetherMs, until: last + togetherMs };
  const found = new Set(lost.map(({ node }) => node.ref));
  let own = 0;
  for (const node of failingPlaces(world, span, groupsOf, isEnough).get(ref) ?? [])
    if (found.has(node) || isSilent(node, world)) own += 1;
  return own;
}

function groupRow(judges: 'Zone' | 'NodePool' | 'Cluster', what: string): NamedDetector {
  return {
    id: 'N23',
    judges,
    reasons: [{ reason: 'ZoneOrPoolFailing', family: 'named', sure: 'high' }],
    severity: 'critical',
    settle: 'conclusive',
    source: 'findings N1 and N2 of Nodes with the same topology.kubernetes.io/zone or label of a pool',
    predicate: `3 Nodes or more, and 5 % or more, of ${what} are lost within 5 min of each other, or 2 that are most of them, and no other place explains them better`,
    clears: 'fewer are lost, held for 3 min',
    symptom: 'node',
    patience: 'none besides that of the Nodes: each has been lost for 20 to 30 s',
    isNot: 'one or two lost Nodes of many, which are found by themselves; Nodes that are drained, removed or young',
    judge: (ref, naming, world) => {
      if (kindOf(ref) === 'Cluster' && ref !== wholeCluster) return false;
      const lost = together(lostOf(naming, world));
      if (lost.length === 0) return false;
      const all = sizeOf(ref, world);
      const own = ownOf(ref, lost, world);
      if (!isEnough(own, all)) return false;
      const [first] = lost;
      return {
        since: first?.since ?? 0,
        facts: { lost: Math.max(lost.length, own), nodes: all, group: nameOf(ref) },
        clearHoldMs: 3 * 60_000,
      };
    },
  };
}

/** What Nodes are of: zones, pools, and the cluster where they say neither. */
export const nodeGroupDetectors: readonly NamedDetector[] = [
  groupRow('Zone', 'a zone'),
  groupRow('NodePool', 'a pool of Nodes'),
  groupRow('Cluster', 'the Nodes that are of no zone and no pool'),
];
