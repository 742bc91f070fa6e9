import type { Explanation } from '../../model/explanation.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { type Case, isEdited } from '../parts/case.ts';
import type { Naming } from '../parts/names.ts';
import { count, list } from '../parts/words.ts';
import { phraseOf } from '../phrases/phrases.ts';

/** What only those do who fail, whatever is blamed for it: a Node does not crash, nor does a server whose certificate has expired. */
const ofOthers: ReadonlySet<Reason> = new Set<Reason>([
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'LivenessProbeFailed'] as const),
  ...([
    'ReadinessProbeFailed',
    'ReadinessFlapping',
    'PodNotReady',
    'PodFailed',
    'StartError',
    'StartupProbeFailed',
  ] as const),
  ...(['InitContainerWaiting', 'PostStartHookError', 'WorkloadNeverReady'] as const),
  ...(['JobFailed', 'JobRetrying', 'CronJobFailing'] as const),
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
 * The objects that the reason is true of. A ConfigMap that was edited does not crash, nor does a workload that was scaled to zero: what
 * uses them does. `it`: whom "its" means.
 */
export type Actors = { readonly refs: readonly Ref[]; readonly several: boolean; readonly it: Ref };

/** Whether it was found of the root itself: a Service that was led elsewhere refuses, and not those who call it. */
const isOfRoot = ({ root, reason, members }: Explanation): boolean =>
  members.some(({ subject, reason: found }) => subject.ref === root.ref && found === reason);

/** Those of a part. */
export function actorsOf(part: Explanation): Actors {
  const { root, workloads } = part;
  const [first] = workloads;
  if (first === undefined || !((isEdited(part) && !isOfRoot(part)) || isOfOthers(part)))
    return { refs: [root.ref], several: false, it: root.ref };
  return { refs: workloads, several: workloads.length > 1, it: first };
}

/** The actors by their names, or how many they are. */
export function namesOf({ refs }: Actors, name: Naming): string {
  return refs.length <= 2 ? list(refs.map(name)) : count(refs.length, 'workload');
}

const irregular: ReadonlyMap<string, string> = new Map([
  ['is', 'are'],
  ['has', 'have'],
  ['does', 'do'],
  ['was', 'were'],
]);
/** Verbs that our own phrases begin with. */
function pluralVerb(verb: string): string {
  const other = irregular.get(verb);
  if (other !== undefined) return other;
  return /(?:sh|ss|ch)es$/.test(verb) ? verb.slice(0, -2) : verb.replace(/s$/, '');
}

/** `cannot pull its image` of several: `cannot pull their image`. */
export function inPlural(predicate: string): string {
  const [verb = ''] = predicate.split(' ', 1);
  return `${pluralVerb(verb)}${predicate.slice(verb.length)}`.replaceAll(/\bits\b/g, 'their');
}

/** What happens: who does what, by the names that there is room for. */
export type Happening = { readonly subject: string; readonly predicate: string };

/** What happens in a part. */
export function happeningOf(part: Explanation, about: Case, name: Naming): Happening {
  const actors = actorsOf(part);
  const it = namesOf(actors, name);
  const clause = phraseOf(about).happens(about, it);
  if (typeof clause !== 'string') return { subject: clause[0], predicate: clause[1] };
  return { subject: it, predicate: actors.several ? inPlural(clause) : clause };
}

/** `2 pods of shop/api cannot be scheduled`. */
export const inOne = ({ subject, predicate }: Happening): string => `${subject} ${predicate}`;
