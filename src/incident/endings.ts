import type { Explanation } from '../model/explanation.ts';
import { awaitsEnd, expected, hearingOf } from '../model/hearing.ts';
import type { Audience, Decision, Incident, IncidentState } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import { picks } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, hearsEnds, mayReceive, type StepContext, traitsOf } from './context.ts';
import { decisionOf } from './decision.ts';
import { isBeingListed } from './hearing.ts';
import { ruleAlone } from './muting.ts';
import { isTakenBy, type Message, type Notice, Notices } from './notices.ts';
import { spokenOf } from './spoken.ts';
import { standInsFor } from './stand-ins.ts';
import type { IncidentStore } from './store.ts';

/** What the end of an incident comes to. */
export type Ended = {
  readonly incident: Incident;
  readonly decisions: readonly Decision[];
  readonly messages: readonly Message[];
};

/** The reading of an incident that an audience last had: where the explanation has left it, the one before. */
export function lastViewOf(audience: Audience, incident: Incident): Explanation | undefined {
  return viewFor(audience, spokenOf(incident).explanation) ?? incident.left?.[audience];
}

/** Who may hold an alert or issue of it from before the start, and closes that by its key. Chats say nothing. */
function keepersOf(
  audience: Audience,
  incident: Incident,
  view: Explanation,
  context: StepContext,
): ProviderSettings[] {
  if (incident.atStart === undefined) return [];
  return (context.activeIn.get(audience) ?? []).filter(
    (provider) =>
      traitsOf(provider, context.traits).closesByKey &&
      expected(hearingOf(incident, provider.uid)).knows === 'nothing' &&
      (isTakenBy(provider, incident) || picks(provider, view, context.settings)),
  );
}

/** The end for one provider, as severe as it was told of it: who reads one severity alone hears the end of what it heard of. */
function endFor(
  provider: ProviderSettings,
  base: Omit<Notice, 'before'>,
  incident: Incident,
  notices: Notices,
): Message {
  const before = expected(hearingOf(incident, provider.uid)).told ?? incident.atStart;
  if (before === undefined) return { notice: notices.of(base), provider, act: 'resolve' };
  const severity = before.worst ?? before.severity;
  const view = severity === base.view.severity ? base.view : { ...base.view, severity };
  return { notice: notices.of({ ...base, view, before }), provider, act: 'resolve' };
}

/** Why nobody hears of the end of what nothing mutes. */
function untoldReason({ hearings }: Incident, { providers }: StepContext): string {
  const told = Object.entries(hearings).filter(([, hearing]) => expected(hearing).knows !== 'nothing');
  if (told.length === 0) return 'NeverTold';
  return told.some(([uid]) => providers.has(uid)) ? 'ProviderInactive' : 'ProviderDeleted';
}

/** The providers of an audience that take the incident for open, active or not: what was announced is closed. */
function awaiting(audience: Audience, incident: Incident, { providersIn }: StepContext): ProviderSettings[] {
  return (providersIn.get(audience) ?? []).filter(({ uid }) => awaitsEnd(hearingOf(incident, uid)));
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
  const notices = new Notices();
  const decisions: Decision[] = [];
  const messages: Message[] = [];
  for (const audience of context.audiences.concat(leftAudiences(context))) {
    const whole = lastViewOf(audience, incident);
    if (whole === undefined) continue;
    const { view, disposition: alone, by: aloneBy } = ruleAlone(whole, audience, context);
    const [able, cannot] = partition(awaiting(audience, incident, context), mayReceive);
    const can = able.filter(({ uid }) => !isBeingListed(hearingOf(incident, uid)));
    const waiting = [...can, ...keepersOf(audience, incident, whole, context)];
    const base = { incident: incident.id, audience, reasonCode, view, notes };
    for (const provider of waiting) messages.push(endFor(provider, base, incident, notices));
    const decided = { action: 'resolve', from, to: 'Resolved', audience } as const;
    const isTold = waiting.some(hearsEnds);
    const { disposition, by } = incident.standings[audience] ?? { disposition: alone, by: aloneBy };
    const why = waiting.length > 0 ? 'ResolvedNotSent' : untoldReason(incident, context);
    const untold = disposition === 'Delivered' ? why : reasonCode;
    if (isTold) {
      const told = can.some(hearsEnds) ? reasonCode : 'ClosedByKey';
      decisions.push(decisionOf(incident, context.now, { ...decided, disposition: 'Delivered', reasonCode: told }));
    } else if (context.audiences.includes(audience))
      decisions.push(
        decisionOf(incident, context.now, {
          ...decided,
          disposition,
          reasonCode: untold,
          ...(by !== undefined && { by }),
        }),
      );
    for (const provider of cannot.filter(hearsEnds))
      decisions.push(owing(incident, provider, 'ProviderInactive', context));
  }
  return { incident, decisions, messages };
}

/** Namespaces whose providers do not receive any more: some of them may know of what ends. */
function leftAudiences({ audiences, providersIn }: StepContext): Audience[] {
  return [...providersIn.keys()].filter((audience) => !audiences.includes(audience)).sort();
}

function partition<T>(list: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((item) => !test(item))];
}

/** That somebody is owed the end, or not any more. */
function owing(incident: Incident, provider: ProviderSettings, reasonCode: string, context: StepContext): Decision {
  const audience = audienceOf(provider, context.settings);
  const base = { action: 'resolve', from: 'Resolved', to: 'Resolved', audience, disposition: 'Delivered' } as const;
  return decisionOf(incident, context.now, { ...base, reasonCode, by: provider.ref });
}

/**
 * The end that a provider is still owed, told now: an alert must not stay open for good because its provider was suspended, broken or
 * refused its credentials when it ended.
 */
export function owedEnd(incident: Incident, provider: ProviderSettings, context: StepContext): Omit<Ended, 'incident'> {
  const audience = audienceOf(provider, context.settings);
  const view = lastViewOf(audience, incident);
  if (view === undefined) return { decisions: [], messages: [] };
  const base = { incident: incident.id, audience, reasonCode: 'ProviderUsableAgain', view, notes: [] };
  return {
    decisions: hearsEnds(provider) ? [owing(incident, provider, 'ProviderUsableAgain', context)] : [],
    messages: [endFor(provider, base, incident, new Notices())],
  };
}

/** Whether a provider takes what is over for open, and nobody is trying to tell it. */
export function isOwedEnd(incident: Incident, { uid }: ProviderSettings): boolean {
  if (incident.state !== 'Resolved') return false;
  const hearing = hearingOf(incident, uid);
  return awaitsEnd(hearing) && !isBeingListed(hearing);
}

/** The end, for the fallbacks of those who cannot be told of it. */
export function endsForStandIns(incident: Incident, context: StepContext): readonly Message[] {
  return context.audiences.flatMap((audience) => {
    const view = lastViewOf(audience, incident);
    if (view === undefined) return [];
    return [...standInsFor(audience, incident, [], context)].map(({ provider, note }) => {
      const base = { incident: incident.id, audience, reasonCode: 'StandsIn', view, notes: [note] };
      return endFor(provider, base, incident, new Notices());
    });
  });
}
