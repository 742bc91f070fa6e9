import type { Command } from '../../../model/command.ts';
import type { Explanation } from '../../../model/explanation.ts';
import type { TellingSign } from '../../../model/heard-sign.ts';
import type { Reason } from '../../../model/reason.ts';
import { kindOf, nameOf } from '../../../model/ref.ts';
import type { SignKind } from '../../../model/sign.ts';
import { isWorkload } from '../../parts/words.ts';
import { signPhrases } from './sign-words.ts';

/** They say how it ended, not what it lacks. */
const bare: ReadonlySet<SignKind> = new Set<SignKind>(['Panic', 'UncaughtException']);

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

/**
 * The same as a fact, if the program ended with it; else as what its log says: a program that goes on, or said something else at its end, may
 * have got over it.
 */
export function signStated(sign: TellingSign): string {
  const isFact = sign.closing === true && sign.source !== 'log';
  return isFact ? signInWords(sign) : `its log says that ${signInWords(sign)}`;
}

/** The same in as few words as a title has room for. */
export function signShort(sign: TellingSign): string {
  return signStated(sign).replace(/^its log says that /, 'its log says ');
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
