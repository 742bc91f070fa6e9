import type { Sign, SignTarget } from '../model/sign.ts';
import { addressIn, nameBeside, portIn } from './address.ts';
import { calleeOf, complaintIn } from './complaint.ts';
import { entriesOf, maxLines } from './entry.ts';
import type { Level } from './level.ts';
import { withNames, withNeighbours } from './neighbours.ts';
import { heldAgainst, isError, type Log, lastErrorOf, repeatedIn } from './over.ts';
import { type Overcome, overcomeIn } from './overcome.ts';
import { pathed, reaching, signOf } from './sentence.ts';
import { subjectOf } from './subject.ts';
import { bare, keyOf, type Ranked, type Trace } from './told.ts';

/** Lines of a trace in which an address is looked for. */
const maxAddressLines = 40;
/** Signs of one log that are kept. */
const maxSigns = 5;

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
/** That something did not come in time, without who did not bring it, or that settings are wrong, without which, says less than any error that tells why. */
const vagueDiscount = 1.5;
/** It says less than a warning, too, where one tells whom the program did not reach. */
const besideNamed = 1.9;
const isVague = ({ kind, target, name }: Sign): boolean =>
  kind === 'CacheNotSynced' ||
  (kind === 'SettingsUnusable' && name === undefined) ||
  (kind === 'ConnectionTimedOut' && target === undefined);
/** Said while ending, by runtimes that know no levels. */
const dying =
  /^(?:panic: |fatal error: |Exception in thread "|Unhandled exception|Uncaught |PHP Fatal error: |Fatal error: )/;

/**
 * What the lines of a log say about why their program fails, most telling first, at most five. What ended the program beats
 * earlier warnings, the cause at the bottom of a trace its wrappers, and what is missing a bare panic about it. Takes time in
 * proportion to the lines, whatever is in them.
 */
export function readSigns(lines: readonly string[]): readonly Sign[] {
  const entries = entriesOf(lines);
  const overcome = overcomeIn(lines.slice(-maxLines));
  const traces = [...Map.groupBy(entries.entries(), ([, entry]) => entry.block).values()];
  const placed = withNames(withNeighbours(traces.flatMap(signsOfTrace), entries));
  const log: Log = {
    entries,
    overcome,
    end: endOf(traces, overcome),
    lastError: lastErrorOf(entries),
    again: repeatedIn(placed),
  };
  const held = placed.flatMap((each) => heldAgainst(each, log));
  const names = held.some(({ sign }) => sign.target !== undefined && reaching.has(sign.kind));
  const paths = new Set(held.flatMap(({ sign }) => (pathed.has(sign.kind) ? [sign.name] : [])));
  const told = held
    .filter(({ sign }) => !isSaidBetter(sign, paths))
    .map((each) => (names && isVague(each.sign) ? { ...each, weight: Math.min(each.weight, besideNamed) } : each));
  const ranked = told.sort((a, b) => b.weight - a.weight || b.at - a.at);
  const seen = new Set<string>();
  const signs: Sign[] = [];
  for (const { sign } of ranked) {
    const key = keyOf(sign);
    if (seen.has(key)) continue;
    seen.add(key);
    signs.push(sign);
    if (signs.length === maxSigns) break;
  }
  return signs;
}

/** That settings cannot be used says less than why their file cannot. */
const isSaidBetter = ({ kind, name }: Sign, paths: ReadonlySet<string | undefined>): boolean =>
  kind === 'SettingsUnusable' && name !== undefined && paths.has(name);

/** Blocks at the end of a log that a program may have ended with: what it says of its end it often says twice. */
const closingBlocks = 3;

/** Where what a program may have ended with begins, as the number of an entry: its last errors, if it has not started after them. */
function endOf(traces: readonly Trace[], { startedAt }: Overcome): number {
  const errors = traces.filter(([first]) => first !== undefined && isError(first[1]) && first[1].line > startedAt);
  return errors.at(-closingBlocks)?.[0]?.[0] ?? errors[0]?.[0]?.[0] ?? Number.POSITIVE_INFINITY;
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
    if (bareSign === undefined || subjects.includes('request')) return [];
    const callee = calleeOf(trace);
    const call = callee && { kind: 'CallFailed' as const, target: callee, line: bareSign.sign.line };
    return [{ ...bareSign, ...(call && { sign: call }), weight: weight - bareDiscount }];
  }
  const whom = specific.find(({ sign }) => sign.target)?.sign.target ?? firstAddress(trace);
  return specific.map(({ sign, at }) => {
    const said = sign.target ?? (reaching.has(sign.kind) ? whom : undefined);
    const target = said && namedIn(said, trace);
    const whole = target ? { ...sign, target } : sign;
    const numbers = said !== undefined && said.host !== target?.host ? said : undefined;
    return { sign: whole, at, ...(numbers && { numbers }), weight: isVague(whole) ? weight - vagueDiscount : weight };
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
