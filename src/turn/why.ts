import { causalRules } from '../explain/rules/rules.ts';
import { prospectsOf } from '../incident/prospect.ts';
import { heldAt, settledAt } from '../incident/timing.ts';
import { describeChange } from '../message/parts/change.ts';
import { cleanLine } from '../message/parts/clean.ts';
import { proofInWords } from '../message/parts/proof.ts';
import { sentence } from '../message/parts/words.ts';
import { sentenceOf } from '../message/phrases/phrases.ts';
import { endOf, fateOf, heardBy, providersIn } from '../message/sentences/account.ts';
import { statementOf } from '../message/sentences/statement.ts';
import { fateInWords, lifeInWords, routedInWords } from '../message/sentences/why.ts';
import { traceInWords } from '../message/trace.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Fault } from '../model/faults.ts';
import type { Finding } from '../model/finding.ts';
import type { Audience, Incident, Standing } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import { describeRef, kindNameOf, kindOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import type { Traits } from '../model/traits.ts';
import type { Unclear, Why, WhyAudience, WhyIncident, WhyQuestion } from '../model/why.ts';
import type { WritableWorld } from '../world/view/world.ts';
import { type Subject, subjectOf } from './asked.ts';

/** What the question is answered from. Times are epoch milliseconds. */
export type WhyContext = {
  readonly world: WritableWorld;
  readonly settings: Settings;
  readonly incidents: readonly Incident[];
  /** What is found wrong with an object now. */
  readonly findings: (ref: Ref) => readonly Finding[];
  /** What was set aside, since a step threw on it. */
  readonly faults: Iterable<Fault>;
  readonly traits: Traits;
  readonly clusterId: string;
  /** What the message of an incident says. */
  readonly words: (incident: Incident) => Notification;
  readonly now: number;
  /** The time that "what would become of it" is about: Silences and windows begin and end. */
  readonly at: number;
};

/** The fact behind each rule, which people read. */
const ruleSources: ReadonlyMap<string, string> = new Map(causalRules.map(({ id, source }) => [id, source]));

/** What is over is explained for so long: about as long as people wonder. */
const overMs = 24 * 60 * 60_000;
/** Incidents explained at most. */
const mostIncidents = 10;

/** Whether an incident is about an object, or hits it. */
export function concerns({ explanation }: Incident, ref: Ref, workload: Ref): boolean {
  const { root, members, affected, workloads } = explanation;
  const isIt = (other: Ref): boolean => other === ref || other === workload;
  return (
    isIt(root.ref) ||
    workloads.some(isIt) ||
    affected.some((one) => isIt(one.ref)) ||
    members.some(({ subject }) => isIt(subject.ref))
  );
}

/** Explains what became of an object's incidents, or what would: for people who ask why they were told, or were not. */
export function whyOf({ object, namespace }: WhyQuestion, context: WhyContext): Why | Unclear {
  const asked = subjectOf(object, namespace, context);
  return 'unclear' in asked ? asked : whyOfSubject(asked, context);
}

function whyOfSubject({ about, incident }: Subject, context: WhyContext): Why {
  const { incidents, findings } = context;
  const own = findings(about);
  const found = incident ? [incident] : concerning(about, incidents, context);
  const open = found.filter(({ state }) => state !== 'Resolved');
  const isOpen = open.length > 0;
  // What an incident is about needs no word of its own: the incident below is that.
  const isRoot = open.some(({ explanation: { root } }) => root.ref === about);
  return {
    about,
    says: [...known(about, own, isRoot ? 'root' : isOpen ? 'part' : 'none', context)].map((each) => cleanLine(each)),
    incidents: found.map((one) => explained(one, about, context)),
    otherwise: isOpen || incident ? [] : otherwise(about, own, context),
  };
}

/** The incidents of an object that are open or were over lately. */
function concerning(about: Ref, incidents: readonly Incident[], { world, now }: WhyContext): readonly Incident[] {
  const workload = world.topOwner(about);
  return incidents
    .filter((one) => concerns(one, about, workload) && (one.resolvedAt === undefined || one.resolvedAt > now - overMs))
    .sort((a, b) => rankOf(a) - rankOf(b) || b.startedAt - a.startedAt)
    .slice(0, mostIncidents);
}

/** What is open stands before what is part of it, and both before what is over. */
const rankOf = ({ state, foldedInto }: Incident): number =>
  state === 'Resolved' ? 2 : foldedInto === undefined ? 0 : 1;

/** What is known of the object by itself. `place`: what it is in an incident that is open. */
function* known(
  about: Ref,
  own: readonly Finding[],
  place: 'root' | 'part' | 'none',
  context: WhyContext,
): Generator<string> {
  const { world, faults } = context;
  const view = world.get(about);
  const kind = kindOf(about);
  const isAside = Iterator.from(faults).some(
    (one) => one.about === about && (one.step === 'take' || one.step === 'judge'),
  );
  if (isAside)
    yield 'Tocsin could not judge all of it, by a fault of its own that its log tells of: what it knew of it before stands.';
  if (own.length > 0) yield* own.map(sentenceOf);
  else if (isAside || place === 'root') return;
  else if (view === 'unknown' && world.isExpected(kind))
    yield `Tocsin has not seen it yet: the objects of its kind are not known at the moment (kubectl describe alertconfig shows the coverage).`;
  else if (view === 'unknown')
    yield `Tocsin does not watch ${kindNameOf(about)} objects, so it finds nothing wrong with them by themselves.`;
  else if (view === 'absent')
    yield `There is no ${kindNameOf(about)} of this name${namespaceOf(about) === '' ? '' : ` in the namespace ${namespaceOf(about)}`}.`;
  else if (place === 'part')
    yield `The ${kindNameOf(about)} itself reports nothing wrong; the incident below concerns it.`;
  else yield 'Nothing is wrong with it, as far as Tocsin can see.';
}

function explained(incident: Incident, about: Ref, context: WhyContext): WhyIncident {
  const { words, now } = context;
  const { id, state, explanation, startedAt } = incident;
  const { root, reason, severity, confidence } = explanation;
  const lead = statementOf(words(incident));
  const isRoot = about === root.ref;
  return {
    ...{ id, state, root: root.ref, reason, severity, confidence, since: startedAt, lead },
    ...(!isRoot && { part: `${describeRef(about)} is hit by it: the cause is ${describeRef(root.ref)}.` }),
    because: becauseOf(incident, now),
    life: lifeInWords(incident, dueAt(incident, context), now),
    audiences: audiencesOf(incident, context),
  };
}

/** What proves the cause of an incident, and how it leads to what fails: sentences, as of `now` (epoch milliseconds). */
export function becauseOf(incident: Incident, now: number): readonly string[] {
  const { explanation } = incident;
  const { root, proof } = explanation;
  return [
    ...blamedIn(incident, now),
    ...proof.map((one) => proofInWords(one, root.ref, now)),
    ...traceInWords(explanation, (rule) => ruleSources.get(rule)),
  ].map((each) => cleanLine(each));
}

/** The edit that is blamed for what is over: its end names the one that mended it. */
function blamedIn({ state, explanation }: Incident, now: number): readonly string[] {
  const { change, confidence, root } = explanation;
  if (state !== 'Resolved' || change === undefined || confidence === 'unknown') return [];
  return [`${sentence(describeChange(change, root.ref, now))}.`];
}

/** When the next step of its life is due, where time alone decides. */
function dueAt(incident: Incident, { settings, now }: WhyContext): number | undefined {
  const { state, explanation, seenAt = incident.startedAt, settlesFrom } = incident;
  if (state === 'Recovering') return heldAt(incident, settings, now);
  if (state !== 'Settling') return undefined;
  return settledAt({ explanation, seenAt, settlesFrom, now, settings, bursts: { includes: () => false } });
}

/** Whom it went to, and whom not, and why. */
function audiencesOf(incident: Incident, context: WhyContext): readonly WhyAudience[] {
  const standings = Object.entries(incident.standings);
  if (standings.length === 0) return otherwiseOf(incident.explanation, context);
  const { settings, incidents, now } = context;
  const parent = (wanted: string): Incident | undefined => incidents.find(({ id }) => id === wanted);
  return standings.map(([audience, standing]): WhyAudience => {
    const { disposition } = standing;
    const says = fateInWords(fateOf(standing, incident, { settings, parent, now }), now);
    return { audience, disposition, says, providers: providersOf(audience, incident, standing, context) };
  });
}

/** What each provider of an audience has heard, and why it has not; of what is held back only those who know of it. */
function providersOf(
  audience: Audience,
  incident: Incident,
  standing: Standing,
  { settings, now }: WhyContext,
): WhyAudience['providers'] {
  return providersIn(audience, settings).flatMap((provider) => {
    const heard = heardBy(provider, incident, standing, now);
    if (standing.disposition !== 'Delivered' && heard === undefined) return [];
    const isTaken = incident.takenBy?.includes(provider.uid) === true;
    const routed = heard === undefined || (isTaken && heard.told) ? [routedInWords(provider, isTaken, settings)] : [];
    const says = [...(heard ? [heard.says] : []), ...routed].join(' ');
    return [{ provider: provider.ref, told: heard?.told === true, says }];
  });
}

/** What would become of an incident of the object, of what is wrong with it now or of a crash. */
function otherwise(about: Ref, own: readonly Finding[], context: WhyContext): readonly WhyAudience[] {
  const [finding] = own;
  const supposed: Explanation = {
    root: context.world.subject(about),
    ...{ reason: finding?.reason ?? 'CrashLoopBackOff', severity: finding?.severity ?? 'high', confidence: 'likely' },
    members: finding ? own : [{ ...supposedFinding, subject: context.world.subject(about), since: context.at }],
    ...{ affected: [], workloads: [], proof: [], trace: [] },
  };
  return otherwiseOf(supposed, context);
}

/** A finding of the most common kind. */
const supposedFinding = {
  reason: 'CrashLoopBackOff',
  severity: 'high',
  conclusive: false,
  facts: {},
  names: [],
} as const;

function otherwiseOf(explanation: Explanation, context: WhyContext): readonly WhyAudience[] {
  const { settings, clusterId, traits, at, world } = context;
  const marks = world.marks.at(at);
  return prospectsOf(explanation, { settings, clusterId, traits, now: at, marks }).map((prospect): WhyAudience => {
    const { audience, disposition, by, takers } = prospect;
    const isHeard = disposition === 'Delivered';
    const providers = isHeard ? providersIn(audience, settings) : [];
    return {
      ...{ audience, disposition },
      says: fateInWords({ disposition, ...(by !== undefined && { by }), ...endOf(by, context.settings) }, context.now),
      providers: providers.map((provider) => ({
        ...{ provider: provider.ref, told: takers.includes(provider) },
        says: routedInWords(provider, takers.includes(provider), settings),
      })),
    };
  });
}
