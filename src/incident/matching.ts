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
 * What is left of an incident whose root is healthy again must not carry on its name: the symptoms have outlived their cause
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

/** Who follows what, both ways. */
class Pairing {
  readonly followed = new Map<string, Explanation>();
  readonly follower = new Map<Explanation, string>();

  /** Whether both were still free. */
  join(incident: string, explanation: Explanation): boolean {
    if (this.followed.has(incident) || this.follower.has(explanation)) return false;
    this.followed.set(incident, explanation);
    this.follower.set(explanation, incident);
    return true;
  }
}

/** What incidents follow now, by what fails in it. Indexes cost as much as there fails, and are made when they are asked. */
class Holders {
  readonly #explanations: readonly Explanation[];
  #byKey: ReadonlyMap<string, Explanation> | undefined;
  #byObject: ReadonlyMap<Ref, readonly Explanation[]> | undefined;

  constructor(explanations: Iterable<Explanation>) {
    this.#explanations = [...explanations];
  }

  /** Explanations that hold findings of this one, those with most first. */
  ofFindings(explanation: Explanation): Explanation[] {
    this.#byKey ??= new Map(this.#explanations.flatMap((holder) => keysOf(holder).map((key) => [key, holder])));
    const byKey = this.#byKey;
    const taken = Map.groupBy(
      keysOf(explanation).flatMap((key) => byKey.get(key) ?? []),
      (holder) => holder,
    );
    return [...taken]
      .sort((a, b) => b[1].length - a[1].length || (a[0].root.ref < b[0].root.ref ? -1 : 1))
      .map(([holder]) => holder);
  }

  /** Explanations in which every one of these objects fails. */
  ofAll([first, ...others]: readonly Ref[]): readonly Explanation[] {
    if (first === undefined) return [];
    this.#byObject ??= objectsOf(this.#explanations);
    const byObject = this.#byObject;
    const holders = byObject.get(first) ?? [];
    return holders.filter((holder) => others.every((ref) => byObject.get(ref)?.includes(holder)));
  }
}

/** Object → the explanations in which it fails. */
function objectsOf(explanations: readonly Explanation[]): ReadonlyMap<Ref, readonly Explanation[]> {
  const byObject = new Map<Ref, Explanation[]>();
  for (const explanation of explanations)
    for (const ref of failingIn([explanation])) {
      const known = byObject.get(ref);
      if (known) known.push(explanation);
      else byObject.set(ref, [explanation]);
    }
  return byObject;
}

/** What is healthy again when an incident is over: its root where that failed, and otherwise the workloads that its cause hit. */
const failedIn = ({ explanation: { root, workloads }, rootFailed }: Incident): readonly Ref[] =>
  rootFailed ? [root.ref] : workloads;

/**
 * The incident whose explanation holds most of the findings of another one that follows nothing now; or, where it holds none, in which
 * everything fails that the other one was about. Whoever was told of a failed object must not read that it is healthy while it fails for
 * another reason.
 */
function absorberOf(
  incident: Incident,
  holders: Holders,
  failing: ReadonlySet<Ref>,
  { follower }: Pairing,
): string | undefined {
  const isHeld = (explanation: Explanation): boolean => !outlives(incident, explanation, failing);
  const most = holders.ofFindings(incident.explanation).find(isHeld) ?? holders.ofAll(failedIn(incident)).find(isHeld);
  return most && follower.get(most);
}

/**
 * Told incidents whose root one free explanation has, and no other told incident: by the order of pairs nothing can come
 * before, so that nobody's findings have to be compared. This is the usual change of what goes on.
 */
function joinByRoot(incidents: readonly Incident[], free: readonly Explanation[], pairing: Pairing): void {
  const told = Map.groupBy(incidents.filter(announced), ({ explanation }) => explanation.root.ref);
  const byRoot = Map.groupBy(free, ({ root }) => root.ref);
  for (const [root, [incident, otherIncident]] of told) {
    const [explanation, otherExplanation] = byRoot.get(root) ?? [];
    if (incident === undefined || explanation === undefined) continue;
    const isOnly = otherIncident === undefined && otherExplanation === undefined;
    if (isOnly && incident.state !== 'Resolved') pairing.join(incident.id, explanation);
  }
}

/** Every object with a finding in one of these, and the workloads of their Pods. */
function failingIn(explanations: readonly Explanation[]): Set<Ref> {
  const failing = new Set<Ref>();
  for (const { root, members, parts } of explanations) {
    for (const { subject } of members) failing.add(subject.ref);
    for (const part of parts ?? [{ root }]) failing.add(part.root.ref);
  }
  return failing;
}

/**
 * The first stage: matches by overlap of explained findings, then by root; each incident follows at most one explanation. An
 * incident whose findings another one's explanation holds is absorbed by that one. What has not changed costs next to nothing.
 */
export function match(incidents: readonly Incident[], explanations: readonly Explanation[]): Matched {
  const pairing = new Pairing();
  const { followed, follower } = pairing;
  const isFree = (explanation: Explanation): boolean => !follower.has(explanation);
  const follows = ({ id }: Incident): boolean => followed.has(id);
  const current = new Set(explanations);
  for (const { id, state, explanation } of incidents)
    if (state !== 'Resolved' && current.has(explanation)) pairing.join(id, explanation);
  joinByRoot(
    incidents.filter((incident) => !follows(incident)),
    explanations.filter(isFree),
    pairing,
  );
  const open = incidents.filter((incident) => !follows(incident));
  const free = explanations.filter(isFree);
  const absorbed = new Map<string, string>();
  const isLost = (incident: Incident): boolean => incident.state !== 'Resolved' && !follows(incident);
  if (free.length === 0 ? !open.some(isLost) : open.length === 0) return { followed, absorbed, fresh: free };

  const failing = failingIn(explanations);
  for (const { incident, explanation } of pairsOf(open, free, failing).sort(compare))
    pairing.join(incident.id, explanation);
  const lost = open.filter(isLost);
  const holders = new Holders(lost.length > 0 ? follower.keys() : []);
  for (const incident of lost) {
    const by = absorberOf(incident, holders, failing, pairing);
    if (by !== undefined) absorbed.set(incident.id, by);
  }
  return { followed, absorbed, fresh: free.filter(isFree) };
}
