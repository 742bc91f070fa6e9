import type { Sign, SignKind, SignTarget } from '../model/sign.ts';
import { addressIn, nameBeside, portIn } from './address.ts';
import { calleeOf, complaintIn } from './complaint.ts';
import { type Entry, entriesOf, maxLines } from './entry.ts';
import type { Level } from './level.ts';
import { type Overcome, overcomeIn } from './overcome.ts';
import { reaching, signOf } from './sentence.ts';
import { subjectOf } from './subject.ts';

/** Lines of a trace in which an address is looked for. */
const maxAddressLines = 40;
/** Signs of one log that are kept. */
const maxSigns = 5;

/** They say that the program ended, not what it lacks. */
const bare: ReadonlySet<SignKind> = new Set<SignKind>(['Panic', 'UncaughtException']);

/** How telling a line of this level is. A line without one is what a program says as it dies, or its only way to log. */
const weights: Readonly<Record<Level | 'none', number>> = {
  fatal: 5,
  error: 4,
  none: 4,
  warning: 2,
  info: 1,
  debug: 0,
};
/** A bare panic says less than an error that names what is missing, and more than a warning. */
const bareDiscount = 1.5;
/** That a call failed says less than anything that tells why: less than a warning does. */
const complaintDiscount = 2.5;
/** That something did not come in time, without who did not bring it, says less than any error that tells why. */
const vagueDiscount = 1.5;
const isVague = ({ kind, target }: Sign): boolean =>
  kind === 'CacheNotSynced' || (kind === 'ConnectionTimedOut' && target === undefined);
/** Said while ending, by runtimes that know no levels. */
const dying =
  /^(?:panic: |fatal error: |Exception in thread "|Unhandled exception|Uncaught |PHP Fatal error: |Fatal error: )/;

/** Lines that belong together, each with its place among all. */
type Trace = readonly (readonly [at: number, entry: Entry])[];

/** A sign, where its sentence stands in the log, and how much it is believed. */
interface Ranked {
  readonly sign: Sign;
  readonly at: number;
  readonly weight: number;
}

/**
 * What the lines of a log say about why their program fails, most telling first, at most five. What ended the program beats
 * earlier warnings, the cause at the bottom of a trace its wrappers, and what is missing a bare panic about it. Takes time in
 * proportion to the lines, whatever is in them.
 */
export function readSigns(lines: readonly string[]): readonly Sign[] {
  const entries = entriesOf(lines);
  const overcome = overcomeIn(lines.slice(-maxLines));
  const traces = [...Map.groupBy(entries.entries(), ([, entry]) => entry.block).values()];
  const last = endOf(traces, overcome);
  const told = withNeighbours(traces.flatMap(signsOfTrace), entries).flatMap((each) =>
    heldAgainst(each, entries, overcome, last),
  );
  const ranked = told.sort((a, b) => b.weight - a.weight || b.at - a.at);
  const seen = new Set<string>();
  const signs: Sign[] = [];
  for (const { sign } of ranked) {
    const key = `${sign.kind} ${sign.target?.host ?? ''} ${sign.target?.port ?? ''} ${sign.name ?? ''}`;
    if (seen.has(key)) continue;
    seen.add(key);
    signs.push(sign);
    if (signs.length === maxSigns) break;
  }
  return signs;
}

/** Blocks at the end of a log that a program may have ended with: what it says of its end it often says twice. */
const closingBlocks = 3;

/** Where what a program may have ended with begins, as the number of an entry: its last errors, if it has not started after them. */
function endOf(traces: readonly Trace[], { startedAt }: Overcome): number {
  const errors = traces.filter(([first]) => {
    const { level, line = 0 } = first?.[1] ?? {};
    return level !== 'info' && level !== 'warning' && line > startedAt;
  });
  return errors.at(-closingBlocks)?.[0]?.[0] ?? errors[0]?.[0]?.[0] ?? Number.POSITIVE_INFINITY;
}

/** What lasts though a program only warns of it: whom it asks again and again, and what its machine does not give. The rest it passes over. */
const lasting: ReadonlySet<SignKind> = new Set<SignKind>([
  ...reaching,
  ...(['CallFailed', 'LockHeld', 'CacheNotSynced', 'AccessForbidden'] as const),
  ...(['NoSpaceLeft', 'FileSystemFailing', 'TooManyOpenFiles', 'TooManyProcesses', 'RuntimeOutOfMemory'] as const),
]);

/**
 * A sign, unless the log itself shows that its program got over it: it only warns and is no last word, it has started since, or whom it
 * could not reach was reached after all. With whether it stands among the last errors.
 */
function heldAgainst(told: Ranked, entries: readonly Entry[], overcome: Overcome, end: number): readonly Ranked[] {
  const { level, line = 0 } = entries[told.at] ?? {};
  const { kind, target } = told.sign;
  if (target !== undefined && (overcome.reachedAt.get(target.host) ?? -1) > line) return [];
  const isWarning = level === 'warning';
  if (isWarning && ((!lasting.has(kind) && !isTraced(told.at, entries)) || overcome.startedAt > line)) return [];
  const isLast = !isWarning && level !== 'info' && told.at >= end;
  return [isLast ? { ...told, sign: { ...told.sign, closing: true } } : told];
}

/** Whether a sentence is of several that belong together: what a program warns of with a whole trace it does not just pass over. */
const isTraced = (at: number, entries: readonly Entry[]): boolean =>
  [at - 1, at + 1].some((beside) => entries[beside]?.block === entries[at]?.block);

/** What a line says that only tells whom, and leaves why to the line beside it. */
const wrapping: ReadonlySet<SignKind> = new Set<SignKind>([...bare, 'HostUnreachable', 'CallFailed']);
/** A line that tells of a failure: what stands beside one by chance does not. */
const failing =
  /\b(?:fail(?:ed|ure|ing)?|error connecting|could not|couldn't|can(?:no|')t|unable|unreachable|giving up)\b/i;

/** A line that only tells what was being done, or what was answered. */
const calling =
  /\bHTTP Request: [A-Z]{3,7} https?:|^\s{0,20}(?:while|when|during|calling|connecting|requesting|fetching|request to|call to|upstream|target|url|host|endpoint)\b/i;

/** Why and whom are often said on two lines: a reason without an address has the one of the line behind it, or before it. */
function withNeighbours(ranked: readonly Ranked[], entries: readonly Entry[]): Ranked[] {
  const byPlace = new Map(ranked.map((each) => [each.at, each]));
  const wrappers = new Set<number>();
  const placed = ranked.map((each): Ranked => {
    if (each.sign.target || !reaching.has(each.sign.kind) || wrapping.has(each.sign.kind)) return each;
    for (const beside of [each.at + 1, each.at - 1]) {
      const { text = '' } = entries[beside] ?? {};
      const other = byPlace.get(beside)?.sign;
      const says = other === undefined || wrapping.has(other.kind) || other.kind === each.sign.kind;
      const wraps = says && (other !== undefined || failing.test(text) || calling.test(text));
      const target = wraps ? (other?.target ?? addressIn(text)) : undefined;
      if (target === undefined) continue;
      wrappers.add(beside);
      return { ...each, sign: { ...each.sign, target } };
    }
    return each;
  });
  return placed.filter(({ at }) => !wrappers.has(at));
}

/**
 * The signs of lines that belong together. They are as loud as the loudest of them. A cause at the bottom often leaves out whom
 * a line above it names; a bare panic or exception only wraps what another line says better, and of several the last is the cause.
 */
function signsOfTrace(whole: Trace): readonly Ranked[] {
  const subjects = whole.map(([, { text }]) => subjectOf(text));
  const trace = whole.filter((_, at) => subjects[at] !== 'nobody');
  if (subjects.includes('visitor')) return [];
  const told = trace.flatMap(([at, { text, level }]) => {
    const sign = signOf(text);
    return sign !== undefined && sign !== 'none'
      ? [{ sign, at, weight: weights[dying.test(text) ? 'fatal' : (level ?? 'none')] }]
      : [];
  });
  const specific = told.filter(({ sign }) => !bare.has(sign.kind));
  if (told.length === 0) {
    const complaint = complaintIn(trace.filter(([, { text }]) => signOf(text) === undefined));
    const { level = 'none' } = trace[0]?.[1] ?? {};
    return complaint ? [{ ...complaint, weight: weights[level] - complaintDiscount }] : [];
  }
  const weight = told.reduce((loudest, each) => Math.max(loudest, each.weight), 0);
  if (specific.length === 0) {
    const [bareSign] = told.slice(-1);
    if (bareSign === undefined) return [];
    const callee = calleeOf(trace);
    const call = callee && { kind: 'CallFailed' as const, target: callee, line: bareSign.sign.line };
    return [{ ...bareSign, ...(call && { sign: call }), weight: weight - bareDiscount }];
  }
  const whom = specific.find(({ sign }) => sign.target)?.sign.target ?? firstAddress(trace);
  return specific.map(({ sign, at }) => {
    const target = sign.target ? namedIn(sign.target, trace) : reaching.has(sign.kind) && whom;
    const whole = target ? { ...sign, target } : sign;
    return { sign: whole, at, weight: isVague(whole) ? weight - vagueDiscount : weight };
  });
}

/** Numbers that one line of a trace gives are often told with their name by another, and a host with its port. */
function namedIn(found: SignTarget, trace: Trace): SignTarget {
  for (const [, { text }] of trace.slice(0, maxAddressLines)) {
    const named = nameBeside(found, text);
    if (named.host !== found.host) return named;
    const port = found.port === undefined ? portIn(text) : undefined;
    if (port !== undefined) return { ...found, port };
  }
  return found;
}

/** Whom the first lines of a trace name, if it has several: the reason and the address are often not on one line. */
function firstAddress(trace: Trace): SignTarget | undefined {
  if (trace.length === 1) return undefined;
  for (const [, { text }] of trace.slice(0, maxAddressLines)) {
    const found = addressIn(text);
    if (found) return found;
  }
  return undefined;
}
