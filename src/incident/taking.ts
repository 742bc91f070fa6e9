import type { Explanation } from '../model/explanation.ts';
import type { Audience, Decision, Incident } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import { effectiveRoutes, picks, routeOf } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import type { StepContext } from './context.ts';
import { decisionOf } from './decision.ts';
import type { Disposed } from './dispositions.ts';
import { ruleAlone } from './muting.ts';
import { firstActOf, isTakenBy, type Message, type Notice, route } from './routing.ts';

/** Who goes by what in one step, besides the context. */
export type TakingContext = StepContext & {
  /** UIDs of providers that could deliver in the step before and are the same now: the others read one summary of what is open. */
  readonly settled: ReadonlySet<string>;
  /** Routes, silences or filters are not what they were in the step before. */
  readonly rulesChanged: boolean;
};

/** A provider that an incident goes to from now on, and the route that picked it. */
export type Taking = { readonly provider: ProviderSettings; readonly route: number };

/** An incident with those who get it from now on, and what is told to whom. */
export type Routed = {
  readonly incident: Incident;
  readonly takings: readonly Taking[];
  readonly decisions: readonly Decision[];
  readonly messages: readonly Message[];
};

/** What one audience hears of an incident, with the providers of it that the incident goes to only now. */
type Side = {
  readonly audience: Audience;
  readonly view: Explanation;
  readonly note: Note | undefined;
  readonly entrants: readonly ProviderSettings[];
};

/** Whether anything has changed that decides whom an incident goes to. */
function mayHaveSpread(before: Incident, incident: Incident, { rulesChanged }: TakingContext): boolean {
  if (incident.state !== 'Open' && incident.state !== 'Recovering') return false;
  return (
    rulesChanged ||
    before.explanation !== incident.explanation ||
    before.standings !== incident.standings ||
    before.state !== incident.state
  );
}

/** What an audience hears of an incident now, if anything: of what was there at the start, what it would hear of it by itself. */
function heardBy(audience: Audience, incident: Incident, context: TakingContext): Omit<Side, 'entrants'> | undefined {
  const standing = incident.standings[audience]?.disposition;
  if (standing !== 'Delivered' && standing !== 'Digested' && standing !== 'Baseline') return undefined;
  const whole = viewFor(audience, incident.explanation);
  if (whole === undefined) return undefined;
  const { disposition, view, note } = ruleAlone(whole, audience, context);
  const isHeard = disposition === 'Delivered' || disposition === 'Digested';
  return isHeard ? { audience, view, note } : undefined;
}

function sidesOf(incident: Incident, context: TakingContext): Side[] {
  const { takenBy = [], state } = incident;
  return context.audiences.flatMap((audience): Side[] => {
    // What is about to be over is no news: only who has just come reads of it.
    const candidates = (context.activeIn.get(audience) ?? []).filter(
      ({ uid }) => !takenBy.includes(uid) && (state === 'Open' || !context.settled.has(uid)),
    );
    const heard = candidates.length === 0 ? undefined : heardBy(audience, incident, context);
    if (heard === undefined) return [];
    const entrants = candidates.filter((provider) => picks(provider, heard.view, context.settings));
    return entrants.length === 0 ? [] : [{ ...heard, entrants }];
  });
}

/** What providers are told that an incident has spread to: their routes pick it only now. */
function spread(side: Side, before: Incident, incident: Incident, context: TakingContext): Routed['messages'] {
  const { audience, view, note } = side;
  const standing = incident.standings[audience]?.disposition;
  if (before.standings[audience] === undefined || standing === 'Digested') return [];
  // Who wants to hear nothing of the start hears nothing of it later.
  if (standing === 'Baseline' && context.settings.app.startupMessage === 'Never') return [];
  const notice: Notice = {
    ...{ incident: incident.id, audience, act: 'open', reasonCode: 'RouteMatched', view },
    notes: note ? [note] : [],
  };
  return side.entrants
    .filter(({ uid }) => context.settled.has(uid) && !incident.toldTo.includes(uid))
    .map((provider) => ({ notice, provider, act: firstActOf(provider, incident, context) }));
}

/**
 * The fourth stage: to whom an incident goes, and what they are told. The set is fixed by what is told first and only grows: who
 * is in it gets every later act, and whom it comes to concern later, since it got worse or spread, gets an opening. `before`: the
 * incident before the step.
 */
export function take(before: Incident, { incident, notices, decisions }: Disposed, context: TakingContext): Routed {
  const sides = mayHaveSpread(before, incident, context) ? sidesOf(incident, context) : [];
  if (sides.length === 0 && notices.length === 0) return { incident, takings: [], decisions, messages: [] };
  const entrants = sides.flatMap((side) => side.entrants);
  const takenBy = [...(incident.takenBy ?? []), ...entrants.map(({ uid }) => uid)];
  const taken = entrants.length === 0 ? incident : { ...incident, takenBy };
  const told = notices.map((notice) => ({ notice, messages: route(notice, taken, context) }));
  const noticed = new Set(notices.map(({ audience }) => audience));
  const spreads = sides
    .filter(({ audience }) => !noticed.has(audience))
    .map(({ audience, ...side }) => ({ audience, messages: spread({ audience, ...side }, before, taken, context) }))
    .filter(({ messages }) => messages.length > 0);
  return {
    incident: taken,
    takings: takingsOf(sides, context),
    decisions: [
      ...decisions.map((one) => (noticed.has(one.audience) ? withRoute(one, taken, context) : one)),
      ...spreads.map(({ audience }) => grown(taken, audience, context)),
    ],
    messages: [...told, ...spreads].flatMap(({ messages }) => messages),
  };
}

/** By which routes the newly taken ones were picked; those without routes get everything, which is no choice to count. */
function takingsOf(sides: readonly Side[], { settings }: TakingContext): Taking[] {
  return sides.flatMap(({ view, entrants }) =>
    entrants.flatMap((provider) => {
      const index = routeOf(effectiveRoutes(provider, settings), view);
      return index < 0 ? [] : [{ provider, route: index }];
    }),
  );
}

/** A decision to tell; where providers are there and the routes of none of them pick it, it says so. */
function withRoute(decision: Decision, incident: Incident, { activeIn }: TakingContext): Decision {
  const providers = activeIn.get(decision.audience) ?? [];
  const reachesSome = providers.some((provider) => isTakenBy(provider, incident));
  return providers.length === 0 || reachesSome ? decision : { ...decision, reasonCode: 'NoRoute' };
}

function grown(incident: Incident, audience: Audience, { now }: TakingContext): Decision {
  const { state } = incident;
  const decided = { action: 'open', from: state, to: state, audience, disposition: 'Delivered' } as const;
  return decisionOf(incident, now, { ...decided, reasonCode: 'RouteMatched' });
}
