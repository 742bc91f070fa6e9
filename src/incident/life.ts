import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Settings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { viewFor } from './audiences.ts';
import type { Book } from './book.ts';
import type { Desk } from './desk.ts';
import { alertKeyFor, incidentId } from './identity.ts';
import { type Arrival, heldAt, recentRecoveries, retentionMs, settledAt } from './timing.ts';
import { type IncidentEvent, transition } from './transitions.ts';
import { updateFor } from './updates.ts';

/** What one step of an incident's life needs. */
export type LifeContext = {
  readonly settings: Settings;
  readonly now: number;
  readonly clusterId: string;
  readonly book: Book;
  readonly desk: Desk;
  readonly arrivals: readonly Arrival[];
  /** Audiences that were there in the step before. */
  readonly knownAudiences: ReadonlySet<string>;
  /** Asks for a step at an instant (epoch milliseconds). */
  wake(at: number): void;
  /** Collects what was resolved in this step. */
  readonly resolved: Incident[];
};

const startOf = ({ members }: Explanation): number => Math.min(...members.map(({ since }) => since));

/** That the root has a finding of its own, once it had one: only then can its symptoms outlive it. */
const rootFailed = ({ root, members }: Explanation): { rootFailed?: true } =>
  members.some(({ subject }) => subject.ref === root.ref) ? { rootFailed: true } : {};

/** What namespaces saw last that the explanation has left now. */
function leftBehind(incident: Incident, explanation: Explanation): { left?: Record<string, Explanation> } {
  const left: Record<string, Explanation> = {};
  for (const audience of Object.keys(incident.standings)) {
    const last = viewFor(audience, incident.explanation) ?? incident.left?.[audience];
    if (last && viewFor(audience, explanation) === undefined) left[audience] = last;
  }
  return Object.keys(left).length === 0 ? {} : { left };
}

function following(incident: Incident, explanation: Explanation): Incident {
  if (incident.explanation === explanation) return incident;
  const { left, ...rest } = incident;
  return { ...rest, explanation, ...rootFailed(explanation), ...leftBehind(incident, explanation) };
}

/** A problem that was not there before. */
export function settling(explanation: Explanation, clusterId: string, now: number, book: Book): Incident {
  const alertKey = alertKeyFor(explanation, clusterId, book.all());
  return {
    ...{ id: incidentId(alertKey, now), alertKey, state: 'Settling', explanation, startedAt: startOf(explanation) },
    ...{ revision: 0, recoveries: [], standings: {}, toldTo: [] },
    ...rootFailed(explanation),
  };
}

/** A settled problem, under the key of its root as it is first told, with its history if it was there this week. */
function opened(incident: Incident, { book, clusterId, now }: LifeContext): Incident {
  const { explanation } = incident;
  const others = book.all().filter(({ id }) => id !== incident.id);
  const before = others
    .filter(
      (one) =>
        one.state === 'Resolved' &&
        one.explanation.root.ref === explanation.root.ref &&
        one.explanation.reason === explanation.reason,
    )
    .sort((a, b) => (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0))
    .at(-1);
  const previous = before && { id: before.id, times: (before.previous?.times ?? 1) + 1 };
  return {
    ...incident,
    alertKey: alertKeyFor(explanation, clusterId, others),
    state: 'Open',
    startedAt: Math.min(incident.startedAt, startOf(explanation)),
    openedAt: now,
    ...(previous ? { previous } : {}),
  };
}

/** The incident that fails again: what belonged to its last time is over. */
function reopened(incident: Incident): Incident {
  const { resolvedAt, clearSince, baseline, atStart, foldedInto, rootRevised, flapping, ...rest } = incident;
  return { ...rest, state: 'Open', startedAt: startOf(incident.explanation) };
}

/** What has happened to an incident since the last step. */
function eventOf(
  incident: Incident,
  followed: boolean,
  absorbed: boolean,
  context: LifeContext,
): IncidentEvent | undefined {
  const { settings, now, arrivals, wake } = context;
  const { state, explanation } = incident;
  if (followed && (state === 'Settling' || state === 'Resolved')) {
    const due = settledAt(explanation, settings, arrivals, now);
    if (due <= now) return 'settled';
    wake(due);
    return undefined;
  }
  if (followed) return 'failing';
  if (absorbed) return 'absorbed';
  if (state === 'Recovering') {
    const due = heldAt(incident, settings, now);
    if (due <= now) return 'held';
    wake(due);
    return undefined;
  }
  if (state === 'Resolved') {
    const due = (incident.resolvedAt ?? now) + retentionMs;
    if (due <= now) return 'expired';
    wake(due);
    return undefined;
  }
  return 'clear';
}

/** What was there at the start and is worse now than the startup summary said: from here on an incident like any other. */
function outgrown(incident: Incident): Incident | undefined {
  const { baseline, ...rest } = incident;
  const { atStart, explanation } = incident;
  if (!baseline || !atStart || compareSeverity(explanation.severity, atStart.severity) >= 0) return undefined;
  return { ...rest, told: atStart };
}

/** Open: tells what is new about it, and what was muted and is not any more. */
function watchOpen(incident: Incident, context: LifeContext): Incident {
  const { desk, settings, now, wake, knownAudiences } = context;
  const worse = outgrown(incident);
  if (worse)
    return desk.announce(worse, { act: 'update', action: 'update', from: 'Open', reasonCode: 'SeverityRaised' });
  const reviewed = desk.review(incident, knownAudiences);
  const update = updateFor(reviewed, settings, now);
  if (update === undefined) return reviewed;
  if ('notBefore' in update) {
    wake(update.notBefore);
    return reviewed;
  }
  const { reasonCode } = update;
  const told = desk.announce(reviewed, { act: 'update', action: 'update', from: 'Open', reasonCode });
  const once: Partial<Incident> = {
    ...(told.explanation.root.ref === reviewed.told?.root ? {} : { rootRevised: true }),
    ...(reasonCode === 'Flapping' ? { flapping: true } : {}),
  };
  return { ...told, ...once };
}

/** One incident, one step: what it follows now, what that does to its state, who is told. */
export function live(
  known: Incident,
  follows: Explanation | undefined,
  absorbedBy: string | undefined,
  context: LifeContext,
): void {
  const { book, desk, now } = context;
  const incident = follows ? following(known, follows) : known;
  const event = eventOf(incident, follows !== undefined, absorbedBy !== undefined, context);
  const row = event && transition(incident.state, event);
  const from = incident.state;
  if (row === undefined) {
    const { foldedInto, ...free } = incident;
    if (from === 'Open' && event === 'failing')
      book.put(watchOpen(foldedInto === undefined ? incident : free, context));
    // A resolved one keeps what it was about until it is the same again.
    else if (from !== 'Resolved') book.put(incident);
    return;
  }
  const { to, action, reasonCode } = row;
  switch (event) {
    case 'settled': {
      const { standings, ...again } = from === 'Resolved' ? reopened(incident) : opened(incident, context);
      const fresh: Incident = { ...again, standings: {} };
      book.put(desk.announce(fresh, { act: from === 'Resolved' ? 'reopen' : 'open', action, from, reasonCode }));
      return;
    }
    case 'failing': {
      const { clearSince, foldedInto, ...rest } = incident;
      const back: Incident = { ...rest, state: 'Open' };
      desk.note(back, { action, from, to, reasonCode });
      book.put(watchOpen(back, context));
      return;
    }
    case 'absorbed': {
      if (absorbedBy === undefined || (from === 'Open' && incident.foldedInto === absorbedBy)) return;
      const { clearSince, ...rest } = incident;
      const folded = desk.fold(rest, absorbedBy, from, to, reasonCode);
      if (to === null) book.remove(incident.id);
      else book.put({ ...folded, state: to });
      return;
    }
    case 'clear': {
      if (to === null) {
        desk.note(incident, { action, from, to, reasonCode });
        book.remove(incident.id);
        return;
      }
      const recoveries = [...recentRecoveries(incident, now), now];
      const recovering: Incident = { ...incident, state: to, clearSince: now, recoveries };
      desk.note(recovering, { action, from, to, reasonCode });
      context.wake(heldAt(recovering, context.settings, now));
      book.put(recovering);
      return;
    }
    case 'held': {
      const over: Incident = { ...incident, state: 'Resolved', resolvedAt: now };
      book.put(over);
      desk.resolve(over, from, reasonCode);
      context.resolved.push(over);
      return;
    }
    case 'expired':
      desk.note(incident, { action, from, to, reasonCode });
      book.remove(incident.id);
      return;
    case undefined:
  }
}
