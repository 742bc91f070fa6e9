import { type ProspectInput, prospectsOf } from '../incident/prospect.ts';
import type { Explanation } from '../model/explanation.ts';
import { hearingOf } from '../model/hearing.ts';
import { type HubVerdict, type HubWord, isOutside, type MemberReport, type OutsideCause } from '../model/hub.ts';
import type { Incident } from '../model/incident.ts';
import { pullCauses } from '../model/pull-cause.ts';
import { nameOf, type Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { wholeCluster } from '../model/view.ts';

/** Causes outside that one cluster reports at most, the worst first. */
export const mostCauses = 20;

/** Whether the cluster's own people would be told of something, as things stand. */
export const wouldBeTold =
  (context: ProspectInput) =>
  (explanation: Explanation): boolean =>
    prospectsOf(explanation, context).some(
      ({ audience, disposition }) => audience === wholeCluster && disposition === 'Delivered',
    );

/**
 * What a member tells the hub of the causes outside of its cluster: of what somebody of the cluster is told, or would be once it has settled.
 * What is filtered, silenced or in maintenance here is nobody else's news.
 */
export function outsideCauses(
  incidents: Iterable<Incident>,
  isWanted: (explanation: Explanation) => boolean,
): readonly OutsideCause[] {
  return [...incidents]
    .filter((incident) => isShared(incident, isWanted))
    .map(causeOf)
    .sort((a, b) => compareSeverity(a.severity, b.severity) || a.since - b.since || (a.id < b.id ? -1 : 1))
    .slice(0, mostCauses);
}

function isShared(
  { state, explanation, askedAt, standings, foldedInto }: Incident,
  isWanted: (explanation: Explanation) => boolean,
): boolean {
  if (!isOutside(explanation.root.ref) || foldedInto !== undefined) return false;
  if (askedAt !== undefined) return true;
  if (state === 'Settling') return isWanted(explanation);
  if (state === 'Resolved') return false;
  const { disposition, by } = standings[wholeCluster] ?? {};
  // What was there at the start is told in a summary, unless something mutes it.
  const isListed = disposition === 'Baseline' && by === undefined;
  return isListed || disposition === 'Delivered' || disposition === 'ToldByHub';
}

function causeOf({ id, state, explanation, startedAt, askedAt }: Incident): OutsideCause {
  const { root, reason, severity, members, affected, affectedCount = affected.length } = explanation;
  const said = members.find((member) => member.reason === reason)?.facts.pullCause;
  const pullCause = pullCauses.find((one) => one === said);
  return {
    ...{ id, root: root.ref, reason, severity, since: startedAt, affected: affectedCount },
    ...(pullCause !== undefined && { pullCause }),
    ...(state === 'Settling' && askedAt === undefined && { isUnsettled: true }),
    ...(state === 'Recovering' && { isClear: true }),
  };
}

/** What the hub had told before a restart counts for so long, until it is asked again (ms). */
const restartMs = 10_000;

/** What holds of the hub's word after a restart; `undefined`: it had told nothing. `now`: epoch milliseconds. */
export function wordAfterRestart(incidents: Iterable<Incident>, now: number): HubWord | undefined {
  const standing = [...incidents].flatMap(({ id, standings }) => {
    const { disposition, by } = standings[wholeCluster] ?? {};
    return disposition === 'ToldByHub' && by !== undefined ? [{ id, by }] : [];
  });
  const [first] = standing;
  if (first === undefined) return undefined;
  return {
    // A standing by the hub names it by its ref.
    ...{ name: nameOf(first.by as Ref), awaitedUntil: now + restartMs, declined: [] },
    told: Object.fromEntries(standing.map(({ id }) => [id, now + restartMs])),
  };
}

/** What a hub answers of each cause that a cluster reports, by the id that it has there. */
export function verdictsOn(
  { causes }: MemberReport,
  incidents: Iterable<Incident>,
  settings: Pick<Settings, 'providers' | 'operatorNamespace'>,
): Readonly<Record<string, HubVerdict>> {
  const all = [...incidents].filter(({ state, foldedInto }) => state !== 'Resolved' && foldedInto === undefined);
  const verdicts = causes.map((cause) => {
    const incident = all.find(({ explanation }) => explanation.root.ref === cause.root);
    return [cause.id, incident ? verdictOn(cause, incident, settings) : 'pending'] as const;
  });
  return Object.fromEntries(verdicts);
}

/** Told is what every provider that it goes to has for certain, as bad as it is. What none gets, or not by itself, is not told. */
function verdictOn(
  cause: OutsideCause,
  incident: Incident,
  { providers, operatorNamespace }: Pick<Settings, 'providers' | 'operatorNamespace'>,
): HubVerdict {
  const { state, standings, takenBy = [] } = incident;
  if (state === 'Settling') return 'pending';
  if (standings[wholeCluster]?.disposition !== 'Delivered') return 'declined';
  const readers = providers.filter(
    ({ uid, active, namespace }) => active.is && namespace === operatorNamespace && takenBy.includes(uid),
  );
  if (readers.length === 0) return 'declined';
  const hasHeard = readers.every(({ uid }) => {
    const { knows, told } = hearingOf(incident, uid);
    return knows === 'open' && told !== undefined && compareSeverity(told.severity, cause.severity) <= 0;
  });
  return hasHeard ? 'told' : 'pending';
}
