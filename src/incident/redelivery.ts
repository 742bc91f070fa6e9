import { begins } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import { awaitsEnd, expected, hearingOf } from '../model/hearing.ts';
import type { Decision, Incident } from '../model/incident.ts';
import type { IncidentAct } from '../model/notification.ts';
import type { LostDelivery, RedeliveryRequest, RedeliveryVerdict } from '../model/redelivery.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { keepsUpToDate } from '../model/traits.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, hearsEnds, mayReceive, type StepContext, traitsOf } from './context.ts';
import { decisionOf } from './decision.ts';
import { lastViewOf } from './endings.ts';
import { openingFor } from './hearing.ts';
import { ruleAlone } from './muting.ts';
import type { Message } from './notices.ts';
import type { IncidentStore } from './store.ts';

/** What failed of one stream for one provider, the oldest first. */
type Case = {
  readonly lost: readonly LostDelivery[];
  readonly last: LostDelivery;
  readonly provider: ProviderSettings;
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
  readonly asItWas: readonly { readonly lost: LostDelivery; readonly to: ProviderSettings }[];
  /** What was judged, and how. */
  readonly verdicts: readonly { readonly lost: LostDelivery; readonly verdict: RedeliveryVerdict }[];
};

const leave = (verdict: Exclude<RedeliveryVerdict, 'sentAgain'>): Judged => ({ is: 'leave', verdict });

/** Whether the provider certainly never heard that it began. */
function neverBegan({ lost }: Case): boolean {
  const opening = lost.findLast(({ delivery }) => begins(delivery));
  return opening !== undefined && !opening.mayHaveArrived;
}

/** The end of something: worth telling to whoever took it for open. */
function judgeOver(one: Case, incident: Incident | undefined, context: StepContext): Judged {
  const { last, provider } = one;
  const wantsEnd = hearsEnds(provider) || keepsUpToDate(traitsOf(provider, context.traits), provider);
  if (last.delivery.act !== 'resolve' || !wantsEnd) return leave('over');
  if (incident === undefined) return neverBegan(one) ? leave('over') : { is: 'asItWas' };
  if (!awaitsEnd(hearingOf(incident, provider.uid))) return leave('over');
  const view = lastViewOf(audienceOf(provider, context.settings), incident);
  return view === undefined ? { is: 'asItWas' } : { is: 'tell', act: 'resolve', view, incident };
}

/** Something that is open: told as it stands now, as what the provider knows of it allows. */
function judgeOpen({ lost, provider }: Case, incident: Incident, context: StepContext): Judged {
  const audience = audienceOf(provider, context.settings);
  const whole = viewFor(audience, incident.explanation);
  if (whole === undefined || incident.foldedInto !== undefined) return leave('over');
  const { disposition, view } = ruleAlone(whole, audience, context);
  if (disposition !== 'Delivered') return leave('muted');
  const hearing = hearingOf(incident, provider.uid);
  // Who asks for it does not mind hearing twice what may have arrived.
  const act = openingFor(hearing, true);
  if (act) return { is: 'tell', act, view, incident };
  const lostUpdate = lost.some(({ delivery }) => delivery.act === 'update');
  const knowsLess = lostUpdate && hearing.trouble !== undefined && expected(hearing).knows === 'open';
  return knowsLess ? { is: 'tell', act: 'update', view, incident } : leave('toldSince');
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

/** Every stream is one case: what is sent says all there is. */
function casesOf({ lost }: RedeliveryRequest, { providers }: StepContext): readonly (Case | LostDelivery)[] {
  const inOrder = lost.toSorted((a, b) => a.delivery.sequence - b.delivery.sequence);
  const grouped = Map.groupBy(inOrder, ({ delivery: { stream, providerUid } }) => `${stream}|${providerUid}`);
  return [...grouped.values()].flatMap((group): readonly (Case | LostDelivery)[] => {
    const last = group.at(-1);
    const provider = last && providers.get(last.delivery.providerUid);
    return last && provider?.usable && mayReceive(provider) ? [{ lost: group, last, provider }] : group;
  });
}

function messageOf(judged: Judged & { is: 'tell' }, { last, provider }: Case, context: StepContext): Message {
  const { incident, view, act } = judged;
  const { told } = expected(hearingOf(incident, provider.uid));
  const notice = {
    ...{ incident: incident.id, audience: audienceOf(provider, context.settings), reasonCode: 'Redelivered', view },
    ...(told && { before: told }),
    notes: [{ is: 'sentAgain', at: last.endedAt }],
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
  if (judged.is === 'asItWas') return { ...{ ...nothing, verdicts }, asItWas: [{ lost: one.last, to: one.provider }] };
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
