import type { Explanation } from '../model/explanation.ts';
import type { Audience, Decision, Incident, ProviderUid } from '../model/incident.ts';
import { effectiveRoutes, picks, routeOf } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import type { StepContext } from './context.ts';
import { ruleAlone } from './muting.ts';
import { isTakenBy } from './notices.ts';
import type { Ruled, Side } from './standings.ts';

/** Who goes by what in one step, besides the context. */
export type TakingContext = StepContext & {
  /** UIDs of providers that could deliver in the step before and are the same now: the others read one summary of what is open. */
  readonly settled: ReadonlySet<ProviderUid>;
  /** UIDs of providers where something was given up: what is owed there waits until they are probed. */
  readonly silent: ReadonlySet<ProviderUid>;
};

/** A provider that an incident goes to from now on, and the route that picked it. */
export type Taking = { readonly provider: ProviderSettings; readonly route: number };

/** An incident with those who get it from now on. */
export type Taken = {
  readonly incident: Incident;
  /** Whom it goes to only since now. */
  readonly entered: ReadonlySet<ProviderUid>;
  readonly takings: readonly Taking[];
  readonly decisions: readonly Decision[];
  /** Audiences that may be told, those of what was there at the start included. */
  readonly sides: readonly Side[];
};

/** What an audience hears of an incident now, if anything: of what was there at the start, what it would hear of it by itself. */
function heardBy(audience: Audience, incident: Incident, context: StepContext): Explanation | undefined {
  const standing = incident.standings[audience]?.disposition;
  if (standing !== 'Delivered' && standing !== 'Digested' && standing !== 'Baseline') return undefined;
  const whole = viewFor(audience, incident.explanation);
  if (whole === undefined) return undefined;
  const { disposition, view } = ruleAlone(whole, audience, context);
  return disposition === 'Delivered' || disposition === 'Digested' ? view : undefined;
}

/** Active providers of an audience that the incident goes to only now. */
function entrantsOf(
  audience: Audience,
  incident: Incident,
  context: TakingContext,
): { readonly view: Explanation; readonly entrants: readonly ProviderSettings[] } | undefined {
  // What is about to be over is no news: only who has just come reads of it.
  const candidates = (context.activeIn.get(audience) ?? []).filter(
    (provider) => !isTakenBy(provider, incident) && (incident.state === 'Open' || !context.settled.has(provider.uid)),
  );
  const view = candidates.length === 0 ? undefined : heardBy(audience, incident, context);
  if (view === undefined) return undefined;
  const entrants = candidates.filter((provider) => picks(provider, view, context.settings));
  return entrants.length === 0 ? undefined : { view, entrants };
}

/** Whoever wants to hear nothing of the start hears nothing of it later; the others are told when their routes come to pick it. */
function baselineSide(audience: Audience, view: Explanation, incident: Incident, context: StepContext): Side[] {
  const isBaseline = incident.standings[audience]?.disposition === 'Baseline';
  return isBaseline && context.settings.app.startupMessage !== 'Never' ? [{ audience, view, notes: [] }] : [];
}

/**
 * The fourth stage: to whom an incident goes. The set is fixed by what is told first and only grows: who is in it gets every later act,
 * and whom it comes to concern later, since it got worse or spread, gets an opening. `before`: the incident before the step.
 */
export function take(before: Incident, { incident, sides, decisions }: Ruled, context: TakingContext): Taken {
  const takings: Taking[] = [];
  const entered = new Set<ProviderUid>();
  const ofStart: Side[] = [];
  for (const audience of context.audiences) {
    const found = entrantsOf(audience, incident, context);
    if (found === undefined) continue;
    const { view, entrants } = found;
    for (const provider of entrants) {
      entered.add(provider.uid);
      const index = routeOf(effectiveRoutes(provider, context.settings), view);
      // Those without routes get everything, which is no choice to count.
      if (index >= 0) takings.push({ provider, route: index });
    }
    if (before.standings[audience] !== undefined) ofStart.push(...baselineSide(audience, view, incident, context));
  }
  const takenBy = [...(incident.takenBy ?? []), ...entered];
  const taken = entered.size === 0 ? incident : { ...incident, takenBy };
  const told = new Set(sides.flatMap(({ audience, occasion }) => (occasion ? [audience] : [])));
  return {
    ...{ incident: taken, entered, takings },
    decisions: decisions.map((one) => (told.has(one.audience) ? withRoute(one, taken, context) : one)),
    sides: [...sides, ...ofStart.filter(({ audience }) => isFor(audience, taken, entered, context))],
  };
}

/** Whether somebody of an audience has just come to it, and knows what there was before. */
function isFor(audience: Audience, incident: Incident, entered: ReadonlySet<string>, context: TakingContext): boolean {
  const { activeIn, settled } = context;
  return (
    (activeIn.get(audience) ?? []).some(({ uid }) => entered.has(uid) && settled.has(uid)) && incident.state === 'Open'
  );
}

/** A decision to tell; where providers are there and the routes of none of them pick it, it says so. */
function withRoute(decision: Decision, incident: Incident, { activeIn }: TakingContext): Decision {
  const providers = activeIn.get(decision.audience) ?? [];
  const reachesSome = providers.some((provider) => isTakenBy(provider, incident));
  return providers.length === 0 || reachesSome ? decision : { ...decision, reasonCode: 'NoRoute' };
}
