import type { Explanation } from '../model/explanation.ts';
import type { Audience, Decision, Incident, IncidentState } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, type StepContext } from './context.ts';
import { decisionOf } from './decision.ts';
import { ruleAlone } from './muting.ts';
import { keepersOf, knowsOpen, type Message, toldIn } from './routing.ts';
import type { IncidentStore } from './store.ts';

/** What the end of an incident comes to. */
export type Ended = {
  readonly incident: Incident;
  readonly decisions: readonly Decision[];
  readonly messages: readonly Message[];
};

/** The end of one incident, as it is recorded and told. */
type Ending = {
  readonly incident: Incident;
  readonly from: IncidentState;
  readonly reasonCode: string;
  readonly notes: readonly Note[];
};

/** The reading of an incident that an audience last had: where the explanation has left it, the one before. */
export function lastViewOf(audience: Audience, { explanation, left }: Incident): Explanation | undefined {
  return viewFor(audience, explanation) ?? left?.[audience];
}

function messagesFor(
  providers: readonly ProviderSettings[],
  audience: Audience,
  view: Explanation,
  { incident, reasonCode, notes }: Omit<Ending, 'from'>,
): Message[] {
  const before = incident.standings[audience]?.told ?? incident.atStart;
  const about = { incident: incident.id, audience, act: 'resolve', reasonCode, view, notes } as const;
  const notice = before ? { ...about, before } : about;
  return providers.map((provider) => ({ notice, provider, act: 'resolve' }));
}

/** Why nobody hears of the end of what nothing mutes. */
function untoldReason({ toldTo }: Incident, { providers }: StepContext): string {
  if (toldTo.length === 0) return 'NeverTold';
  return toldTo.some((uid) => providers.has(uid)) ? 'ProviderInactive' : 'ProviderDeleted';
}

/** One audience hears of the end: whoever took it for open, whatever mutes it now; else it is recorded why nobody does. */
function endFor(audience: Audience, view: Explanation, ending: Ending, context: StepContext) {
  const { incident, from, reasonCode } = ending;
  const alone = ruleAlone(view, audience, context);
  const told = toldIn(audience, incident, context).filter((provider) => knowsOpen(provider, incident));
  const waiting = [...told, ...keepersOf(audience, incident, view, context)];
  const base = { action: 'resolve', from, to: 'Resolved', audience } as const;
  const decide = (decided: Pick<Decision, 'disposition' | 'reasonCode'> & { by?: string }): Decision =>
    decisionOf(incident, context.now, { ...base, ...decided });
  if (waiting.length > 0)
    return {
      messages: messagesFor(waiting, audience, alone.view, ending),
      decision: decide({ disposition: 'Delivered', reasonCode: told.length > 0 ? reasonCode : 'ClosedByKey' }),
    };
  const { disposition, by } = incident.standings[audience] ?? alone;
  const untold = disposition === 'Delivered' ? untoldReason(incident, context) : reasonCode;
  return {
    messages: [],
    decision: decide({ disposition, reasonCode: untold, ...(by !== undefined && { by }) }),
  };
}

/** Who took it for open and cannot be told now: suspended, broken, not chosen. Who was deleted is owed nothing. */
function owedOf(incident: Incident, { providers }: StepContext): string[] {
  return incident.toldTo.filter((uid) => {
    const provider = providers.get(uid);
    return provider !== undefined && !provider.active.is && knowsOpen(provider, incident);
  });
}

/** The end of an incident: everybody who knows of it hears that it is over, or is owed that. */
export function end(
  incident: Incident,
  from: IncidentState,
  reasonCode: string,
  context: StepContext,
  store: Pick<IncidentStore, 'get'>,
): Ended {
  const parent = incident.foldedInto === undefined ? undefined : store.get(incident.foldedInto);
  const notes: Note[] = parent ? [{ is: 'wasPartOf', root: parent.explanation.root.ref }] : [];
  const parts = context.audiences.flatMap((audience) => {
    const view = lastViewOf(audience, incident);
    return view === undefined ? [] : [endFor(audience, view, { incident, from, reasonCode, notes }, context)];
  });
  const owed = owedOf(incident, context);
  const deferred = owed.map((uid) => context.providers.get(uid)).filter((provider) => provider !== undefined);
  return {
    incident: owed.length === 0 ? incident : { ...incident, endOwedTo: owed },
    decisions: [
      ...parts.map(({ decision }) => decision),
      ...deferred.map((provider) => owing(incident, provider, 'ProviderInactive', context)),
    ],
    messages: parts.flatMap(({ messages }) => messages),
  };
}

/** That somebody is owed the end, or not any more. */
function owing(incident: Incident, provider: ProviderSettings, reasonCode: string, context: StepContext): Decision {
  const audience = audienceOf(provider, context.settings);
  const base = { action: 'resolve', from: 'Resolved', to: 'Resolved', audience, disposition: 'Delivered' } as const;
  return decisionOf(incident, context.now, { ...base, reasonCode, by: provider.ref });
}

/**
 * The ends that are owed to providers that can be told again: an alert must not stay open for good because its provider was
 * suspended, broken or not chosen when it ended, or refused its credentials. `arrived`: providers that can deliver again, or
 * were repaired. A provider that was deleted meanwhile is owed nothing.
 */
export function payOwedEnd(incident: Incident, arrived: ReadonlySet<string>, context: StepContext): Ended {
  const { endOwedTo = [], ...rest } = incident;
  const left = endOwedTo.filter((uid) => context.providers.has(uid));
  const due = left.filter((uid) => arrived.has(uid)).flatMap((uid) => context.providers.get(uid) ?? []);
  const paid = new Set(due.map(({ uid }) => uid));
  const owed = left.filter((uid) => !paid.has(uid));
  const ending = { incident, reasonCode: 'ProviderUsableAgain', notes: [] };
  return {
    incident: owed.length === endOwedTo.length ? incident : owed.length === 0 ? rest : { ...rest, endOwedTo: owed },
    decisions: due.map((provider) => owing(incident, provider, 'ProviderUsableAgain', context)),
    messages: due.flatMap((provider) => {
      const audience = audienceOf(provider, context.settings);
      const view = lastViewOf(audience, incident);
      return view ? messagesFor([provider], audience, view, ending) : [];
    }),
  };
}
