import type { Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { Incident } from '../model/incident.ts';
import { namespaceOf } from '../model/ref.ts';
import type { Subject } from '../model/subject.ts';
import type { IncidentStore } from './store.ts';
import { namingMember } from './summary.ts';

/**
 * Resolved incidents that are kept at most: their week is cut short where there are more. They are for "the third time this
 * week", for reopening issues and for owed ends; memory and the time of a step must not grow with how much a cluster breaks.
 */
export const maxResolved = 500;
/** Of what was resolved, so many objects of each namespace that was told are kept, and so many in all. */
const keptOfNamespace = 3;
const keptInAll = 50;

/** The first few of each namespace. */
function sample<T>(list: readonly T[], refOf: (item: T) => Subject['ref']): T[] {
  const counts = new Map<string, number>();
  const kept: T[] = [];
  for (const item of list) {
    if (kept.length >= keptInAll) break;
    const namespace = namespaceOf(refOf(item));
    const count = counts.get(namespace) ?? 0;
    if (count >= keptOfNamespace) continue;
    counts.set(namespace, count + 1);
    kept.push(item);
  }
  return kept;
}

/** What is left of an explanation once it is over: enough to know it again, to list it and to tell an owed end of it. */
function inBrief(explanation: Explanation): Explanation {
  const { root, reason, severity, confidence, change, affected, affectedCount = affected.length } = explanation;
  const naming = namingMember(explanation);
  const members = sample<Finding>(explanation.members, ({ subject }) => subject.ref);
  return {
    ...{ root, reason, severity, confidence, affectedCount },
    members: naming && !members.includes(naming) ? [naming, ...members] : members,
    affected: sample(affected, ({ ref }) => ref),
    workloads: sample(explanation.workloads, (ref) => ref),
    ...(change && { change }),
    ...{ proof: [], trace: [] },
  };
}

/** A resolved incident without what only telling of it as open needs: a thousand Pods that failed are not kept for a week. */
export function shrink(incident: Incident): Incident {
  const left =
    incident.left &&
    Object.fromEntries(Object.entries(incident.left).map(([audience, view]) => [audience, inBrief(view)]));
  return { ...incident, explanation: inBrief(incident.explanation), ...(left && { left }) };
}

/**
 * Forgets those resolved first beyond the limit, last those whose end somebody is owed, but never one that may still reopen
 * (`resolvedAt` after `keepFromMs`, epoch).
 */
export function forgetOldest(store: IncidentStore, keepFromMs: number): void {
  if (store.size <= maxResolved) return;
  const resolved = store.all().filter(({ state }) => state === 'Resolved');
  const beyond = resolved.length - maxResolved;
  if (beyond <= 0) return;
  const isOwed = ({ endOwedTo = [] }: Incident): number => Math.min(endOwedTo.length, 1);
  const oldestFirst = resolved.toSorted((a, b) => isOwed(a) - isOwed(b) || (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0));
  for (const { id, resolvedAt = 0 } of oldestFirst.slice(0, beyond)) if (resolvedAt < keepFromMs) store.remove(id);
}
