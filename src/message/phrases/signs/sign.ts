import type { Command } from '../../../model/command.ts';
import type { Explanation } from '../../../model/explanation.ts';
import type { TellingSign } from '../../../model/heard-sign.ts';
import type { Reason } from '../../../model/reason.ts';
import { kindOf, nameOf } from '../../../model/ref.ts';
import type { SignKind } from '../../../model/sign.ts';
import { bareSigns } from '../../../model/sign-groups.ts';
import { isWorkload } from '../../parts/words.ts';
import { truncate } from '../../render/kit/truncate.ts';
import { signPhrases } from './sign-words.ts';

const bare: ReadonlySet<SignKind> = new Set<SignKind>(bareSigns);
/** So much of what a program ends with stands in a title, since whom it hits says more; UTF-16 units. */
const mostOfEnd = 28;

/** So much of it, in whole words where there are several. */
const cut = (text: string): string => truncate(text, mostOfEnd, 'utf16').replace(/ \S*…$/, '…');

/** Reasons that a program gives rise to by itself, so that what it says of its failure is why. */
const ofPrograms: ReadonlySet<Reason> = new Set<Reason>([
  'CrashLoopBackOff',
  'ContainerError',
  'InitContainerError',
  'InitContainerWaiting',
  'StartupProbeFailed',
  'LivenessProbeFailed',
  'ReadinessProbeFailed',
  'ReadinessFlapping',
  'PodNotReady',
  'PodFailed',
  'JobFailed',
  'JobRetrying',
  'DeadlineExceeded',
  'CronJobFailing',
  'WorkloadNeverReady',
  'DeploymentUnavailable',
  'StatefulSetUnavailable',
  'DaemonSetUnavailable',
  'ProgressDeadlineExceeded',
  'StatefulSetRolloutStuck',
  'DaemonSetRolloutStuck',
]);

/** `db.shop:5432`, `[::1]:5432`. */
function inWords({ target }: TellingSign): string | undefined {
  if (!target) return undefined;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return target.port === undefined ? host : `${host}:${target.port}`;
}

/** The sign of an explanation, where it is the root's own program that gave it. Others say what they suffer from. */
export function ownSign({ root, reason, parts, sign }: Explanation): TellingSign | undefined {
  if (!sign || !ofPrograms.has(reason) || !isWorkload(root.ref) || sign.to === root.ref) return undefined;
  if (kindOf(root.ref) === 'Pod') return sign.pod === root.ref ? sign : undefined;
  const own = parts?.find((part) => part.root.ref === root.ref)?.members;
  if (!parts || parts.length === 0) return sign;
  return own?.some(({ subject }) => subject.ref === sign.pod) ? sign : undefined;
}

/** `it cannot connect to db.shop:5432 (connection refused)`: what the program lacks, after a colon. */
function signInWords(sign: TellingSign): string {
  const { says } = signPhrases[sign.kind];
  // A name is looked up without its port.
  const whom = sign.kind === 'NameNotResolved' ? sign.target?.host : inWords(sign);
  return says(whom, sign.name);
}

/** Whether the program itself ended with it, outside of its log. */
const isFact = ({ closing, source }: TellingSign): boolean => closing === true && source !== 'log';

/**
 * The same as a fact, if the program ended with it; else as what its log says: a program that goes on, or said something else at its end, may
 * have got over it.
 */
export function signStated(sign: TellingSign): string {
  return isFact(sign) ? signInWords(sign) : `its log says that ${signInWords(sign)}`;
}

/** The same in as few words as a title has room for. */
export function signShort(sign: TellingSign): string {
  return signStated(sign).replace(/^its log says that /, 'its log says ');
}

/** What a program ended with, without where in its source and in which package: `invalid memory address…`, `ValidationError`. */
function endOf({ kind, name, line }: TellingSign): string | undefined {
  if (name === undefined) return undefined;
  if (kind === 'UncaughtException') return `uncaught ${cut(name.replace(/^.*[.:\\]/, ''))}`;
  // A signal is said by the exit code.
  const [, began] = /\b(panic|fatal error)/i.exec(line) ?? [];
  const said = name.replace(/^(?:runtime error: |\S{1,80}:\d{1,6}:\d{1,6}:\s*)/, '');
  return began && `${began.toLowerCase()}: ${cut(said)}`;
}

/** How a program ended, where that is all it says: `its log says panic: assignment to entry in nil map`. */
export function endShort(sign: TellingSign): string | undefined {
  const end = saysWhy(sign) ? undefined : endOf(sign);
  return end === undefined || isFact(sign) ? end : `its log says ${end}`;
}

/** Whether a sign says what is missing, so that more need not be known. */
export function saysWhy({ kind }: TellingSign): boolean {
  return !bare.has(kind);
}

/** A read-only line for what a program says. */
export function nextOfSign(sign: TellingSign): Command | undefined {
  return signPhrases[sign.kind].next?.(sign);
}

/** `The log of api-7d9c-1 says: dial tcp …`, for the evidence. */
export function signQuoted({ pod, source, line }: TellingSign): string {
  const where = source === 'termination' ? 'termination message' : 'log';
  return `The ${where} of ${nameOf(pod)} says: ${line}`;
}

/** What is said of a root only because the programs of others say so. */
const turnedAway: ReadonlySet<Reason> = new Set<Reason>([
  ...(['ServiceRefusing', 'ExternalEndpointRefusing', 'SecretRejected', 'ClusterDNSFailing'] as const),
]);

/** Whose trouble the programs of others tell of: `Pod shop/api-1 says: it cannot connect to db:5432`. */
export function suffering({ root, reason, sign }: Explanation): TellingSign | undefined {
  return sign && (sign.to === root.ref || turnedAway.has(reason)) ? sign : undefined;
}
