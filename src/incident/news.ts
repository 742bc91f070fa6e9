import { causeKey, downIn, type Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { Incident, Told } from '../model/incident.ts';
import { earliest } from '../model/instants.ts';
import type { Note } from '../model/note.ts';
import type { Reason } from '../model/reason.ts';
import { rings } from '../model/ringing.ts';
import type { Settings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { failureClass } from './failure-class.ts';
import { impactIntervalMs } from './timing.ts';

/** What is new to a reader, or the instant (epoch milliseconds) at which something may be. */
export type News =
  | { readonly reasonCode: string; readonly notes: readonly Note[] }
  | { readonly notBefore: number }
  | undefined;

const second = 1000;
/** What has changed must hold for so long before it is told: a moment between two states is none (ms). */
const holdMs = { down: 15 * second, found: 15 * second, changed: 75 * second, withdrawn: 600 * second };
/**
 * What gets worse as soon as it was told goes on doing so, as one Pod goes after the other: one message says how bad it has become within so
 * long of the one before (ms), sooner where nothing is left.
 */
const worsensMs = { critical: 15 * second, high: 45 * second, medium: 45 * second, low: 45 * second };
/** Updates of one incident are so far apart, but for a rise (`50-incidents`); milliseconds. */
const updateIntervalMs = 600 * second;

/**
 * Growth counts from so many objects at least. The first message about a server names one or two, and says that nobody answers there:
 * that a dozen Pods of its clients fail as well is what who read it expects.
 */
const fewestAffected = 3;

/** One thing that may be new, and when it may be told. */
type Row = { readonly reasonCode: string; readonly at: number; readonly notes?: readonly Note[] };

const findingsOf = ({ members }: Explanation, reason: Reason): readonly Finding[] =>
  members.filter((member) => member.reason === reason);

/**
 * Whether it fails differently now: what was told does not hold any more, or was about what fails because of the root, which has a failure of
 * its own now. That more is found of what was told is no other failure, nor what else follows from the edit that was blamed.
 */
function isAnotherFailure(view: Explanation, told: Told): boolean {
  if (told.cause !== undefined && told.cause === causeKey(view)) return false;
  const [now, before] = [failureClass(view.reason), failureClass(told.reason)];
  if (now === undefined || before === undefined || now === before) return false;
  const ofRoot = (reason: Reason): boolean =>
    findingsOf(view, reason).some(({ subject }) => subject.ref === view.root.ref);
  return findingsOf(view, told.reason).length === 0 || (ofRoot(view.reason) && !ofRoot(told.reason));
}

/** Whether a cause is known that was not: an edit, or what the failure is. That others fail because of it tells nobody why it fails itself. */
function isFound(view: Explanation, told: Told): boolean {
  if (told.confidence !== 'unknown' || view.confidence === 'unknown') return false;
  const isNamed = failureClass(told.reason) === undefined && failureClass(view.reason) !== undefined;
  return causeKey(view) !== undefined || isNamed;
}

/** Whether nothing speaks any more for a cause that was told: not the edit, or where none was blamed, not the failure that is its own cause. */
function isWithdrawn(view: Explanation, told: Told): boolean {
  if (told.confidence === undefined || told.confidence === 'unknown' || view.confidence !== 'unknown') return false;
  return told.cause !== undefined || findingsOf(view, told.reason).length === 0;
}

/**
 * Since when workloads have been down that were named to nobody. Who was told that all of it still serves is told at once; who was told of
 * something that does not expects that others go down with it: those are news that do so when that was read long ago. That the root goes
 * down itself nobody expects: what was told may be no more than what strangers say of it.
 */
function newlyDown({ down = [], serves, at, root }: Told, view: Explanation, { downSince = {} }: Incident): number[] {
  return downIn(view).flatMap((ref) => {
    const since = downSince[ref] ?? at;
    const isUnexpected = serves || (ref === root && since > at) || since >= at + updateIntervalMs;
    return !down.includes(ref) && isUnexpected ? [since] : [];
  });
}

/** What changed about the failure itself: what it is, what is blamed, what is down. */
function* changes(told: Told, view: Explanation, incident: Incident): Generator<Row> {
  const { faceSince: since = incident.openedAt ?? incident.startedAt } = incident;
  const nextAt = (told.updatedAt ?? Number.NEGATIVE_INFINITY) + updateIntervalMs;
  const after = (hold: number): number => Math.max(since + hold, nextAt);
  if (view.root.ref !== told.root)
    yield { reasonCode: 'RootRevised', at: told.rootRevised ? after(holdMs.withdrawn) : 0 };
  const down = newlyDown(told, view, incident);
  if (down.length > 0) yield { reasonCode: 'WorkloadDown', at: earliest(down) + holdMs.down };
  const cause = causeKey(view);
  if (isAnotherFailure(view, told)) yield { reasonCode: 'AnotherFailure', at: after(holdMs.changed) };
  else if (told.cause !== undefined && cause !== undefined && cause !== told.cause)
    yield { reasonCode: 'CauseChanged', at: after(holdMs.changed) };
  if (isFound(view, told)) yield { reasonCode: 'CauseFound', at: after(holdMs.found) };
  if (isWithdrawn(view, told)) yield { reasonCode: 'CauseWithdrawn', at: after(holdMs.withdrawn) };
}

/** The first update about other clusters comes so soon after the first message: many learn of the same within a minute or two (ms). */
const joinedMs = 60 * second;

/** That other clusters are hit as well, of which a hub's readers have not heard. */
function* joined({ clusters = [], at, updatedAt }: Told, view: Explanation): Generator<Row> {
  if (view.clusters?.every((one) => clusters.includes(one.cluster)) !== false) return;
  yield { reasonCode: 'ClustersJoined', at: updatedAt === undefined ? at + joinedMs : updatedAt + updateIntervalMs };
}

/** That it keeps coming back: once, and then once a day how often. */
function* returns(told: Told, { recurring, acknowledged }: Incident): Generator<Row> {
  if (recurring === undefined || told.recurringAt === recurring.toldAt) return;
  const { summary } = recurring;
  if (summary !== undefined && acknowledged) return;
  const note: Note = summary === undefined ? { is: 'recurring' } : { is: 'cameBack', ...summary };
  yield { reasonCode: summary === undefined ? 'Flapping' : 'StillFlapping', at: 0, notes: [note] };
}

function* rows(told: Told, incident: Incident, view: Explanation, settings: Settings): Generator<Row> {
  if (compareSeverity(view.severity, told.severity) < 0)
    yield { reasonCode: 'SeverityRaised', at: told.at + worsensMs[view.severity] };
  // Of what keeps coming back one summary a day is told, and what is worse.
  if (incident.recurring) yield* returns(told, incident);
  else yield* changes(told, view, incident);
  yield* joined(told, view);
  if (view.affected.length >= 10 * Math.max(fewestAffected, told.affected))
    yield { reasonCode: 'ImpactGrew', at: told.at + impactIntervalMs };
  const renotifySeconds = settings.incidents.renotifySeconds[view.severity];
  // Who has taken it on needs no reminder.
  if (renotifySeconds !== undefined && incident.acknowledged === undefined)
    yield { reasonCode: 'StillOpen', at: told.at + renotifySeconds * second };
}

/** Whether everybody must see it: who wants quiet updates is told no others by a message of its own. */
const isLoud = ({ reasonCode }: Row): boolean => reasonCode === 'SeverityRaised' || rings(reasonCode);

/**
 * What holds now and a reader has not heard: the difference between what it was told, certainly or perhaps, and the explanation as it may
 * read it. Worse is told within seconds; what else has changed once it has held, at most one update in ten minutes. `loud`: nothing else.
 */
export function newsFor(
  heard: readonly Told[],
  incident: Incident,
  view: Explanation,
  { settings, now, loud = false }: { readonly settings: Settings; readonly now: number; readonly loud?: boolean },
): News {
  const found = heard.flatMap((told) => [...rows(told, incident, view, settings)]);
  const all = loud ? found.filter(isLoud) : found;
  const due = all.filter(({ at }) => at <= now);
  // One message says all there is to say, and that it keeps coming back once.
  const notes = due.filter((row) => row === due.find(({ reasonCode }) => reasonCode === row.reasonCode));
  if (due[0]) return { reasonCode: due[0].reasonCode, notes: notes.flatMap((row) => row.notes ?? []) };
  return all.length === 0 ? undefined : { notBefore: earliest(all.map(({ at }) => at)) };
}
