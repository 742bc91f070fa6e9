import { humanDuration } from '../model/duration.ts';
import type { BlamedChange } from '../model/explanation.ts';
import type { Facts } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { Confidence } from '../model/severity.ts';
import type { IncidentTelling } from '../model/telling.ts';
import type { Part } from './part.ts';
import { phrases } from './phrases.ts';
import { clockTime, count, isWorkload, list, sentence, subjectOf } from './words.ts';

/** How many pods a part counts, the root included. */
export function podCount({ root, affected }: Part): number {
  return [root, ...affected].filter(({ ref }) => kindOf(ref) === 'Pod').length;
}

/** What an image's name differs in: the tag alone where the rest is the same. */
function shortened(from: string, to: string): readonly [string, string] {
  const cut = from.lastIndexOf(':');
  const same = cut > from.lastIndexOf('/') && to.startsWith(from.slice(0, cut + 1)) && !to.includes('@');
  return same ? [from.slice(cut + 1), to.slice(cut + 1)] : [from, to];
}

/** `its image changed from 1.4 to 1.5 at 08:58 UTC (kubectl)`; `root` is "it". */
export function describeChange(change: BlamedChange, root: Ref, now: number): string {
  const { ref, field, from, to, by } = change;
  const what = field === 'data' ? '' : ` ${field}`;
  const subject =
    ref === root ? `its${what || ' data'}` : `${field === 'data' ? '' : `the${what} of `}${subjectOf(ref)}`;
  const [before, after] = from !== undefined && to !== undefined ? shortened(from, to) : [from, to];
  const difference =
    before !== undefined && after !== undefined
      ? ` from ${before} to ${after}`
      : after === undefined
        ? ''
        : ` to ${after}`;
  return `${subject} changed${difference} at ${clockTime(change.at, now)}${by === undefined ? '' : ` (${by})`}`;
}

/** How sure, in a word before "because". */
const because: Readonly<Record<Confidence, string>> = { high: 'because', likely: 'probably because', unknown: '' };

/** `20 pods of 6 workloads`, `3 pods`, `2 objects`. */
export function describeHit(part: Part): string {
  const pods = part.affected.filter(({ ref }) => kindOf(ref) === 'Pod').length;
  const workloads = part.workloads.filter((ref) => ref !== part.root.ref);
  if (pods === 0)
    return workloads.length > 0 ? count(workloads.length, 'workload') : count(part.affected.length, 'object');
  if (workloads.length === 0) return count(pods, 'pod');
  return `${count(pods, 'pod')} of ${workloads.length <= 2 ? list(workloads.map(subjectOf)) : count(workloads.length, 'workload')}`;
}

/** What happens to whom, since when, and why as far as it is known: the core of every sentence about an open incident. */
function statement(telling: IncidentTelling, part: Part, facts: Facts, now: number): string {
  const { explanation, startedAt } = telling.incident;
  const { reason, confidence } = explanation;
  const phrase = phrases[reason];
  const subject = subjectOf(part.root.ref);
  const since = `${phrase.once ? 'at' : 'since'} ${clockTime(startedAt, now)}`;
  const what = `${subject} ${phrase.doing(facts)} ${since}`;
  const why =
    part.change && confidence !== 'unknown'
      ? `, ${because[confidence]} ${describeChange(part.change, part.root.ref, now)}`
      : '';
  const hits = !isWorkload(part.root.ref) && part.affected.length > 0;
  if (hits && confidence === 'unknown')
    return `${what}, and ${describeHit(part)} fail too; whether because of it is not known`;
  if (hits)
    return `${what}${why}, and ${describeHit(part)} ${confidence === 'high' ? 'fail because of it' : 'fail, probably because of it'}`;
  return confidence === 'unknown' ? `${what}; the cause is not known` : `${what}${why}`;
}

/** What is new in an update, at most two things. */
function news({ incident, before, audience }: IncidentTelling, now: number): string {
  const { severity, root, affected } = incident.explanation;
  const parts: string[] = [];
  if (before && before.severity !== severity) parts.push(`now ${severity} (was ${before.severity})`);
  if (before && before.root !== root.ref)
    parts.push(
      `the cause is ${subjectOf(root.ref).replace(/^The/, 'the')}, not ${subjectOf(before.root).replace(/^The/, 'the')}`,
    );
  // Counts of others are not for a tenant.
  if (before && affected.length > before.affected && audience === '')
    parts.push(`${count(affected.length, 'object is', 'objects are')} hit (${before.affected} before)`);
  return parts.length > 0 ? list(parts.slice(0, 2)) : `still open after ${humanDuration(now - incident.startedAt)}`;
}

function resolution(telling: IncidentTelling, part: Part, now: number): string {
  const { incident, fix } = telling;
  const end = incident.clearSince ?? incident.resolvedAt ?? now;
  const fixed = fix ? ` after ${describeChange(fix, part.root.ref, now)}` : '';
  const lasted = humanDuration(Math.max(0, end - incident.startedAt));
  const [from, to] = [clockTime(incident.startedAt, now), clockTime(end, now)];
  const span = from === to ? from : `${from.replace(/ UTC$/, '')} to ${to}`;
  return `${subjectOf(part.root.ref)} ${phrases[incident.explanation.reason].well}${fixed}; it lasted ${lasted} (${span})`;
}

/** The first sentence: what broke, why, since when, whom it hits; an update begins with what changed. */
export function leadOf(telling: IncidentTelling, part: Part, facts: Facts, now: number): string {
  switch (telling.act) {
    case 'open':
      return `${statement(telling, part, facts, now)}.`;
    case 'reopen':
      return `Again: ${statement(telling, part, facts, now)}.`;
    case 'update':
      return `${sentence(news(telling, now))}: ${statement(telling, part, facts, now)}.`;
    case 'resolve':
      return `${resolution(telling, part, now)}.`;
  }
}
