import type { Explanation } from '../model/explanation.ts';
import type { Incident, Told } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { Ref } from '../model/ref.ts';
import { failureClass } from './failure-class.ts';

/** Workloads that were said to be down of which it is remembered. */
const mostDown = 50;

/** What an explanation blames, as a text that is the same for the same cause; `undefined`: nothing that can be named. */
export function causeKey({ change, confidence }: Explanation): string | undefined {
  return change === undefined || confidence === 'unknown' ? undefined : `${change.ref} ${change.field} ${change.at}`;
}

/** The workloads of an explanation that have no ready replica left. */
export function downIn({ impact = [] }: Explanation): readonly Ref[] {
  return impact.filter(({ wanted, ready }) => wanted > 0 && ready === 0).map(({ ref }) => ref);
}

/** What decides whether a reader hears anything new: the same text as long as it is the same. */
export function faceKey(explanation: Explanation): string {
  const { root, reason, confidence } = explanation;
  const isKnown = confidence === 'unknown' ? 'unknown' : 'known';
  return [root.ref, failureClass(reason), causeKey(explanation), isKnown, ...downIn(explanation)].join(' ');
}

/** Whether a message says that it keeps coming back, and how often it did. */
export function saysRecurring(notes: readonly Note[]): boolean {
  return notes.some(({ is }) => is === 'recurring' || is === 'cameBack');
}

/** What a message says, whose reader knew `before` until then. `recurring`: where it says that. `at`: epoch milliseconds. */
export function asTold(
  view: Explanation,
  at: number,
  { recurring }: Pick<Incident, 'recurring'> = {},
  before?: Told,
): Told {
  const { severity, reason, root, affected, confidence } = view;
  const cause = causeKey(view);
  const counted = new Set((view.impact ?? []).map(({ ref }) => ref));
  // What is named without a count is said to be hit, not how hard: that it is down is no news.
  const named = view.workloads.filter((ref) => !counted.has(ref));
  const down = [...new Set([...(before?.down ?? []), ...downIn(view), ...named])].slice(-mostDown);
  const recurringAt = recurring?.toldAt ?? before?.recurringAt;
  const isRevised = before !== undefined && (before.rootRevised === true || before.root !== root.ref);
  return {
    ...{ severity, reason, root: root.ref, affected: affected.length, at, confidence },
    ...(cause !== undefined && { cause }),
    ...(down.length > 0 && { down }),
    ...(before && { updatedAt: at }),
    ...(recurringAt !== undefined && { recurringAt }),
    ...(isRevised && { rootRevised: true }),
  };
}
