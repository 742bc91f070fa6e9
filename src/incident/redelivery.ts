import { begins } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { IncidentAct } from '../model/notification.ts';
import type { LostDelivery, RedeliveryRequest, RedeliveryVerdict } from '../model/redelivery.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { makesThings } from '../model/traits.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { decisionOf } from './decision.ts';
import { lastViewOf } from './endings.ts';
import { ruleAlone } from './muting.ts';
import { knowsOpen, type Message } from './routing.ts';
import type { IncidentStore } from './store.ts';

/** What failed of one stream for one provider, the oldest first, and whom it is told to now. */
type Case = {
  readonly lost: readonly LostDelivery[];
  readonly last: LostDelivery;
  readonly provider: ProviderSettings;
  readonly everything: boolean;
};

/** What is to be done about one case. `tell`: as the incident stands now. `asItWas`: the incident itself is forgotten. */
type Judged =
  | { readonly is: 'tell'; readonly act: IncidentAct; readonly view: Explanation; readonly incident: Incident }
  | { readonly is: 'asItWas' }
  | { readonly is: 'leave'; readonly verdict: Exclude<RedeliveryVerdict, 'sentAgain'> };

/** What one request comes to. */
export type RedeliveryPlan = {
  readonly request: RedeliveryRequest;
  readonly messages: readonly Message[];
  /** Sent with the words it had: there is no incident any more to find new ones for. */
  readonly asItWas: readonly {
    readonly lost: LostDelivery;
    readonly to: ProviderSettings;
    readonly fallbackKnows: boolean;
  }[];
  /** What was judged, and how. */
  readonly verdicts: readonly { readonly lost: LostDelivery; readonly verdict: RedeliveryVerdict }[];
};

const leave = (verdict: Exclude<RedeliveryVerdict, 'sentAgain'>): Judged => ({ is: 'leave', verdict });

/** Whether the provider certainly never heard that it began. */
function neverBegan({ lost }: Case): boolean {
  const opening = lost.findLast(({ delivery }) => begins(delivery));
  return opening !== undefined && !opening.mayHaveArrived && opening.toldBy === undefined;
}

/** Where a fallback has told it nobody hears it twice unasked; but an alert or issue is closed by nobody else. */
function leftToFallback({ last, everything, provider }: Case, { traits }: StepContext): boolean {
  if (last.toldBy === undefined || everything) return false;
  return last.delivery.act !== 'resolve' || !makesThings(traitsOf(provider, traits));
}

/** The end of something: worth telling to whoever took it for open. */
function judgeOver(one: Case, incident: Incident | undefined, context: StepContext): Judged {
  const { last, provider } = one;
  if (last.delivery.act !== 'resolve') return leave('over');
  if (leftToFallback(one, context)) return leave('toldByFallback');
  if (incident === undefined) return neverBegan(one) ? leave('over') : { is: 'asItWas' };
  if (!incident.toldTo.includes(provider.uid)) return leave('over');
  const view = lastViewOf(audienceOf(provider, context.settings), incident);
  return view === undefined ? { is: 'asItWas' } : { is: 'tell', act: 'resolve', view, incident };
}

/** Something that is open: told as it stands now, as what the provider knows of it allows. */
function judgeOpen(one: Case, incident: Incident, context: StepContext): Judged {
  const { lost, provider } = one;
  const audience = audienceOf(provider, context.settings);
  const whole = viewFor(audience, incident.explanation);
  if (whole === undefined || incident.foldedInto !== undefined) return leave('over');
  const { disposition, view } = ruleAlone(whole, audience, context);
  if (disposition !== 'Delivered') return leave('muted');
  if (!knowsOpen(provider, incident))
    return { is: 'tell', act: incident.toldTo.includes(provider.uid) ? 'reopen' : 'open', view, incident };
  if (leftToFallback(one, context)) return leave('toldByFallback');
  const opening = lost.findLast(({ delivery }) => begins(delivery));
  if (opening === undefined) return { is: 'tell', act: 'update', view, incident };
  // It counts as told although its opening failed for sure: it has been told since.
  if (!opening.mayHaveArrived && opening.toldBy === undefined) return leave('toldSince');
  return { is: 'tell', act: opening.delivery.act === 'reopen' ? 'reopen' : 'open', view, incident };
}

function judge(one: Case, store: IncidentStore, context: StepContext): Judged {
  const { delivery, newerWaits } = one.last;
  if (delivery.act === 'test') return leave('test');
  if (newerWaits) return leave('toldSince');
  const incident = store.get(delivery.stream);
  if (incident && incident.state !== 'Resolved') return judgeOpen(one, incident, context);
  if (incident || delivery.notification.incident !== undefined) return judgeOver(one, incident, context);
  // The alert that a pager made of a list stays open until it hears the end; every other list is made anew.
  if (delivery.act !== 'resolve') return leave('listedAnew');
  return neverBegan(one) ? leave('over') : judgeOver(one, undefined, context);
}

/** Whom something is told to now: the provider it was first meant for, which hands it over again if it must. */
function targetOf({ delivery: { via, providerUid } }: LostDelivery, { providers }: StepContext) {
  const provider = providers.get(via?.[0]?.providerUid ?? providerUid);
  return provider?.active.is && provider.usable ? provider : undefined;
}

/** Every stream is one case: what is sent says all there is. */
function casesOf({ lost, everything }: RedeliveryRequest, context: StepContext): readonly (Case | LostDelivery)[] {
  const inOrder = lost.toSorted((a, b) => a.delivery.sequence - b.delivery.sequence);
  const grouped = Map.groupBy(inOrder, (one) => `${one.delivery.stream}|${targetOf(one, context)?.uid ?? ''}`);
  return [...grouped.values()].flatMap((group): readonly (Case | LostDelivery)[] => {
    const last = group.at(-1);
    const provider = last && targetOf(last, context);
    return last && provider ? [{ lost: group, last, provider, everything }] : group;
  });
}

function messageOf(judged: Judged & { is: 'tell' }, { last, provider }: Case, context: StepContext): Message {
  const { incident, view, act } = judged;
  const audience = audienceOf(provider, context.settings);
  const notice = {
    ...{ incident: incident.id, audience, act, reasonCode: 'Redelivered', view },
    notes: [{ is: 'sentAgain', at: last.endedAt }],
    again: { fallbackKnows: last.toldBy !== undefined },
  } as const;
  return { notice, provider, act };
}

function decisionOn(judged: Judged & { is: 'tell' }, { provider }: Case, context: StepContext): Decision {
  const { incident, act } = judged;
  const audience = audienceOf(provider, context.settings);
  return decisionOf(incident, context.now, {
    ...{ action: act, from: incident.state, to: incident.state, audience, disposition: 'Delivered' },
    ...{ reasonCode: 'Redelivered', by: provider.ref },
  });
}

/** The end is not owed any more: it is about to be told. */
function withoutDebt(incident: Incident, uid: string): Incident {
  const { endOwedTo = [], ...rest } = incident;
  const owed = endOwedTo.filter((one) => one !== uid);
  return owed.length > 0 ? { ...rest, endOwedTo: owed } : rest;
}

/** A plan's part of one case. */
type Part = Omit<RedeliveryPlan, 'request'> & { readonly decisions: readonly Decision[] };

/** What one case, or one delivery that nobody can be told of, comes to. */
function partOf(one: Case | LostDelivery, store: IncidentStore, context: StepContext): Part {
  const nothing = { messages: [], decisions: [], asItWas: [] };
  if (!('last' in one)) {
    const why: RedeliveryVerdict = one.delivery.act === 'test' ? 'test' : 'notReceiving';
    return { ...nothing, verdicts: [{ lost: one, verdict: why }] };
  }
  const judged = judge(one, store, context);
  const verdict: RedeliveryVerdict = judged.is === 'leave' ? judged.verdict : 'sentAgain';
  const verdicts = one.lost.map((lost) => ({ lost, verdict }));
  if (judged.is === 'leave') return { ...nothing, verdicts };
  if (judged.is === 'asItWas')
    return {
      ...{ ...nothing, verdicts },
      asItWas: [{ lost: one.last, to: one.provider, fallbackKnows: one.last.toldBy !== undefined }],
    };
  if (judged.act === 'resolve') store.put(withoutDebt(judged.incident, one.provider.uid));
  const message = messageOf(judged, one, context);
  return { verdicts, messages: [message], decisions: [decisionOn(judged, one, context)], asItWas: [] };
}

/**
 * What is still worth telling of what failed for good at a provider: what is open as it stands now, the end of what the provider
 * takes for open. What is over and was never heard of wakes nobody. Messages and decisions are added to the step.
 */
export function redeliver(
  request: RedeliveryRequest,
  store: IncidentStore,
  context: StepContext,
  step: { readonly messages: Message[]; readonly decisions: Decision[] },
): RedeliveryPlan {
  const parts = casesOf(request, context).map((one) => partOf(one, store, context));
  const messages = parts.flatMap((part) => part.messages);
  for (const message of messages) step.messages.push(message);
  for (const { decisions } of parts) for (const decision of decisions) step.decisions.push(decision);
  return {
    ...{ request, messages },
    asItWas: parts.flatMap(({ asItWas }) => asItWas),
    verdicts: parts.flatMap(({ verdicts }) => verdicts),
  };
}
