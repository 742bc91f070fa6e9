import type { SignKind, SignTarget } from '../model/sign.ts';
import type { Entry } from './entry.ts';
import type { Overcome } from './overcome.ts';
import { reaching } from './sentence.ts';
import { bare, keyOf, type Ranked } from './told.ts';

/** What the whole of a log says about each of its sentences. */
export interface Log {
  readonly entries: readonly Entry[];
  readonly overcome: Overcome;
  /** Where what the program may have ended with begins, as the number of an entry. */
  readonly end: number;
  /** The number of the last line that is called an error. -1: none. */
  readonly lastError: number;
  /** What is said more than once. */
  readonly again: ReadonlySet<string>;
}

/** Whether it is said as an error, or without saying how bad it is. */
export const isError = ({ level }: Entry): boolean => level !== 'info' && level !== 'warning';

/** The number of the last line that is called an error. -1: none. */
export const lastErrorOf = (entries: readonly Entry[]): number =>
  entries.findLast(({ level }) => level === 'error' || level === 'fatal')?.line ?? -1;

/** The keys of signs that several sentences give. */
export function repeatedIn(told: readonly Ranked[]): ReadonlySet<string> {
  const counts = Map.groupBy(told, ({ sign }) => keyOf(sign));
  return new Set([...counts].filter(([, each]) => each.length > 1).map(([key]) => key));
}

/** What lasts though a program only warns of it: whom it asks again and again, and what its machine does not give. The rest it passes over. */
const lasting: ReadonlySet<SignKind> = new Set<SignKind>([
  ...reaching,
  ...(['CallFailed', 'LockHeld', 'CacheNotSynced', 'AccessForbidden'] as const),
  ...(['NoSpaceLeft', 'FileSystemFailing', 'TooManyOpenFiles', 'TooManyProcesses', 'RuntimeOutOfMemory'] as const),
]);

/** A sign, unless the log itself shows that its program got over it. With whether it stands among the last errors. */
export function heldAgainst(told: Ranked, log: Log): readonly Ranked[] {
  const entry = log.entries[told.at];
  if (entry === undefined || isOver(told, entry, log)) return [];
  return [isError(entry) && told.at >= log.end ? { ...told, sign: { ...told.sign, closing: true } } : told];
}

/** What a server says of its visitors, too: by itself a warning of it tells of the program only where it says whom that asked. */
const turningAway: ReadonlySet<SignKind> = new Set<SignKind>(['CredentialsRejected', 'RateLimited', 'RequestRefused']);
/** It is said of who is waited for, whatever he is called once he is there. */
const waiting = /\bwaiting for\b/i;
/** From here on the kernel takes the ports of who calls: numbers with such a one are of a visitor, who hung up. */
const firstCallersPort = 32_768;
const isCaller = ({ host, port = 0 }: SignTarget): boolean => port >= firstCallersPort && /^[\d.]+$|:/.test(host);
/** The program itself wants something of somebody. */
const asking = /\bconnect|\blog(?:ging)?[- ]?in to\b|\bauthenticat(?:e|ing) (?:to|with|against)\b|\bregister/i;

/**
 * Whether a program got over what it says: whom it could not reach was reached after all, it was being stopped, or it only informs or
 * warns of it and goes on, without a word of it again.
 */
function isOver({ sign, at }: Ranked, { level, line }: Entry, { entries, overcome, lastError, again }: Log): boolean {
  const { kind, target } = sign;
  if (overcome.stoppedAt >= 0 && line > overcome.stoppedAt && level !== 'fatal') return true;
  if (target && (overcome.reachedAt.get(target.host) ?? -1) > line) return true;
  if (kind === 'ConnectionReset' && target && isCaller(target)) return true;
  if ((!target || waiting.test(sign.line)) && reaching.has(kind) && overcome.wellAt > Math.max(line, lastError))
    return true;
  if (level !== 'warning' && level !== 'info') return false;
  if (overcome.startedAt > line || (overcome.calmAt > line && lastError < line && !again.has(keyOf(sign)))) return true;
  const traced = isTraced(at, entries);
  if (turningAway.has(kind) && target === undefined && !traced && !asking.test(sign.line)) return true;
  return level === 'info' ? bare.has(kind) : !lasting.has(kind) && !traced;
}

/** Whether a sentence is of several that belong together: what a program warns of with a whole trace it does not just pass over. */
const isTraced = (at: number, entries: readonly Entry[]): boolean =>
  [at - 1, at + 1].some((beside) => entries[beside]?.block === entries[at]?.block);
