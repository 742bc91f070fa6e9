import { acknowledgementOf } from '../model/acknowledgement.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import { expected } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { StepContext } from './context.ts';
import { forAnotherTime } from './hearing.ts';
import { alertKeyFor, freeKey, incidentId } from './identity.ts';
import { keepsComingBack } from './recurrence.ts';
import type { IncidentStore } from './store.ts';
import { downSinceOf } from './told.ts';
import type { Unsettled } from './unsettled.ts';

/** What beginning goes by of the incidents that are known. */
export type Known = Pick<IncidentStore, 'hasKey' | 'lastResolved' | 'resolvedCount'>;

const startOf = ({ members }: Explanation): number => earliest(members.map(({ since }) => since));

/** Whether the root fails itself: it has a finding of its own, or its Pods have. */
export const failsItself = ({ root, members, parts }: Explanation): boolean =>
  parts === undefined ||
  parts.some(({ root: own }) => own.ref === root.ref) ||
  members.some(({ subject }) => subject.ref === root.ref);

/** That the root failed itself, once it did: only then can its symptoms outlive it. */
export const rootFailed = (explanation: Explanation): { rootFailed?: true } =>
  failsItself(explanation) ? { rootFailed: true } : {};

/** A problem that was not there before. `known`: it was, before a restart; or from when on it settles. */
export function settling(
  explanation: Explanation,
  { clusterId, now }: Pick<StepContext, 'clusterId' | 'now'>,
  store: Pick<Known, 'hasKey'>,
  known?: Pick<Unsettled, 'settlesFrom'> & Partial<Unsettled>,
): Incident {
  const alertKey = known?.alertKey ?? alertKeyFor(explanation, clusterId, (key) => store.hasKey(key));
  const { id = incidentId(alertKey, now), seenAt = now, startedAt = now, settlesFrom } = known ?? {};
  return {
    ...{ id, alertKey, state: 'Settling', explanation, seenAt },
    ...{
      startedAt: Math.min(startOf(explanation), startedAt),
      revision: 0,
      recoveries: [],
      standings: {},
      hearings: {},
    },
    ...{ ...rootFailed(explanation), ...downSinceOf(explanation, now) },
    ...(settlesFrom !== undefined && { settlesFrom }),
  };
}

/** That it keeps coming back: it begins as such, and is told so. */
function asRecurring(incident: Incident, now: number): Incident {
  return keepsComingBack(incident, now) ? { ...incident, recurring: { toldAt: now, returns: 0 } } : incident;
}

/** A settled problem, under the key of its root as it is first told, with its history if it was there this week. */
export function opened(
  incident: Incident,
  { store, clusterId, now }: Pick<StepContext, 'clusterId' | 'now'> & { readonly store: Known },
): Incident {
  const { settlesFrom, askedAt, ...settled } = incident;
  const { explanation, alertKey } = settled;
  const before = store.lastResolved(explanation.root.ref, explanation.reason);
  return asRecurring(
    {
      ...settled,
      alertKey: alertKeyFor(explanation, clusterId, (key) => key !== alertKey && store.hasKey(key)),
      state: 'Open',
      startedAt: Math.min(incident.startedAt, startOf(explanation)),
      openedAt: now,
      ...(before && {
        previous: { id: before.id, times: store.resolvedCount(explanation.root.ref, explanation.reason) + 1 },
        recoveries: before.recoveries,
      }),
    },
    now,
  );
}

const failureOf = ({ reason, scope = '' }: Finding): string => `${reason}|${scope}`;

/** Whether lists are all that anybody has read of it. */
function isOnlyListed({ standings, hearings, baseline }: Incident): boolean {
  if (baseline) return true;
  const isTold = Object.values(hearings).some((hearing) => expected(hearing).knows !== 'nothing');
  return !isTold && Object.values(standings).some(({ disposition }) => disposition === 'Digested');
}

/**
 * When the problem began, now that an incident follows another explanation. What was only a line of a list may have held
 * for days without being any trouble: when it fails in no way that it did before, it begins with that.
 */
export function startedAtOf(incident: Incident, next: Explanation, now: number): number {
  if (!isOnlyListed(incident)) return incident.startedAt;
  const before = new Set(incident.explanation.members.map(failureOf));
  const goesOn = next.members.some((member) => before.has(failureOf(member)));
  return goesOn ? incident.startedAt : Math.min(startOf(next), now);
}

/** The incident that fails again: what belonged to its last time is over. */
export function reopened(
  incident: Incident,
  { store, now }: Pick<StepContext, 'now'> & { readonly store: Known },
): Incident {
  const { resolvedAt, clearSince, unseenSince, baseline, atStart, outgrown, foldedInto, recurring, ...known } =
    incident;
  const { settlesFrom, askedAt, blamed, faceSince, downSince, acknowledged, ...rest } = known;
  const startedAt = Math.min(startOf(incident.explanation), now);
  const hearings = Object.entries(incident.hearings).map(([uid, hearing]) => [uid, forAnotherTime(hearing)]);
  // Another one of the same root may have begun since, which products know by that key.
  const alertKey = freeKey(rest.alertKey, (key) => store.hasKey(key));
  const again: Incident = { ...rest, ...downSinceOf(incident.explanation, now), alertKey, state: 'Open', startedAt };
  const next = asRecurring({ ...again, hearings: Object.fromEntries(hearings) }, now);
  if (acknowledged === undefined) return next;
  // Of what keeps coming back nobody is told each time: who has taken that on goes on with it.
  return next.recurring ? { ...next, acknowledged } : { ...next, lapsed: acknowledgementOf(acknowledged) };
}
