import type { Sign, SignKind, SignTarget } from '../model/sign.ts';
import { addressIn, target } from './address.ts';
import { type Entry, entriesOf } from './entry.ts';
import type { Level } from './level.ts';
import { signRows } from './table.ts';

/** Signs of one log that are kept. */
const maxSigns = 5;
/** Characters of the line that a sign keeps. */
const maxLine = 300;

/** Whom a sentence could not reach is in it or near it, whatever the order of its words. */
const reaching: ReadonlySet<SignKind> = new Set<SignKind>([
  'ConnectionRefused',
  'ConnectionTimedOut',
  'ConnectionReset',
  'HostUnreachable',
  'CertificateInvalid',
  'CredentialsRejected',
  'TooManyConnections',
]);
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
/** Said while ending, by runtimes that know no levels. */
const dying =
  /^(?:panic: |fatal error: |Exception in thread "|Unhandled exception|Uncaught |PHP Fatal error: |Fatal error: )/;

interface Found {
  readonly sign: Sign;
  readonly block: number;
  readonly at: number;
  readonly weight: number;
}

/**
 * What the lines of a log say about why their program fails, most telling first, at most five. What ended the program beats
 * earlier warnings, the cause at the bottom of a trace its wrappers, and what is missing a bare panic about it. Takes time in
 * proportion to the lines, whatever is in them.
 */
export function readSigns(lines: readonly string[]): readonly Sign[] {
  const found = entriesOf(lines).flatMap((entry, at) => signOf(entry, at));
  const ranked = asTraces(found).toSorted((a, b) => b.weight - a.weight || b.at - a.at);
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

/** The sign of one sentence: the first row of the table that reads it. */
function signOf(entry: Entry, at: number): readonly Found[] {
  const { text } = entry;
  const lower = text.toLowerCase();
  for (const row of signRows) {
    if (!row.needs.some((part) => lower.includes(part))) continue;
    const match = row.pattern.exec(text);
    if (!match) continue;
    if (row.kind === 'none') return [];
    const groups = match.groups ?? {};
    const whom = groups.at === undefined ? target(groups.host, groups.port) : addressIn(groups.at);
    const named = whom ?? (reaching.has(row.kind) ? addressIn(text) : undefined);
    const level = dying.test(text) ? 'fatal' : (entry.level ?? 'none');
    const sign = {
      kind: row.kind,
      ...(named && { target: named }),
      ...(groups.name && { name: groups.name }),
      line: excerpt(text, match.index + match[0].length),
    };
    return [{ sign, block: entry.block, at, weight: weights[level] - (bare.has(row.kind) ? bareDiscount : 0) }];
  }
  return [];
}

/** The line up to `end`, where what was read ends, in at most 300 characters; what follows as far as there is room. */
function excerpt(text: string, end: number): string {
  if (text.length <= maxLine) return text;
  if (end < maxLine) return `${text.slice(0, maxLine - 1).toWellFormed()}…`;
  const start = end - maxLine + 2;
  return `…${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`;
}

/** One trace says one thing: a cause at its bottom often leaves out whom the wrapper names, and is as loud as its first line. */
function asTraces(found: readonly Found[]): readonly Found[] {
  const targets = new Map<string, SignTarget>();
  const loudest = new Map<number, number>();
  for (const { sign, block, weight } of found) {
    if (sign.target) targets.set(`${block} ${sign.kind}`, sign.target);
    if (!bare.has(sign.kind)) loudest.set(block, Math.max(weight, loudest.get(block) ?? 0));
  }
  return found.flatMap((each) => {
    const { sign, block } = each;
    const loud = loudest.get(block);
    // A bare panic or exception only wraps what another line of its trace says better.
    if (bare.has(sign.kind)) return loud === undefined ? [each] : [];
    const whom = sign.target ?? targets.get(`${block} ${sign.kind}`);
    return [{ ...each, weight: loud ?? each.weight, sign: whom ? { ...sign, target: whom } : sign }];
  });
}
