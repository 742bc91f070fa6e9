import { earliest } from '../model/instants.ts';
import { kindOf, nameOf, type Ref, refOf } from '../model/ref.ts';
import type { NodeView } from '../world/kinds/node.ts';
import type { ObservedWorld } from '../world/world.ts';
import type { NamedDetector, Naming } from './detector.ts';

/** As many Nodes of a group, and this share of it, are more than each by itself; lost within this time of each other. */
const [minLost, minShare] = [3, 0.05];
/** One Node is no group. */
const fewestLost = 2;
const togetherMs = 5 * 60_000;

/** The Nodes that are of no zone and no pool. */
export const wholeCluster = refOf('Cluster', '', 'nodes');

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

/** How many Nodes there are of each group that they are asked for, and in which zones a pool is. */
function nodesOf(group: Ref, world: ObservedWorld): readonly NodeView[] {
  const nodes: NodeView[] = [];
  for (const node of world.all('Node')) if (node.kind === 'Node' && groupsOf(node).includes(group)) nodes.push(node);
  return nodes;
}

/** Of a small group two are enough where they are most of it. */
const isEnough = (lost: number, all: number): boolean =>
  lost >= Math.max(minLost, Math.ceil(all * minShare)) || (lost >= fewestLost && lost * 2 > all);

/** What all of them have in common; `undefined`: they differ, or do not say. */
function common(lost: readonly Lost[], of: (node: NodeView) => string | undefined): string | undefined {
  const [first, ...others] = lost.map(({ node }) => of(node));
  return others.every((other) => other === first) ? first : undefined;
}

/** Whether it is a pool that fails and not its zone: others of the zone are well, and the pool has no Nodes elsewhere. */
function isOfPool(pool: string | undefined, inZone: readonly NodeView[], world: ObservedWorld): boolean {
  if (pool === undefined || inZone.every((node) => node.pool === pool)) return false;
  const [first] = inZone;
  return nodesOf(refOf('NodePool', '', pool), world).every(({ zone }) => zone === first?.zone);
}

/** Whether the few that a zone has lost are of a pool that fails in other zones too. */
function failsElsewhere(lost: readonly Lost[], world: ObservedWorld): boolean {
  const pool = common(lost, (one) => one.pool);
  const zone = common(lost, (one) => one.zone);
  if (pool === undefined || lost.length >= minLost) return false;
  return nodesOf(refOf('NodePool', '', pool), world).some(
    (node) => node.zone !== zone && node.conditions.some(({ type, status }) => type === 'Ready' && status !== 'True'),
  );
}

/** Whether what is lost is of one zone, and enough for it to be the zone that fails. */
function isOfZone(lost: readonly Lost[], world: ObservedWorld): boolean {
  const zone = common(lost, (node) => node.zone);
  if (zone === undefined) return false;
  const inZone = nodesOf(refOf('Zone', '', zone), world);
  return (
    isEnough(lost.length, inZone.length) &&
    !isOfPool(
      common(lost, ({ pool }) => pool),
      inZone,
      world,
    )
  );
}

function groupRow(judges: 'Zone' | 'NodePool' | 'Cluster', what: string): NamedDetector {
  return {
    id: 'N23',
    judges,
    reasons: [{ reason: 'ZoneOrPoolFailing', family: 'named', sure: 'high' }],
    edition: 'Community',
    severity: 'critical',
    settle: 'conclusive',
    source: 'findings N1 and N2 of Nodes with the same topology.kubernetes.io/zone or label of a pool',
    predicate: `3 Nodes or more, and 5 % or more, of ${what} are lost within 5 min of each other, or 2 that are most of them`,
    clears: 'fewer are lost, held for 3 min',
    symptom: 'node',
    patience: 'none besides that of the Nodes: each has been lost for 20 to 30 s',
    isNot: 'one or two lost Nodes of many, which are found by themselves; Nodes that are drained, removed or young',
    judge: (ref, naming, world) => {
      if (kindOf(ref) === 'Cluster' && ref !== wholeCluster) return false;
      const lost = together(lostOf(naming, world));
      if (lost.length < fewestLost) return false;
      const all = nodesOf(ref, world);
      if (!isEnough(lost.length, all.length)) return false;
      if (
        kindOf(ref) === 'Zone' &&
        isOfPool(
          common(lost, ({ pool }) => pool),
          all,
          world,
        )
      )
        return false;
      if (kindOf(ref) === 'Zone' && failsElsewhere(lost, world)) return false;
      if (kindOf(ref) === 'NodePool' && isOfZone(lost, world)) return false;
      const [first] = lost;
      return {
        since: first?.since ?? 0,
        facts: { lost: lost.length, nodes: all.length, group: nameOf(ref) },
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
