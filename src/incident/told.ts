import { causeKey, downIn, type Explanation } from '../model/explanation.ts';
import type { Incident, Told } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { Note } from '../model/note.ts';
import type { Ref } from '../model/ref.ts';
import { worse } from '../model/severity.ts';
import { failureClass } from './failure-class.ts';

/** Workloads that are down, or were said to be, of which it is remembered. */
const mostDown = 50;

/**
 * Since when workloads have been down, by the objects' own times where these say so, with those that are now; who comes and goes in a crash
 * loop went down once.
 */
export function downSinceOf(
  explanation: Explanation,
  now: number,
  { downSince = {} }: Pick<Incident, 'downSince'> = {},
): Pick<Incident, 'downSince'> {
  const failedAt = (ref: Ref): number =>
    earliest([now, ...explanation.members.flatMap(({ subject, since }) => (subject.ref === ref ? [since] : []))]);
  const fresh = downIn(explanation).filter((ref) => downSince[ref] === undefined);
  const all = [...Object.entries(downSince), ...fresh.map((ref) => [ref, failedAt(ref)])];
  return all.length === 0 ? {} : { downSince: Object.fromEntries(all.slice(0, mostDown)) };
}

/** Face keys of explanations, which can have thousands of members and are asked for it several times a turn. */
const faceKeys = new WeakMap<Explanation, string>();

/** What is told of the failure itself, and what it is told by: the same text as long as it is the same. */
export function faceKey(explanation: Explanation): string {
  const known = faceKeys.get(explanation);
  if (known !== undefined) return known;
  const key = faceKeyOf(explanation);
  faceKeys.set(explanation, key);
  return key;
}

function faceKeyOf(explanation: Explanation): string {
  const { root, reason, confidence, members } = explanation;
  const isKnown = confidence === 'unknown' ? 'unknown' : 'known';
  const reasons = new Set(members.map((member) => member.reason));
  const telling = [...reasons].filter((one) => failureClass(one) !== undefined).sort();
  return [root.ref, failureClass(reason), causeKey(explanation), isKnown, ...telling].join(' ');
}

/** Whether a message says that it keeps coming back, and how often it did. */
function saysRecurring(notes: readonly Note[]): boolean {
  return notes.some(({ is }) => is === 'recurring' || is === 'cameBack');
}

/** What a message with these notes says of an incident besides how it stands. */
export function saidBeside(
  { recurring, acknowledged }: Incident,
  notes: readonly Note[],
): Pick<Incident, 'recurring' | 'acknowledged'> {
  return { ...(recurring && saysRecurring(notes) && { recurring }), ...(acknowledged && { acknowledged }) };
}

/**
 * What a message says, whose reader knew `before` until then. `recurring`, `acknowledged`: where it says that. `at`: epoch milliseconds.
 */
export function asTold(
  view: Explanation,
  at: number,
  { recurring, acknowledged }: Pick<Incident, 'recurring' | 'acknowledged'> = {},
  before?: Told,
): Told {
  const { severity, reason, root, affected, confidence } = view;
  const cause = causeKey(view);
  const counted = new Set((view.impact ?? []).map(({ ref }) => ref));
  // What is named without a count is said to be hit, not how hard: that it is down is no news.
  const named = view.workloads.filter((ref) => !counted.has(ref));
  const down = [...new Set([...(before?.down ?? []), ...downIn(view), ...named])].slice(-mostDown);
  const recurringAt = recurring?.toldAt ?? before?.recurringAt;
  const worst = before ? worse(before.worst ?? before.severity, severity) : severity;
  const isRevised = before !== undefined && (before.rootRevised === true || before.root !== root.ref);
  return {
    ...{ severity, reason, root: root.ref, affected: affected.length, at, confidence },
    ...(cause !== undefined && { cause }),
    ...(worst !== severity && { worst }),
    ...(down.length > 0 && { down }),
    ...(down.length === 0 && counted.size > 0 && { serves: true }),
    ...(before && { updatedAt: at }),
    ...(recurringAt !== undefined && { recurringAt }),
    ...(isRevised && { rootRevised: true }),
    ...(view.clusters && { clusters: view.clusters.map((one) => one.cluster) }),
    ...(acknowledged && { acknowledgedAt: acknowledged.at }),
  };
}
