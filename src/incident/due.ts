import { expected, hearingOf, lastHeard } from '../model/hearing.ts';
import type { Decision, Hearing, Incident, Told } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { keepsUpToDate } from '../model/traits.ts';
import { traitsOf, wantsLoud } from './context.ts';
import { decisionOf } from './decision.ts';
import { isBeingListed, isOwed, openingFor, toldByList } from './hearing.ts';
import { newsFor } from './news.ts';
import { isTakenBy, type Message, type Notice, Notices } from './notices.ts';
import { standInsFor } from './stand-ins.ts';
import type { Side } from './standings.ts';
import type { Taken, TakingContext } from './taking.ts';
import { asTold, saidBeside } from './told.ts';

/** What is due of one incident now: the messages, the decisions that they follow from, and when time alone brings more. */
export type Due = {
  readonly messages: readonly Message[];
  readonly decisions: readonly Decision[];
  /** Epoch milliseconds. */
  readonly wakeAt?: number;
};

/** What one provider is to be told, or when it may be. */
type Telling =
  | {
      readonly act: Message['act'];
      readonly reasonCode: string;
      readonly notes: readonly Note[];
      /** It follows from what this reader has heard, not from what has happened. */
      readonly isDerived: boolean;
    }
  | { readonly notBefore: number }
  | undefined;

/**
 * The act by which a provider comes to know that an incident goes on: an earlier life may have made an issue of what was there at
 * the start, and an update looks for it, an opening would not.
 */
export function firstActOf(
  provider: ProviderSettings,
  { atStart }: Incident,
  context: Pick<TakingContext, 'traits'>,
): 'open' | 'update' {
  return atStart !== undefined && traitsOf(provider, context.traits).family === 'tracker' ? 'update' : 'open';
}

/** Why a provider that does not know the incident is told now, `undefined` where it is not. */
function openingReason(
  provider: ProviderSettings,
  hearing: Hearing,
  { occasion, view }: Side,
  { incident, entered }: Taken,
  { settled }: TakingContext,
): string | undefined {
  if (occasion) return occasion.reasonCode;
  // Who has just come reads one summary of all that is open; what is about to be over is no news.
  if (incident.state !== 'Open' || !settled.has(provider.uid)) return undefined;
  if (hearing.collapsed) return compareSeverity(view.severity, hearing.collapsed) < 0 ? 'SeverityRaised' : undefined;
  if (entered.has(provider.uid)) return 'RouteMatched';
  const told = toldByList(incident, hearing);
  return told === 'whole' ? undefined : told === 'milder' ? 'SeverityRaised' : 'CurrentlyOpen';
}

/**
 * Who has taken it on, or that nobody has any more, where a message is kept up to date: that rings nobody, and elsewhere it would be a
 * message more.
 */
function shownAnew(
  provider: ProviderSettings,
  heard: readonly Told[],
  { acknowledged }: Incident,
  { traits }: TakingContext,
): Extract<Telling, { act: unknown }> | undefined {
  if (!keepsUpToDate(traitsOf(provider, traits), provider)) return undefined;
  if (heard.every(({ acknowledgedAt }) => acknowledgedAt === acknowledged?.at)) return undefined;
  const reasonCode = acknowledged ? 'Acknowledged' : 'AcknowledgementWithdrawn';
  return { act: 'update', reasonCode, notes: [], isDerived: true };
}

/** What one provider is due, from what it has heard and what holds now. */
function tellingFor(provider: ProviderSettings, side: Side, taken: Taken, context: TakingContext): Telling {
  const { incident } = taken;
  const { occasion, view, notes } = side;
  const hearing = hearingOf(incident, provider.uid);
  if (isOwed(hearing) && context.silent.has(provider.uid) && occasion === undefined) return undefined;
  const opening = openingFor(hearing, traitsOf(provider, context.traits).closesByKey);
  const saying: readonly Note[] = [...notes, ...(occasion?.notes ?? [])];
  if (opening) {
    if (side.isQuiet) return undefined;
    const reasonCode = openingReason(provider, hearing, side, taken, context);
    if (reasonCode === undefined) return undefined;
    const looks = opening === 'open' && reasonCode !== 'Settled' && isUpdateOf(occasion?.reasonCode);
    const act = looks ? firstActOf(provider, incident, context) : opening;
    // Who comes to know of what keeps coming back only now has to know why there are no more messages.
    const isSaid = incident.recurring === undefined || saying.some((note) => note.is === 'recurring');
    const said: readonly Note[] = isSaid ? saying : [...saying, { is: 'recurring' }];
    return { act, reasonCode, notes: said, isDerived: occasion === undefined };
  }
  const heard = incident.state === 'Open' ? lastHeard(hearing) : [];
  const news = newsFor(heard, incident, view, { ...context, loud: wantsLoud(provider, context) });
  if (occasion?.forAll) return { act: 'update', reasonCode: occasion.reasonCode, notes: saying, isDerived: false };
  if (news === undefined || 'notBefore' in news) return shownAnew(provider, heard, incident, context) ?? news;
  // The list that names it may arrive later than what is told by itself: only what is worse does not wait for that.
  if (isBeingListed(hearing))
    return news.reasonCode === 'SeverityRaised'
      ? { act: 'open', reasonCode: news.reasonCode, notes: saying, isDerived: true }
      : undefined;
  const isDerived = occasion === undefined;
  return { act: 'update', reasonCode: news.reasonCode, notes: [...notes, ...news.notes], isDerived };
}

/** Whether what has happened is that something goes on, which who does not know it may have an issue of from an earlier life. */
const isUpdateOf = (reasonCode: string | undefined): boolean =>
  reasonCode === undefined || reasonCode === 'SeverityRaised' || reasonCode === 'AnotherFailure';

/** Whether a provider reads of an incident: its routes picked it, or it knows of it since it stands in for another. */
function isReader(provider: ProviderSettings, incident: Incident): boolean {
  if (provider.active.is && isTakenBy(provider, incident)) return true;
  const { knows } = expected(hearingOf(incident, provider.uid));
  return knows !== 'nothing' && (provider.active.is || provider.active.reason === 'FallbackOnly');
}

/** A decision that follows from what one provider has heard. */
function decided(incident: Incident, side: Side, telling: Extract<Telling, { act: unknown }>, now: number): Decision {
  const action = telling.act === 'update' ? 'update' : 'open';
  const { state } = incident;
  const base = { action, from: state, to: state, audience: side.audience, disposition: 'Delivered' } as const;
  return decisionOf(incident, now, { ...base, reasonCode: telling.reasonCode });
}

/** A message for a provider of one side. */
function messageOf(
  provider: ProviderSettings,
  { audience, view }: Side,
  incident: Incident,
  { act, reasonCode, notes }: Pick<Extract<Telling, { act: unknown }>, 'act' | 'reasonCode' | 'notes'>,
  notices: Notices,
): Message {
  const { told } = expected(hearingOf(incident, provider.uid));
  const before = act === 'open' ? incident.atStart : (told ?? incident.atStart);
  const base: Notice = { incident: incident.id, audience, reasonCode, view, notes };
  return { notice: notices.of(before ? { ...base, before } : base), provider, act };
}

/** The fifth stage: what each reader of an incident is due. All of it follows from what they have heard and what holds now. */
export function dueOf(taken: Taken, sides: readonly Side[], context: TakingContext): Due {
  const { incident } = taken;
  const { now } = context;
  const notices = new Notices();
  const messages: Message[] = [];
  const decisions = new Map<string, Decision>();
  let wakeAt = Number.POSITIVE_INFINITY;
  const later = (at: number): void => {
    wakeAt = Math.min(wakeAt, at);
  };
  for (const side of sides) {
    const readers = (context.providersIn.get(side.audience) ?? []).filter((provider) => isReader(provider, incident));
    const tellings = readers.flatMap((provider) => {
      const telling = tellingFor(provider, side, taken, context);
      return telling === undefined ? [] : [{ provider, telling }];
    });
    // Whom it comes to concern by what is news to the others hears of it for the same reason.
    const news = tellings.flatMap(({ telling }) =>
      'act' in telling && telling.act === 'update' ? [telling.reasonCode] : [],
    )[0];
    for (const { provider, telling } of tellings) {
      if ('notBefore' in telling) {
        later(telling.notBefore);
        continue;
      }
      const reasonCode = telling.reasonCode === 'RouteMatched' ? (news ?? telling.reasonCode) : telling.reasonCode;
      messages.push(messageOf(provider, side, incident, { ...telling, reasonCode }, notices));
      const before = telling.act === 'update' ? expected(hearingOf(incident, provider.uid)).told : undefined;
      const told = asTold(side.view, now, saidBeside(incident, telling.notes), before);
      const next = newsFor([told], incident, side.view, { ...context, loud: wantsLoud(provider, context) });
      if (next && 'notBefore' in next) later(next.notBefore);
      const key = `${side.audience} ${reasonCode}`;
      if (telling.isDerived && !decisions.has(key))
        decisions.set(key, decided(incident, side, { ...telling, reasonCode }, now));
    }
    if (side.isQuiet) continue;
    for (const { provider, act, note } of standInsFor(side.audience, incident, messages, context))
      messages.push(
        messageOf(provider, side, incident, { act, reasonCode: 'StandsIn', notes: [...side.notes, note] }, notices),
      );
  }
  return { messages, decisions: [...decisions.values()], ...(Number.isFinite(wakeAt) && { wakeAt }) };
}
