import { isDeepStrictEqual } from 'node:util';
import type { Act } from '../../../src/model/notification.ts';
import { kindOf, type Ref } from '../../../src/model/ref.ts';
import type { Severity } from '../../../src/model/severity.ts';
import type { Expectation } from './expectation.ts';
import { failingObservations, lapses, type Observation } from './failing.ts';
import type { Log } from './log.ts';
import type { Message, Played } from './play.ts';
import type { ExpectedIncident } from './scenario.ts';
import { type Times, timesOf } from './times.ts';
import { type Wording, wordingOf } from './wording.ts';

/** The gate on the first message of an incident, seconds after its first failing observation. */
export const firstMessageSeconds: Readonly<Record<Severity, number>> = {
  critical: 45,
  high: 120,
  medium: 900,
  low: 3600,
};

/** One incident that was told, from its first message to its last. */
export type Told = {
  readonly messages: readonly Message[];
  /** The expectation it answers to: the one of its root, or none. */
  readonly expected?: ExpectedIncident;
  /** Of the first message; absent when nothing in the log looked failing before it. */
  readonly seconds?: number;
  /** From when a workload that served was seen to serve nothing to its first message. */
  readonly outageSeconds?: number;
  /** From the last failing observation to the message that it is over. */
  readonly resolvedAfterSeconds?: number;
};

/** How a scenario went. */
export type Verdict = {
  readonly told: readonly Told[];
  /** Expected incidents whose root was in no opening message. */
  readonly missed: readonly ExpectedIncident[];
  /** What is not as expected, one sentence each; none: it passed. */
  readonly faults: readonly string[];
  /** Openings with high confidence of a root that is not expected. */
  readonly wrongAndSure: number;
  /** Messages that belong to no incident: startup summaries, digests, overviews. */
  readonly summaries: number;
  /** Updates that say nothing new. */
  readonly unchangedUpdates: number;
  /** Openings of a problem that was open already. */
  readonly reannouncements: number;
  /** What is worded wrongly, by incident. */
  readonly wording: readonly Wording[];
};

/** The incident that a message tells of; none for summaries, digests and overviews. */
export const incidentOf = ({ notification }: Message) => notification.incident;

/** Everything that an incident is about, as far as its messages name it. */
function partsOf(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      const incident = incidentOf(message);
      return incident ? [incident.root, ...incident.affected.sample] : [];
    }),
  );
}

/** How soon an outage was told of: one that holds when it is told; what was over by then is no part of it. */
function outageOf(messages: readonly Message[], { outages }: Times): { readonly outageSeconds?: number } {
  const [first] = messages;
  const parts = partsOf(messages.slice(0, 1));
  const holding = [...outages]
    .filter(([ref]) => parts.has(ref))
    .flatMap(([, all]) =>
      all.filter(({ from, until = Number.POSITIVE_INFINITY }) => first && from <= first.at && first.at < until),
    );
  const earliest = holding.map(({ from }) => from).sort((a, b) => a - b)[0];
  if (!first || earliest === undefined) return {};
  return { outageSeconds: Math.max(0, (first.at - earliest) / 1000) };
}

/** How soon the end was told of: after the last of its objects was healthy, where that can be told of all. */
function endOf(
  messages: readonly Message[],
  { healthyAt, failing }: Times,
): { readonly resolvedAfterSeconds?: number } {
  const last = messages.findLast(({ delivery }) => delivery.act === 'resolve');
  if (!last) return {};
  const parts = partsOf(messages);
  if ([...failing].some((ref) => parts.has(ref))) return {};
  const ends = [...healthyAt].filter(([ref, at]) => parts.has(ref) && at <= last.at).map(([, at]) => at);
  const latest = ends.sort((a, b) => b - a)[0];
  return latest === undefined ? {} : { resolvedAfterSeconds: (last.at - latest) / 1000 };
}

/** `Deployment/shop/api CrashLoopBackOff`. */
const nameOf = (message: Message | undefined): string => {
  const incident = message && incidentOf(message);
  return incident ? `${incident.root} ${incident.reason}` : 'nothing';
};

/** What of a log looks failing: by itself, and where nothing does. */
type Seen = { readonly observations: readonly Observation[]; readonly lapsed: readonly Observation[] };

/** What serves nobody by itself: it is read or asked by who does. */
const isSetting = (ref: Ref): boolean =>
  ['ConfigMap', 'Secret', 'ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].includes(
    kindOf(ref),
  );

function secondsTo(
  first: Message,
  { observations, lapsed }: Seen,
  { lines }: Log,
  beginsAfterSeconds: number | undefined,
): number | undefined {
  const start = lines[0]?.now ?? 0;
  const settledAt = lines.find(({ settled }) => settled)?.now;
  if (beginsAfterSeconds !== undefined) {
    const seconds = (first.at - start) / 1000 - beginsAfterSeconds;
    return seconds < 0 ? undefined : seconds;
  }
  const incident = incidentOf(first);
  const isNode = incident?.root.startsWith('Node/') ?? false;
  const own = new Set<string>([incident?.root ?? '', ...(incident?.affected.sample ?? [])]);
  // What else fails on a node may have failed before it.
  const isAbout = ({ ref, at }: Observation): boolean =>
    (isNode ? ref === incident?.root : own.has(ref)) && at <= first.at;
  // A Pod that went has been replaced; what is told as the cause is missing.
  const lost = lapsed.find(({ ref, at }) => ref === incident?.root && at <= first.at);
  // What is only read is missed by whom fails of it: from then on people wait.
  const isMissed = ({ at }: Observation): boolean =>
    lost !== undefined && isSetting(lost.ref) && at >= lost.at && at <= first.at;
  const since = (observations.find(isAbout) ?? observations.find(isMissed) ?? lost ?? observations[0])?.at;
  // What no object shows by itself begins when all of it is there, as who brought it about knows.
  if (since === undefined || since > first.at)
    return settledAt === undefined ? undefined : Math.max(0, (first.at - settledAt) / 1000);
  return (first.at - since) / 1000;
}

/** What a message tells, apart from its words: who has heard it knows all of that. */
function saidBy({ notification }: Message): readonly unknown[] {
  const { severity, note, impact, incident } = notification;
  const { root, reason, confidence, cause, affected } = incident ?? {};
  return [severity, note, impact, root, reason, confidence, cause, affected?.count];
}

function isUnchanged(message: Message, before: Message | undefined): boolean {
  return (
    message.delivery.act === 'update' && before !== undefined && isDeepStrictEqual(saidBy(message), saidBy(before))
  );
}

/** An opening while the same problem was told as open, by this run or one before it. */
function reannounced(messages: readonly Message[]): number {
  const open = new Set<string>();
  let count = 0;
  for (const message of messages) {
    const incident = incidentOf(message);
    if (!incident) continue;
    const problem = `${incident.root} ${incident.reason}`;
    if (message.delivery.act === 'open' && open.has(problem)) count += 1;
    if (incident.status === 'open') open.add(problem);
    else open.delete(problem);
  }
  return count;
}

/** Whether a root is one that an expectation takes for right. */
function isRight({ root, accepts = [] }: ExpectedIncident, told: Ref | undefined): boolean {
  return told !== undefined && (told === root || accepts.includes(told));
}

function countFaults(expected: ExpectedIncident, messages: readonly Message[]): string[] {
  const wanted = { open: 1, update: '≤1', reopen: 0, ...expected.messages } as const;
  return Object.entries(wanted).flatMap(([act, limit]) => {
    const count = messages.filter(({ delivery }) => delivery.act === (act as Act)).length;
    const fine = typeof limit === 'number' ? count === limit : count <= Number(limit.slice(1));
    return fine ? [] : [`${expected.root}: ${count} × ${act}, expected ${limit}`];
  });
}

function faultsOf({ messages, expected, seconds }: Told): string[] {
  const [first] = messages;
  const incident = first && incidentOf(first);
  if (!first || !incident) return [];
  if (!expected) return [`${nameOf(first)} was told (${incident.confidence}) and is not expected`];
  const faults = countFaults(expected, messages);
  if (expected.reason !== undefined && incident.reason !== expected.reason)
    faults.push(`${expected.root}: reason ${incident.reason}, expected ${expected.reason}`);
  const { severity = first.notification.severity } = expected;
  if (first.notification.severity !== severity)
    faults.push(`${expected.root}: severity ${first.notification.severity}, expected ${severity}`);
  const limit = expected.firstMessageWithinSeconds ?? firstMessageSeconds[severity];
  if (seconds === undefined) faults.push(`${expected.root}: told before anything failed`);
  else if (seconds > limit)
    faults.push(`${expected.root}: first message after ${seconds} s, expected within ${limit} s`);
  for (const message of messages) {
    const root = incidentOf(message)?.root;
    if (!isRight(expected, root) && root !== expected.revisedTo)
      faults.push(`${expected.root}: a later message says ${root ?? 'nothing'} is the cause`);
    for (const innocent of expected.mustNotBlame ?? [])
      if (root === innocent) faults.push(`${expected.root}: ${innocent} is blamed and innocent`);
  }
  return faults;
}

/** Expectations that one run of Tocsin told as several incidents. */
function splitIncidents(told: readonly Told[]): string[] {
  const opened = told.filter(({ messages, expected }) => expected && messages[0]?.delivery.act === 'open');
  const byRun = Map.groupBy(opened, ({ messages, expected }) => `${messages[0]?.run} ${expected?.root}`);
  return [...byRun.values()].flatMap((same) => {
    const names = same.map(({ messages }) => nameOf(messages[0])).join(', ');
    return same.length > 1 ? [`${same[0]?.expected?.root}: told as ${same.length} incidents: ${names}`] : [];
  });
}

/** Holds what was told against what was expected. */
export function judge(log: Log, played: Played, expectation: Expectation): Verdict {
  const seen: Seen = { observations: failingObservations(log), lapsed: lapses(log) };
  const times = timesOf(log);
  const streams = Map.groupBy(
    played.messages.filter((message) => incidentOf(message)),
    ({ run, delivery }) => `${run}/${delivery.stream}`,
  );
  const told = [...streams.values()].flatMap((messages): Told[] => {
    const [first] = messages;
    if (!first) return [];
    const expected = expectation.incidents.find((one) => isRight(one, incidentOf(first)?.root));
    const seconds = secondsTo(first, seen, log, expected?.beginsAfterSeconds);
    const figures = { ...outageOf(messages, times), ...endOf(messages, times) };
    return [{ messages, ...(expected && { expected }), ...(seconds !== undefined && { seconds }), ...figures }];
  });
  const missed = expectation.incidents.filter((expected) => !told.some((one) => one.expected === expected));
  const summaries = played.messages.filter((message) => !incidentOf(message)).length;
  const expectedSummaries = expectation.summaries ?? 0;
  const unchangedUpdates = told
    .flatMap(({ messages }) => messages.map((message, index) => isUnchanged(message, messages[index - 1])))
    .filter(Boolean).length;
  const reannouncements = reannounced(played.messages);
  return {
    told,
    missed,
    summaries,
    unchangedUpdates,
    reannouncements,
    wording: told.map(({ messages }) => wordingOf(messages, times)),
    wrongAndSure: told.filter(
      ({ messages: [first], expected }) => !expected && first && incidentOf(first)?.confidence === 'high',
    ).length,
    faults: [
      ...missed.map(({ root, reason }) => `${root}${reason ? ` ${reason}` : ''} was not told`),
      ...told.flatMap(faultsOf),
      ...splitIncidents(told),
      ...(summaries === expectedSummaries ? [] : [`${summaries} summaries, expected ${expectedSummaries}`]),
      ...(unchangedUpdates > 0 ? [`${unchangedUpdates} updates say nothing new`] : []),
      ...(reannouncements > 0 ? [`${reannouncements} problems were announced again while open`] : []),
    ],
  };
}
