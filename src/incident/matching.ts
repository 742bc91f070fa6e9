import type { Explanation } from '../model/explanation.ts';
import { findingKey } from '../model/finding.ts';
import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';

/** Which incident follows which explanation. */
export type Matched = {
  /** Incident id → the explanation it follows now. */
  readonly followed: ReadonlyMap<string, Explanation>;
  /** Incident id → id of the incident whose explanation has taken its findings over. */
  readonly absorbed: ReadonlyMap<string, string>;
  /** Explanations that no incident follows. */
  readonly fresh: readonly Explanation[];
};

type Pair = {
  readonly incident: Incident;
  readonly explanation: Explanation;
  readonly overlap: number;
  readonly sameRoot: boolean;
};

const announced = ({ state }: Incident): boolean => state !== 'Settling';
const keysOf = ({ members }: Explanation): string[] => members.map(findingKey);

/**
 * What is left of an incident whose root is well again must not carry on its name: the symptoms have outlived their cause
 * and become incidents of their own.
 */
function outlives(incident: Incident, explanation: Explanation, failing: ReadonlySet<Ref>): boolean {
  const { root, affected } = incident.explanation;
  return (
    incident.rootFailed === true &&
    explanation.root.ref !== root.ref &&
    !failing.has(root.ref) &&
    affected.some(({ ref }) => ref === explanation.root.ref)
  );
}

/** Told incidents first, then the same root, then the larger overlap, then the same reason, then age. */
function compare(a: Pair, b: Pair): number {
  return (
    Number(announced(b.incident)) - Number(announced(a.incident)) ||
    Number(b.sameRoot) - Number(a.sameRoot) ||
    b.overlap - a.overlap ||
    Number(sameReason(b)) - Number(sameReason(a)) ||
    Number(a.incident.foldedInto !== undefined) - Number(b.incident.foldedInto !== undefined) ||
    (a.incident.openedAt ?? a.incident.startedAt) - (b.incident.openedAt ?? b.incident.startedAt) ||
    (a.incident.id < b.incident.id ? -1 : 1)
  );
}

const sameReason = ({ incident, explanation }: Pair): boolean => incident.explanation.reason === explanation.reason;

/** Pairs that share a finding or the root. A resolved incident is the same one again only with the same root. */
function pairsOf(
  incidents: readonly Incident[],
  explanations: readonly Explanation[],
  failing: ReadonlySet<Ref>,
): Pair[] {
  const byKey = new Map<string, Explanation>();
  for (const explanation of explanations) for (const key of keysOf(explanation)) byKey.set(key, explanation);
  const byRoot = Map.groupBy(explanations, ({ root }) => root.ref);
  return incidents.flatMap((incident) => {
    const overlaps = new Map<Explanation, number>();
    for (const key of keysOf(incident.explanation)) {
      const explanation = byKey.get(key);
      if (explanation) overlaps.set(explanation, (overlaps.get(explanation) ?? 0) + 1);
    }
    const { root, reason } = incident.explanation;
    for (const explanation of byRoot.get(root.ref) ?? []) if (!overlaps.has(explanation)) overlaps.set(explanation, 0);
    return [...overlaps].flatMap(([explanation, overlap]) => {
      const sameRoot = explanation.root.ref === root.ref;
      if (incident.state === 'Resolved' && !(sameRoot && (overlap > 0 || explanation.reason === reason))) return [];
      if (outlives(incident, explanation, failing)) return [];
      return [{ incident, explanation, overlap, sameRoot }];
    });
  });
}

/**
 * Matches by overlap of explained findings, then by root; each incident follows at most one explanation. An incident whose
 * findings another one's explanation holds is absorbed by that one.
 */
export function match(incidents: readonly Incident[], explanations: readonly Explanation[]): Matched {
  const followed = new Map<string, Explanation>();
  const follower = new Map<Explanation, string>();
  const current = new Set(explanations);
  for (const { id, state, explanation } of incidents)
    if (state !== 'Resolved' && current.has(explanation) && !follower.has(explanation)) {
      followed.set(id, explanation);
      follower.set(explanation, id);
    }
  const openIncidents = incidents.filter(({ id }) => !followed.has(id));
  const openExplanations = explanations.filter((explanation) => !follower.has(explanation));
  const failing = new Set(explanations.flatMap(({ members }) => members.map(({ subject }) => subject.ref)));
  for (const { incident, explanation } of pairsOf(openIncidents, openExplanations, failing).sort(compare)) {
    if (followed.has(incident.id) || follower.has(explanation)) continue;
    followed.set(incident.id, explanation);
    follower.set(explanation, incident.id);
  }
  const absorbed = new Map<string, string>();
  const holder = new Map<string, Explanation>();
  for (const [explanation] of follower) for (const key of keysOf(explanation)) holder.set(key, explanation);
  for (const incident of incidents) {
    if (followed.has(incident.id) || incident.state === 'Resolved') continue;
    const taken = Map.groupBy(
      keysOf(incident.explanation).flatMap((key) => holder.get(key) ?? []),
      (explanation) => explanation,
    );
    const [most] = [...taken]
      .filter(([explanation]) => !outlives(incident, explanation, failing))
      .sort((a, b) => b[1].length - a[1].length || (a[0].root.ref < b[0].root.ref ? -1 : 1));
    const by = most && follower.get(most[0]);
    if (by !== undefined) absorbed.set(incident.id, by);
  }
  return { followed, absorbed, fresh: explanations.filter((explanation) => !follower.has(explanation)) };
}
