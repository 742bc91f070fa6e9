import { detectors } from '../../../src/detect/catalogue.ts';
import type { Reason } from '../../../src/model/reason.ts';
import type { Severity } from '../../../src/model/severity.ts';
import { incidentOf, type Told } from './judge.ts';
import type { Run } from './run.ts';
import type { Wording } from './wording.ts';

/** One figure of the scorecard, with the gate it is held to where it has one. */
export type Figure = {
  /** What it is known by, whatever is counted. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly unit: '%' | 's' | '';
  readonly gate?: { readonly is: 'at least' | 'at most'; readonly limit: number };
  /** Scenarios that it suffers from. */
  readonly because: readonly string[];
};

/** Whether a figure passes its gate, or another limit in its place. */
export function passes({ value, gate }: Figure, limit = gate?.limit ?? 0): boolean {
  if (!gate) return true;
  return gate.is === 'at least' ? value >= limit : value <= limit;
}

/** The smallest value that so many percent of all do not exceed; 0 of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** Rounded to a tenth. */
export const round = (value: number): number => Math.round(value * 10) / 10;
/** A part of a whole in percent, rounded to a tenth; 0 of nothing. */
export const share = (part: number, all: number): number => (all === 0 ? 0 : round((100 * part) / all));

/** Reasons that cannot pass by themselves and need no count of runs: their rows say so and wait 20 s at most. */
const conclusive = new Set<Reason>(
  detectors
    .filter(({ settle, forSeconds = 0 }) => settle === 'conclusive' && forSeconds <= 20)
    .flatMap(({ reasons }) => reasons.map(({ reason }) => reason)),
);
/** A container that ends once is no crash loop: these count several ends, and the back-off between them is the kubelet's. */
const counted = new Set<Reason>([
  'CrashLoopBackOff',
  'OOMKilled',
  'InitContainerError',
  'LivenessProbeFailed',
  'StartError',
]);
/**
 * What comes and goes: the end of one time is not the end of it. It is over when it has stayed well for so long as its row says (half
 * an hour, and a quarter of an hour without another restart of a machine).
 */
const returning = new Set<Reason | undefined>(['ReadinessFlapping', 'NodeRebooted']);
/** A first message that is expected only after so long (s) is about something that is long in coming. */
const longInComingSeconds = 180;

/** One incident that was told, and in which scenario. */
export type Entry = Told & { readonly name: string };

/** Every incident that was told in these. */
export function entriesOf(runs: readonly Run[]): readonly Entry[] {
  return runs.flatMap(({ name, verdict }) => verdict.told.map((one) => ({ name, ...one })));
}

const reasonOf = ({ messages: [first] }: Entry): Reason | undefined => first && incidentOf(first)?.reason;
const severityOf = ({ messages: [first] }: Entry): Severity | undefined => first?.notification.severity;

/** How sure the first message was. */
export const confidenceOf = ({ messages: [first] }: Entry): string | undefined =>
  first && incidentOf(first)?.confidence;

const isCounted = (entry: Entry): boolean => counted.has(reasonOf(entry) ?? 'UnusualEvent');
const isLong = ({ expected }: Entry): boolean => (expected?.firstMessageWithinSeconds ?? 0) > longInComingSeconds;

/** Whether time to its first message is a promise: it cannot pass by itself, and was not long in coming. */
function isPrompt(entry: Entry): boolean {
  const reason = reasonOf(entry);
  return entry.expected !== undefined && reason !== undefined && conclusive.has(reason) && !isLong(entry);
}

const names = (entries: readonly Entry[]): readonly string[] => [...new Set(entries.map(({ name }) => name))];

/** A percentile of seconds, and who is beyond its gate. */
function seconds(
  name: string,
  percent: number,
  entries: readonly Entry[],
  of: (entry: Entry) => number | undefined,
  limit?: number,
): Figure {
  const known = entries.flatMap((entry) => {
    const value = of(entry);
    return value === undefined ? [] : [{ entry, value }];
  });
  return {
    key: `${name}, p${percent}`,
    name: `${name}, p${percent} of ${known.length}`,
    value: round(
      percentile(
        known.map(({ value }) => value),
        percent,
      ),
    ),
    unit: 's',
    ...(limit !== undefined && known.length > 0 && { gate: { is: 'at most' as const, limit } }),
    because: limit === undefined ? [] : names(known.filter(({ value }) => value > limit).map(({ entry }) => entry)),
  };
}

/** How many expected incidents have the right root in their first message. */
export function rightRoots(runs: readonly Run[], what: string, limit: number): Figure {
  const expected = runs.flatMap(({ expectation }) => expectation.incidents).length;
  const missing = runs.filter(({ verdict }) => verdict.missed.length > 0);
  const missed = missing.reduce((sum, { verdict }) => sum + verdict.missed.length, 0);
  return {
    key: `root right, ${what}`,
    name: `root right by the first message, ${expected} incidents of ${runs.length} ${what} scenarios`,
    unit: '%',
    value: share(expected - missed, expected),
    gate: { is: 'at least', limit },
    because: missing.map(({ name }) => name),
  };
}

/** Of what is called high, how much is wrong. */
function wrongWhileHigh(runs: readonly Run[]): Figure {
  const high = entriesOf(runs).filter((entry) => confidenceOf(entry) === 'high');
  const wrong = high.filter(({ expected }) => !expected);
  return {
    key: 'wrong while high',
    ...{
      name: `wrong while confidence is high, of ${high.length}`,
      unit: '%',
      value: share(wrong.length, high.length),
    },
    gate: { is: 'at most', limit: 2 },
    because: names(wrong),
  };
}

function atMost(name: string, value: number, limit: number, because: readonly string[]): Figure {
  return { key: name.replace(/\d+ /, ''), name, value, unit: '', gate: { is: 'at most', limit }, because };
}

/** What is worded wrongly in these, each by its scenario and text. */
function worded(runs: readonly Run[], what: keyof Wording, name: string): Figure {
  const wrong = runs.flatMap((run) =>
    run.verdict.wording.flatMap((wording) => wording[what].map((text) => `${run.name} (${text})`)),
  );
  return atMost(name, wrong.length, 0, wrong);
}

/** What nobody must read, of any scenario: symptoms that an object cannot have, severities besides the impact, weaker words. */
export function wordingFigures(runs: readonly Run[]): readonly Figure[] {
  return [
    worded(runs, 'impossible', 'titles with a symptom that the object cannot have'),
    worded(runs, 'tooMild', 'total outages of what others use that are not critical'),
    worded(runs, 'tooSevere', 'high or critical where everything still serves'),
    worded(runs, 'lessSure', 'updates that are less sure of an edit than the message before'),
  ];
}

/** The figures of everything but the held-out scenarios, all of which have gates unless they are said to have none. */
export function figuresOf(runs: readonly Run[]): readonly Figure[] {
  const of = (set: Run['set']): readonly Run[] => runs.filter((run) => run.set === set);
  const [quiet, storms] = [of('quiet'), of('storm')];
  const failing = runs.filter(({ set }) => set !== 'quiet');
  const told = entriesOf(failing);
  const prompt = told.filter((entry) => isPrompt(entry) && !isCounted(entry));
  const loops = told.filter((entry) => entry.expected && isCounted(entry));
  const outages = told.filter((entry) => entry.expected && !isLong(entry));
  const besidesEnd = ({ messages }: Entry): number =>
    messages.filter(({ delivery }) => delivery.act !== 'resolve').length;
  const sum = (count: (run: Run) => number): number => runs.reduce((total, run) => total + count(run), 0);
  const named = (is: (run: Run) => boolean): string[] => runs.filter(is).map(({ name }) => name);
  const messagesOf = (of: readonly Run[]): number =>
    of.reduce((total, { played }) => total + played.messages.length, 0);
  const split = named(({ verdict }) => verdict.told.length > verdict.told.filter(({ expected }) => expected).length);
  const first = ({ seconds: value }: Entry): number | undefined => value;
  return [
    rightRoots(of('labelled'), 'labelled', 98),
    ...(storms.length > 0 ? [rightRoots(storms, 'storm', 100)] : []),
    wrongWhileHigh(runs),
    atMost(
      `messages from ${quiet.length} quiet scenarios`,
      messagesOf(quiet),
      0,
      quiet.filter(({ played }) => played.messages.length > 0).map(({ name }) => name),
    ),
    atMost(
      'messages per incident beside its end, p95',
      percentile(told.map(besidesEnd), 95),
      1,
      names(told.filter((entry) => besidesEnd(entry) > 1)),
    ),
    atMost(
      'messages per incident, most',
      told.reduce((most, { messages }) => Math.max(most, messages.length), 0),
      4,
      names(told.filter(({ messages }) => messages.length > 4)),
    ),
    seconds('first message of what cannot pass by itself', 50, prompt, first, 30),
    seconds('first message of what cannot pass by itself', 95, prompt, first, 75),
    seconds('first message of a crash loop, from its first crash', 50, loops, first),
    seconds('first message of a crash loop, from its first crash', 95, loops, first),
    seconds('first message of what served and now serves nothing', 95, outages, (entry) => entry.outageSeconds, 45),
    seconds(
      'told that it is over, after the last failing observation',
      100,
      told.filter((entry) => !returning.has(reasonOf(entry))),
      (entry) => entry.resolvedAfterSeconds,
      300,
    ),
    ...(['critical', 'high', 'medium'] as const).map((severity) =>
      seconds(
        `first message, ${severity}`,
        95,
        told.filter((entry) => severityOf(entry) === severity),
        first,
      ),
    ),
    {
      key: 'not expected',
      ...{ name: 'incidents told that were not expected', unit: '' as const, because: split },
      value: told.filter(({ expected }) => !expected).length,
    },
    atMost(
      'announced again while open',
      sum(({ verdict }) => verdict.reannouncements),
      0,
      named(({ verdict }) => verdict.reannouncements > 0),
    ),
    atMost(
      'updates that say nothing new',
      sum(({ verdict }) => verdict.unchangedUpdates),
      0,
      named(({ verdict }) => verdict.unchangedUpdates > 0),
    ),
    ...wordingFigures(runs),
  ];
}
