import type { Explanation } from '../model/explanation.ts';
import type { Incident, IncidentState } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import { compareSeverity } from '../model/severity.ts';
import { viewFor, wholeCluster } from '../model/view.ts';
import { type Known, opened, reopened, rootFailed, startedAtOf } from './beginnings.ts';
import type { Bursts } from './bursts.ts';
import type { StepContext } from './context.ts';
import { anotherFailure } from './failure-class.ts';
import { awaitsHub, hubWaitMs } from './hub.ts';
import { isWhole, ruleAlone } from './muting.ts';
import { keepsComingBack, summaryIntervalMs, withoutPause, withRecovery } from './recurrence.ts';
import { heldAt, longestReadingMs, readingMs, retentionMs, settledAt } from './timing.ts';
import { downSinceOf, faceKey } from './told.ts';
import { type IncidentEvent, type Transition, transition } from './transitions.ts';

/** What one incident meets in one step. */
export type Encounter = {
  /** The explanation that it follows now. */
  readonly follows: Explanation | undefined;
  /** The incident whose explanation has taken over what this one was about. */
  readonly absorbedBy: string | undefined;
  /** What it follows was a symptom until now: it does not settle before this instant. */
  readonly settlesFrom?: number | undefined;
};

/** Whether a log that may say why something fails is being read now. */
export type IsBeingRead = (explanation: Explanation) => boolean;

/** What the life of incidents goes by. */
export type LifecycleContext = StepContext & {
  readonly isBeingRead: IsBeingRead;
  readonly bursts: Pick<Bursts, 'includes'>;
  readonly store: Known;
  /** Whether something that an incident was about fails, and nobody has been told of it by another incident yet. */
  readonly isStillFailing: (incident: Incident) => boolean;
};

/** What may be worth telling of an incident: whether it is, and to whom, is for the next stages. */
export type Matter =
  /** It begins, or begins again. */
  | {
      readonly is: 'begins';
      readonly act: 'open' | 'reopen';
      readonly from: IncidentState | null;
      readonly reasonCode: string;
      readonly note?: Note;
    }
  /** It goes on; with `reasonCode` where what was there at the start is worse now, or another failure. */
  | { readonly is: 'goesOn'; readonly reasonCode?: string }
  | { readonly is: 'folds'; readonly row: Transition; readonly into: string };

/** An incident after its transition. */
export type Transitioned = {
  /** `undefined`: it is forgotten. */
  readonly incident: Incident | undefined;
  readonly matter?: Matter;
  /** It is over. */
  readonly ended?: Transition;
  /** A change of state that nobody is told of. */
  readonly silent?: Transition;
  /** When time alone could change it next (epoch milliseconds). */
  readonly wakeAt?: number;
};

/** What namespaces saw last that the explanation has left now. */
function leftBehind(incident: Incident, explanation: Explanation): { left?: Record<string, Explanation> } {
  const left: Record<string, Explanation> = {};
  for (const audience of Object.keys(incident.standings)) {
    const last = viewFor(audience, incident.explanation) ?? incident.left?.[audience];
    if (last && viewFor(audience, explanation) === undefined) left[audience] = last;
  }
  return Object.keys(left).length === 0 ? {} : { left };
}

function following(incident: Incident, explanation: Explanation, now: number): Incident {
  if (incident.explanation === explanation) return incident;
  const { left, ...rest } = incident;
  const startedAt = startedAtOf(incident, explanation, now);
  const isOther = faceKey(explanation) !== faceKey(incident.explanation);
  return {
    ...{ ...rest, explanation, startedAt, ...(isOther && { faceSince: now }) },
    ...{ ...rootFailed(explanation), ...leftBehind(incident, explanation), ...downSinceOf(explanation, now, incident) },
  };
}

/** What happens to an incident now, or when something may by time alone. */
type Happening = {
  readonly event?: IncidentEvent;
  readonly wakeAt?: number;
  /** The hub is asked whether it tells it. */
  readonly asks?: true;
};

const atLast = (event: IncidentEvent, due: number, now: number): Happening =>
  due <= now ? { event } : { wakeAt: due };

/** Whether the hub is asked first: only about what the cluster's own people would be told, whole. */
const isAskedOf = (incident: Incident, context: LifecycleContext): boolean =>
  awaitsHub(incident, context) && isWhole(ruleAlone(incident.explanation, wholeCluster, context));

function happening(incident: Incident, encounter: Encounter, context: LifecycleContext): Happening {
  const { settings, now, bursts } = context;
  const { follows, absorbedBy } = encounter;
  const { state, explanation, seenAt = now, settlesFrom = encounter.settlesFrom } = incident;
  if (follows && (state === 'Settling' || state === 'Resolved')) {
    const due = settledAt({ explanation, seenAt, settlesFrom, now, settings, bursts });
    // What it fails of now has a log of its own, which may say why.
    const readUntil = Math.min(incident.faceSince ?? seenAt, seenAt + longestReadingMs) + readingMs;
    const isRead = state === 'Settling' && due < readUntil && context.isBeingRead(explanation);
    const settled = isRead ? readUntil : due;
    if (settled <= now && isAskedOf(incident, context))
      return { asks: true, wakeAt: (incident.askedAt ?? now) + hubWaitMs };
    return atLast('settled', settled, now);
  }
  if (follows) return { event: 'failing' };
  if (absorbedBy !== undefined) return { event: 'absorbed' };
  if (state === 'Recovering') {
    const heldUntil = heldAt(incident, settings, now);
    // What it was told to hit and fails on becomes an incident of its own first: nobody reads that it is over meanwhile.
    return heldUntil <= now && context.isStillFailing(incident) ? {} : atLast('held', heldUntil, now);
  }
  if (state === 'Resolved') return atLast('expired', (incident.resolvedAt ?? now) + retentionMs, now);
  return { event: 'clear' };
}

/**
 * What was there at the start and is worse now, or has another failure beside, than the startup summary said: from here on
 * an incident like any other.
 */
function outgrown(incident: Incident, context: LifecycleContext): Transitioned | undefined {
  const { atStart, explanation, seenAt = context.now } = incident;
  if (!incident.baseline || !atStart) return undefined;
  const { baseline, ...rest } = incident;
  const grown: Incident = { ...rest, outgrown: true };
  if (compareSeverity(explanation.severity, atStart.severity) < 0)
    return { incident: grown, matter: { is: 'goesOn', reasonCode: 'SeverityRaised' } };
  const another = anotherFailure(explanation, atStart);
  if (another === undefined) return undefined;
  const due = settledAt({ ...context, explanation: another, seenAt });
  return due <= context.now
    ? { incident: grown, matter: { is: 'goesOn', reasonCode: 'AnotherFailure' } }
    : { incident, matter: { is: 'goesOn' }, wakeAt: due };
}

/** It keeps coming back, which is summed up once a day, as long as it does. */
function comingBack(incident: Incident, now: number): { readonly incident: Incident; readonly wakeAt?: number } {
  const { recurring } = incident;
  if (recurring === undefined)
    return keepsComingBack(incident, now)
      ? { incident: { ...incident, recurring: { toldAt: now, returns: 0 } } }
      : { incident };
  const { toldAt, returns } = recurring;
  if (returns === 0) return { incident };
  const wakeAt = toldAt + summaryIntervalMs;
  if (now < wakeAt) return { incident, wakeAt };
  const summary = { times: returns, since: toldAt };
  return { incident: { ...incident, recurring: { toldAt: now, returns: 0, summary } } };
}

/** Open and failing. */
function goesOn(incident: Incident, context: LifecycleContext): Transitioned {
  const worse = outgrown(incident, context);
  if (worse) return worse;
  return { ...comingBack(incident, context.now), matter: { is: 'goesOn' } };
}

/** It fails again before its end: no new incident, and no message but what is new about it. */
function failsAgain(incident: Incident, row: Transition, context: LifecycleContext): Transitioned {
  const { clearSince, unseenSince, foldedInto, recurring, ...rest } = withoutPause(incident, context.now);
  const returned = recurring && { recurring: { ...recurring, returns: recurring.returns + 1 } };
  return { ...goesOn({ ...rest, ...returned, state: 'Open' }, context), silent: row };
}

function recovers(incident: Incident, row: Transition, { settings, now }: LifecycleContext): Transitioned {
  const recovering: Incident = {
    ...incident,
    state: 'Recovering',
    clearSince: now,
    recoveries: withRecovery(incident, now),
  };
  return { incident: recovering, silent: row, wakeAt: Math.max(now + 1, heldAt(recovering, settings, now)) };
}

/** An incident of which the hub is asked from now on, if it is not already. */
const asked = (incident: Incident, now: number): Incident =>
  incident.askedAt === undefined ? { ...incident, askedAt: now } : incident;

/** Nothing happens but what time brings. A resolved one that fails again keeps what it was about until that has settled. */
function waits(
  known: Incident,
  incident: Incident,
  { follows, settlesFrom }: Encounter,
  now: number,
  wakeAt?: number,
): Transitioned {
  const wake = wakeAt === undefined ? {} : { wakeAt };
  if (incident.state !== 'Resolved') return { incident, ...wake };
  if (follows) {
    const seen = { ...known, seenAt: now, ...(settlesFrom !== undefined && { settlesFrom }) };
    return { incident: known.seenAt === undefined ? seen : known, ...wake };
  }
  const { seenAt, settlesFrom: _, askedAt: _asked, ...rest } = known;
  return { incident: seenAt === undefined ? known : rest, ...wake };
}

/** The second stage: one incident, one step. What it meets changes its state, by the table of transitions, and nothing else. */
export function advance(known: Incident, encounter: Encounter, context: LifecycleContext): Transitioned {
  const { now } = context;
  const { follows, absorbedBy } = encounter;
  const incident = follows ? following(known, follows, now) : known;
  const { event, wakeAt, asks } = happening(incident, encounter, context);
  if (asks) return waits(asked(known, now), asked(incident, now), encounter, now, wakeAt);
  const row = event && transition(incident.state, event);
  if (row === undefined) {
    if (incident.state === 'Open' && event === 'failing') return goesOn(unfolded(incident), context);
    return waits(known, incident, encounter, now, wakeAt);
  }
  return enter(row, incident, absorbedBy, context);
}

/** An incident that is no part of another one. */
function unfolded(incident: Incident): Incident {
  if (incident.foldedInto === undefined) return incident;
  const { foldedInto, ...free } = incident;
  return free;
}

/** Carries out a row of the table. */
function enter(
  row: Transition,
  incident: Incident,
  absorbedBy: string | undefined,
  context: LifecycleContext,
): Transitioned {
  const { now } = context;
  const { from, to, reasonCode } = row;
  switch (row.on) {
    case 'settled': {
      const again = from === 'Resolved';
      const begun = again ? reopened(incident, context) : opened(incident, context);
      const note: { note?: Note } = begun.recurring ? { note: { is: 'recurring' } } : {};
      return { incident: begun, matter: { is: 'begins', act: again ? 'reopen' : 'open', from, reasonCode, ...note } };
    }
    case 'failing':
      return failsAgain(incident, row, context);
    case 'absorbed': {
      if (absorbedBy === undefined || (from === 'Open' && incident.foldedInto === absorbedBy)) return { incident };
      const { clearSince, unseenSince, ...rest } = incident;
      return { incident: to === null ? rest : { ...rest, state: to }, matter: { is: 'folds', row, into: absorbedBy } };
    }
    case 'clear':
      return to === null ? { incident: undefined, silent: row } : recovers(incident, row, context);
    case 'held': {
      const { seenAt, ...over } = incident;
      return { incident: { ...over, state: 'Resolved', resolvedAt: now }, ended: row };
    }
    case 'expired':
      return { incident: undefined, silent: row };
  }
}
