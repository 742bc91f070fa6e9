import type { Explanation } from '../model/explanation.ts';
import { awaitsEnd } from '../model/hearing.ts';
import type { Audience, Incident } from '../model/incident.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import { wholeCluster } from '../model/view.ts';

import type { IncidentStore } from './store.ts';
import { namingMember } from './summary.ts';

/**
 * Resolved incidents that are kept at most: their week is cut short where there are more. They are for "the third time this
 * week", for reopening issues and for owed ends; memory and the time of a step must not grow with how much a cluster breaks.
 */
export const maxResolved = 500;
/** Of what was resolved, so many objects are kept of each namespace that was told of it, and so many of all others. */
const keptOfAudience = 3;
const keptOfOthers = 10;
/** What was resolved keeps so much of what proves its cause. */
const keptOfProof = 5;

/** The first few that each audience may read, and of the others. */
function sample<T>(list: readonly T[], audiences: ReadonlySet<Audience>, refOf: (item: T) => Ref): T[] {
  const counts = new Map<Audience | undefined, number>();
  return list.filter((item) => {
    const namespace = namespaceOf(refOf(item));
    const of = audiences.has(namespace) ? namespace : undefined;
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return count < (of === undefined ? keptOfOthers : keptOfAudience);
  });
}

/** What is left of an explanation once it is over: enough to know it again, to list it and to tell an owed end of it. */
function inBrief(explanation: Explanation, audiences: ReadonlySet<Audience>): Explanation {
  const { root, reason, severity, confidence, change, proof, affected, affectedCount = affected.length } = explanation;
  const naming = namingMember(explanation);
  const members = sample(explanation.members, audiences, ({ subject }) => subject.ref);
  return {
    ...{ root, reason, severity, confidence, affectedCount },
    members: naming && !members.includes(naming) ? [naming, ...members] : members,
    affected: sample(affected, audiences, ({ ref }) => ref),
    workloads: sample(explanation.workloads, audiences, (ref) => ref),
    ...(change && { change }),
    // Why it was blamed is asked for after the end as well; what else was considered is not.
    ...{ proof: proof.slice(0, keptOfProof), trace: explanation.trace.filter(({ about }) => about === root.ref) },
  };
}

/** A resolved incident without what only telling of it as open needs: a thousand Pods that failed are not kept for a week. */
export function shrink(incident: Incident): Incident {
  const audiences = new Set(Object.keys(incident.standings).filter((audience) => audience !== wholeCluster));
  const left = Object.entries(incident.left ?? {}).map(([audience, view]) => [audience, inBrief(view, audiences)]);
  const explanation = inBrief(incident.explanation, audiences);
  // What was blamed is mostly what is known at the end: one thing, held once and saved in one row.
  const blamed = incident.blamed === incident.explanation ? explanation : incident.blamed;
  return {
    ...incident,
    explanation,
    ...(blamed && { blamed: blamed === explanation ? blamed : inBrief(blamed, audiences) }),
    ...(left.length > 0 && { left: Object.fromEntries(left) }),
  };
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
  const isOwed = ({ hearings }: Incident): number => (Object.values(hearings).some(awaitsEnd) ? 1 : 0);
  const oldestFirst = resolved.toSorted((a, b) => isOwed(a) - isOwed(b) || (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0));
  for (const { id, resolvedAt = 0 } of oldestFirst.slice(0, beyond)) if (resolvedAt < keepFromMs) store.remove(id);
}
