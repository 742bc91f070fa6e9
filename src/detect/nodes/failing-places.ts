import type { Ref } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { isLeaving } from '../kit/exemptions.ts';
import { youngUntil } from '../kit/fleet.ts';

/** What Nodes are of, and which of them are away at the same time. */
type Place = {
  readonly ref: Ref;
  readonly size: number;
  readonly away: Set<Ref> /** For another reason. */;
  taken: number;
};

/** Instants, both inclusive (epoch milliseconds). */
type Span = { readonly from: number; readonly until: number };

/** Whether a Node has been away since an instant of this time, as the control plane says, and is meant to be there. */
function isAway(node: NodeView, { from, until }: Span): boolean {
  const ready = conditionOf(node, 'Ready');
  if (ready === undefined || ready.status === 'True' || ready.since < from || ready.since > until) return false;
  return !isLeaving(node) && !(ready.status === 'False' && ready.since < youngUntil(node));
}

function placesOf(
  world: ObservedWorld,
  span: Span,
  groupsOf: (node: NodeView) => readonly Ref[],
): ReadonlyMap<Ref, Place> {
  const [sizes, places] = [new Map<Ref, number>(), new Map<Ref, Set<Ref>>()];
  for (const node of world.all('Node')) {
    if (node.kind !== 'Node') continue;
    const away = isAway(node, span);
    for (const group of groupsOf(node)) {
      sizes.set(group, (sizes.get(group) ?? 0) + 1);
      if (!away) continue;
      const known = places.get(group);
      if (known) known.add(node.ref);
      else places.set(group, new Set([node.ref]));
    }
  }
  const entries = [...places].map(([ref, away]) => [ref, { ref, size: sizes.get(ref) ?? 0, away, taken: 0 }] as const);
  return new Map(entries);
}

/** How well a place explains who is away: most of them are of it, and few that are of it are there. */
const fit = ({ away, size, taken }: Place): number => away.size ** 2 / (size - taken);

/** The better of two; of a zone and a pool that explain as much the zone: pools are made in zones. */
function better(a: Place, b: Place): Place {
  const by = fit(b) - fit(a);
  return by > 0 || (by === 0 && b.ref > a.ref) ? b : a;
}

/**
 * Which Nodes that are away at about the same time each failing place accounts for. A pool over three zones that is lost takes a third of
 * each zone with it, and a zone that is lost part of each pool: the place that explains most of them comes first, and the others are
 * left with those that it does not explain. It goes by the conditions of all Nodes, so that the first to be found tell no other story
 * than the last. `isEnough`: so many of so many are more than each by itself.
 */
export function failingPlaces(
  world: ObservedWorld,
  span: Span,
  groupsOf: (node: NodeView) => readonly Ref[],
  isEnough: (lost: number, all: number) => boolean,
): ReadonlyMap<Ref, ReadonlySet<Ref>> {
  const open = new Map(placesOf(world, span, groupsOf));
  const failing = new Map<Ref, ReadonlySet<Ref>>();
  for (;;) {
    for (const [ref, { away, size }] of open) if (!isEnough(away.size, size)) open.delete(ref);
    const [first, ...others] = open.values();
    if (first === undefined) return failing;
    const best = others.reduce(better, first);
    open.delete(best.ref);
    failing.set(best.ref, new Set(best.away));
    for (const place of open.values()) for (const node of best.away) if (place.away.delete(node)) place.taken += 1;
  }
}
