import type { IncidentAnnouncement } from '../model/announcement.ts';
import { humanDuration } from '../model/duration.ts';
import type { Explanation } from '../model/explanation.ts';
import { earliest } from '../model/instants.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Subject } from '../model/subject.ts';
import { type Case, isEdited } from './case.ts';
import { describeChange, describeFix } from './change.ts';
import { describeHit } from './impact.ts';
import { ownSign, saysWhy, signStated } from './phrases/sign.ts';
import { phraseOf, sentenceOf } from './phrases.ts';
import { clockTime, count, isWorkload, list, objectOf, sentence, subjectOf } from './words.ts';

/** What a sentence is made of. `now`: epoch milliseconds. */
export type Speech = {
  readonly announcement: IncidentAnnouncement;
  readonly part: Explanation;
  readonly about: Case;
  readonly now: number;
};

/** How sure, before a cause. */
const of = { high: 'because of', likely: 'probably because of', unknown: 'and what they share is' } as const;
const because = { high: 'because', likely: 'probably because', unknown: '' } as const;

/** What only those do who fail, whatever is blamed for it: a Node does not crash, nor does a server whose certificate has expired. */
const ofOthers: ReadonlySet<Reason> = new Set<Reason>([
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'LivenessProbeFailed'] as const),
  ...(['ReadinessProbeFailed', 'ReadinessFlapping', 'PodNotReady'] as const),
  ...(['DeploymentUnavailable', 'StatefulSetUnavailable', 'DaemonSetUnavailable'] as const),
  ...(['ProgressDeadlineExceeded', 'StatefulSetRolloutStuck', 'DaemonSetRolloutStuck'] as const),
]);

/** What the plug-in that mounts volumes does not wait for. */
const ofMounting: ReadonlySet<Reason> = new Set<Reason>(['FailedMount', 'FailedMapVolume', 'FailedAttachVolume']);

/** Whether the reason is that of others, who suffer from the root. */
const isOfOthers = ({ root, reason, change, workloads }: Explanation): boolean =>
  change === undefined &&
  (ofOthers.has(reason) ||
    (kindOf(root.ref) === 'DaemonSet' && ofMounting.has(reason)) ||
    (kindOf(root.ref) === 'Registry' && reason === 'ImageNotFound')) &&
  kindOf(root.ref) !== 'Pod' &&
  !workloads.includes(root.ref);

/**
 * Who does what the reason says. A ConfigMap that was edited does not crash, nor does a workload that was scaled to zero: what
 * uses them does. `it`: whom "its" means.
 */
function actors(part: Explanation): {
  readonly words: string;
  readonly several: boolean;
  readonly it: Ref;
} {
  const { root, workloads } = part;
  const [first] = workloads;
  if (first === undefined || !(isEdited(part) || isOfOthers(part)))
    return { words: subjectOf(root.ref), several: false, it: root.ref };
  const words = workloads.length <= 2 ? list(workloads.map(subjectOf)) : count(workloads.length, 'workload');
  return { words, several: workloads.length > 1, it: first };
}

/** `has not started its pods` of several: `have not started their pods`. */
function inPlural(doing: string): string {
  return doing.replace(/^has\b/, 'have').replaceAll(/\bits\b/g, 'their');
}

/** What happens to whom, since when: the core of every sentence about an incident, and of its cause. */
export function whatHappens({ part, about }: Pick<Speech, 'part' | 'about'>): string {
  const { words, several } = actors(part);
  const doing = phraseOf(about).doing(about);
  return `${words} ${several ? inPlural(doing) : doing}`;
}

/**
 * Since when it fails from its cause (epoch milliseconds). What had failed before for another reason, and got well or was edited
 * since, does not fail from a change that came later.
 */
function sinceOf(
  { incident: { startedAt, explanation } }: IncidentAnnouncement,
  { change, members }: Explanation,
): number {
  if (change === undefined || explanation.confidence === 'unknown' || change.at <= startedAt) return startedAt;
  const later = earliest(members.flatMap(({ since }) => (since < change.at ? [] : [since])));
  return Number.isFinite(later) ? later : change.at;
}

/** The statement about an open incident, with its cause as far as it is known. */
function statement({ announcement, part, about, now }: Speech): string {
  const { confidence } = announcement.incident.explanation;
  const since = clockTime(sinceOf(announcement, part), now);
  const phrase = phraseOf(about);
  const happens = whatHappens({ part, about });
  const what = phrase.once
    ? `${happens.replace(/ (?:has|have) had /, ' had ')} at ${since}`
    : `${happens} since ${since}`;
  const { it, several } = actors(part);
  const sign = several ? undefined : ownSign(part);
  const said = sign ? `: ${signStated(sign)}` : '';
  const unexplained = confidence === 'unknown' && !(sign && saysWhy(sign)) && !phrase.saysWhy?.(about);
  const blamed = isOfOthers(part) && it !== part.root.ref ? `, ${of[confidence]} ${objectOf(part.root.ref)}` : '';
  const why =
    part.change && confidence !== 'unknown' ? `, ${because[confidence]} ${describeChange(part.change, it, now)}` : '';
  const hits =
    it === part.root.ref && !isWorkload(it) && (part.affected.some(isHit) || (phrase.hits !== undefined && waits(part)))
      ? `, and ${consequence(part, typeof phrase.hits === 'function' ? phrase.hits(about) : phrase.hits, confidence)}`
      : '';
  return `${what}${blamed}${why}${said}${hits}.${unexplained ? ' The cause is not known.' : ''}`;
}

/** Of Nodes that are lost with their zone, of requests that wait and of whoever calls in vain the statement itself tells. */
const isHit = ({ ref }: Subject): boolean => !toldAlready.has(kindOf(ref));
const toldAlready: ReadonlySet<string> = new Set([
  ...['Node', 'CertificateSigningRequest', 'APIService', 'CustomResourceDefinition'],
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
]);

/** Whether workloads are known to need it that have no finding of their own yet. */
const waits = ({ affected, workloads, root }: Explanation): boolean =>
  affected.length === 0 && workloads.some((ref) => ref !== root.ref);

/** What others suffer from a root that is no workload. */
function consequence(part: Explanation, hits: string | undefined, confidence: keyof typeof because): string {
  const { words, several } = describeHit(part);
  const fail = several ? 'are failing' : 'is failing';
  if (hits !== undefined) return `${words} ${hits}`;
  const link = { high: ' because of it', likely: ', probably because of it', unknown: ' too' }[confidence];
  return `${words} ${fail}${link}`;
}

const times = ['', 'once', 'twice'];

/** What is new in an update, by its reason code. Nothing: there is no sentence for it. */
const news: Readonly<Record<string, (speech: Speech) => string | undefined>> = {
  SeverityRaised: ({ announcement: { incident, before } }) =>
    before && before.severity !== incident.explanation.severity
      ? `now ${incident.explanation.severity} (was ${before.severity})`
      : undefined,
  RootRevised: ({ announcement: { before }, part }) =>
    before && before.root !== part.root.ref
      ? `the cause is ${objectOf(part.root.ref)}, not ${objectOf(before.root)} as reported before`
      : undefined,
  ImpactGrew: ({ announcement: { incident, before } }) =>
    before && incident.explanation.affected.length > before.affected
      ? `${count(incident.explanation.affected.length, 'object is', 'objects are')} affected (${before.affected} before)`
      : undefined,
  AnotherFailure: ({ announcement: { incident, before } }) =>
    before && before.reason !== incident.explanation.reason
      ? `it now fails differently: ${incident.explanation.reason} (was ${before.reason})`
      : undefined,
  WorkloadDown: ({ announcement: { before }, part }) => {
    const known = new Set(before?.down);
    const down = (part.impact ?? []).filter(({ ref, ready, wanted }) => wanted > 0 && ready === 0 && !known.has(ref));
    if (down.length === 0) return undefined;
    const who = down.length <= 2 ? list(down.map(({ ref }) => subjectOf(ref))) : count(down.length, 'workload');
    return `${who} ${down.length === 1 ? 'has' : 'have'} no ready replica left`;
  },
  CauseChanged: ({ part, now }) =>
    part.change && `it has another cause now: ${describeChange(part.change, part.root.ref, now)}`,
  CauseFound: () => 'the cause is known now',
  CauseWithdrawn: () => 'what was reported as the cause does not explain it any more',
  StandsIn: () => undefined,
  Flapping: ({ announcement: { incident }, now }) => {
    const { recoveries } = incident;
    const often = times[recoveries.length] ?? `${recoveries.length} times`;
    return `it keeps coming back: it has recovered ${often} since ${clockTime(recoveries[0] ?? now, now)}`;
  },
  StillFlapping: () => 'it still keeps coming back',
};

/** What is told of an update whatever it is for. */
const alwaysNews = ['SeverityRaised', 'RootRevised', 'ImpactGrew'] as const;

/** What is new: what the update is for first, then what else has changed since the last message; two things at most. */
function newsOf(speech: Speech): string {
  const { announcement, now } = speech;
  const own = news[announcement.reasonCode]?.(speech);
  const others = alwaysNews.flatMap((code) => news[code]?.(speech) ?? []);
  const all = [...new Set([...(own === undefined ? [] : [own]), ...others])];
  return all.length > 0
    ? all.slice(0, 2).join('; ')
    : `still open after ${humanDuration(now - announcement.incident.startedAt)}`;
}

/** That it fails again, and after how long. */
function again({ incident: { recoveries, startedAt } }: IncidentAnnouncement): string {
  const recovered = recoveries.at(-1);
  const well = recovered === undefined ? 0 : startedAt - recovered;
  return well > 0 ? `Failing again ${humanDuration(well)} after it had recovered` : 'Failing again';
}

/** How it ended: nothing got well where the object is gone. */
const endings = { gone: 'is gone', scaledToZero: 'was scaled to zero' } as const;

/** Nobody saw when it ended: it was there when Tocsin stopped and was over when it looked again. */
function unseenEnd(unseenSince: number, { from, to }: { from: string; to: string }, now: number): string {
  const last = clockTime(unseenSince, now);
  const when = last === to ? `at about ${to}` : `between ${last.replace(/ UTC$/, '')} and ${to}`;
  return `The problem began at ${from} and ended ${when}, while Tocsin was not running.`;
}

function resolution({ announcement, part, about, now }: Speech): string {
  const { incident, fix, rootIs } = announcement;
  const end = incident.clearSince ?? incident.resolvedAt ?? now;
  const { words, several, it } = actors(part);
  const well = rootIs ? endings[rootIs] : phraseOf(about).well;
  const mended = several ? well.replace(/^is\b/, 'are').replace(/^has\b/, 'have') : well;
  const after = fix ? ` after ${describeFix(fix, part.change, it, now)}` : '';
  // The edit itself ended it: nothing is well after it.
  const ended = fix?.field === 'replicas' ? describeChange(fix, '//', now) : `${words} ${mended}${after}`;
  const [from, to] = [clockTime(incident.startedAt, now), clockTime(end, now)];
  if (incident.unseenSince !== undefined) return `${ended}. ${unseenEnd(incident.unseenSince, { from, to }, now)}`;
  const span = from === to ? `at ${from}` : `${from.replace(/ UTC$/, '')} to ${to}`;
  const lasted = humanDuration(Math.max(0, end - incident.startedAt));
  return `${ended}. The problem lasted ${lasted} (${span}).`;
}

/** The first sentence or two: what broke, why, since when, whom it hits; an update begins with what changed. */
export function leadOf(speech: Speech): string {
  switch (speech.announcement.act) {
    case 'open':
      return statement(speech);
    case 'reopen':
      return `${again(speech.announcement)}: ${statement(speech)}`;
    case 'update':
      return `${sentence(newsOf(speech))}. ${statement(speech)}`;
    case 'resolve':
      return resolution(speech);
  }
}

/** The cause in one sentence, `undefined` when it is not known. */
export function causeOf({ announcement, part, about, now }: Speech): string | undefined {
  const sign = ownSign(part);
  const said = sign && saysWhy(sign) && !actors(part).several ? `${sentence(signStated(sign))}.` : undefined;
  if (announcement.incident.explanation.confidence === 'unknown') return said;
  if (part.change) return `${sentence(describeChange(part.change, '//', now))}.`;
  if (said !== undefined) return said;
  if (isWorkload(part.root.ref) && about.finding) return sentenceOf(about.finding);
  return `${whatHappens({ part, about })}.`;
}
