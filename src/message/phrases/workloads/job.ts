import { type Command, kubectl } from '../../../model/command.ts';
import { humanDuration } from '../../../model/duration.ts';
import type { Finding } from '../../../model/finding.ts';
import { isRef, kindOf, nameOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeRoot, logs, type Next } from '../../parts/next.ts';
import { after, fact, type Phrase, quote, said } from '../../parts/phrase.ts';
import { clockTime } from '../../parts/times.ts';
import { exit } from './container.ts';

/** Reasons of a Job's condition Failed, in words (batch/v1 `JobReason…`). */
const jobFailures: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    BackoffLimitExceeded: 'its pods failed more often than its back-off limit allows',
    DeadlineExceeded: 'it did not finish within its deadline',
    PodFailurePolicy: 'a pod failed in a way that its pod failure policy does not tolerate',
    FailedIndexes: 'some of its indexes failed',
    MaxFailedIndexesExceeded: 'too many of its indexes failed',
  }),
);

function whyItFailed(finding: Finding): string {
  const { lostOn } = finding.facts;
  if (lostOn !== undefined) return `its pod was lost with node ${lostOn}`;
  return jobFailures.get(finding.facts.conditionReason) ?? after('', finding, 'it does not say why');
}

const jobGaveUp = (finding: Finding): string => `The Job gave up: ${whyItFailed(finding)}.`;

/** `Its last run failed: …`, `Its last 3 runs failed, the last one because …`. */
function runsFailed(finding: Finding): string {
  const { runs } = finding.facts;
  if (typeof runs !== 'number' || runs === 1) return `Its last run failed: ${whyItFailed(finding)}.`;
  return `Its last ${runs} runs failed, the last of them because ${whyItFailed(finding)}.`;
}

/** When a run last succeeded, beside when the failing began. */
function lastSuccess({ facts, since }: Finding): string {
  const at = facts.lastSuccessAt;
  return typeof at === 'number'
    ? ` The last one that succeeded ended at ${clockTime(at, since)}.`
    : ' None has succeeded yet.';
}

/** `02:00 UTC`, from a fact in epoch milliseconds, beside when the finding began. */
function timeOf({ facts, since }: Finding, key: string): string | undefined {
  const at = facts[key];
  return typeof at === 'number' ? clockTime(at, since) : undefined;
}

function missed(finding: Finding): string {
  return `The run that was due at ${timeOf(finding, 'dueAt') ?? 'its last time'} has not begun.`;
}

function invalid({ facts: { what, why, schedule, timeZone } }: Finding): string {
  const [name, value] = what === 'timeZone' ? ['time zone', timeZone] : ['schedule', schedule];
  const wrong = value === undefined ? name : `${name} "${value}"`;
  return `Its ${wrong} cannot be used: ${String(why ?? 'its controller cannot read it').replace(/\.$/, '')}.`;
}

function jobName({ facts: { job } }: Finding): string {
  return typeof job === 'string' && isRef(job) ? `Job ${nameOf(job)}` : 'the Job before';
}

function blocked(finding: Finding): string {
  const since = timeOf(finding, 'runningSince');
  return `Runs are left out because ${jobName(finding)} has not ended${since === undefined ? '' : ` since ${since}`}.`;
}

function takesLong({ facts }: Finding): string {
  const usual = facts.usualSeconds;
  return typeof usual === 'number'
    ? `It is still at work; other runs took about ${humanDuration(usual * 1000)}.`
    : 'It is still at work.';
}

function keepsFailing({ facts: { failed, backoffLimit } }: Finding): string {
  if (typeof failed !== 'number' || typeof backoffLimit !== 'number') return 'Its attempts fail, and it tries again.';
  return `It has failed ${failed} times and tries again; it gives up after ${backoffLimit} failures.`;
}

/** The Job that a CronJob waits for or that failed, as kubectl describes it. */
function describeJob(about: Case): Command | undefined {
  const job = fact(about, 'job');
  return job !== undefined && isRef(job) && kindOf(job) === 'Job' ? kubectl('describe', job) : describeRoot(about);
}

/** Why its controller gave up, where that is more than that its Pods failed. */
function givenUp({ finding, facts: { conditionReason, lostOn, exitCode } }: Case): string | undefined {
  if (finding === undefined) return undefined;
  if (lostOn === undefined && exitCode !== undefined && conditionReason !== 'DeadlineExceeded') return undefined;
  return lostOn === undefined && conditionReason === undefined ? said({ finding }) : whyItFailed(finding);
}

/** What somebody wrote. */
const itsSpec: Next = ({ root }) => kubectl('get', root, '-o', 'yaml');

/** Jobs and CronJobs. */
export const jobPhrases = {
  JobFailed: {
    says: jobGaveUp,
    happens: () => 'failed',
    why: givenUp,
    ended: exit,
    once: true,
    evidence: ({ finding }) => finding && jobGaveUp(finding),
    well: 'failed a day ago and is no longer reported',
    next: logs,
    facts: ['container', 'exitCode', 'failed', 'node'],
  },
  JobRetrying: {
    says: keepsFailing,
    happens: () => 'keeps failing',
    ended: exit,
    evidence: ({ finding }) => finding && keepsFailing(finding),
    well: 'does not fail any more',
    next: logs,
    facts: ['container', 'exitCode', 'failed', 'node'],
  },
  JobRunningLong: {
    says: takesLong,
    happens: () => 'takes longer than expected',
    evidence: ({ finding }) => finding && takesLong(finding),
    well: 'has ended',
    next: (about) => (about.sample ? logs(about) : describeRoot(about)),
    facts: ['active'],
  },
  JobSuspended: {
    says: () => 'It is suspended.',
    happens: () => 'is suspended',
    well: 'is not suspended any more',
  },
  CronJobFailing: {
    says: (finding) => `${runsFailed(finding)}${lastSuccess(finding)}`,
    happens: ({ facts: { runs } }) => (typeof runs === 'number' && runs > 1 ? 'keeps failing' : 'fails'),
    why: givenUp,
    ended: exit,
    evidence: ({ finding }) => finding && `${runsFailed(finding)}${lastSuccess(finding)}`,
    well: 'has had a run that succeeded',
    next: (about) => (about.sample ? logs(about) : describeJob(about)),
    facts: ['runs', 'container', 'exitCode', 'failed', 'node'],
  },
  CronJobMissedSchedule: {
    says: missed,
    happens: () => 'misses its runs',
    why: said,
    evidence: ({ finding }) => finding && (quote('Its controller', finding.detail) ?? missed(finding)),
    well: 'runs again',
    facts: ['schedule'],
  },
  CronJobInvalidSchedule: {
    says: invalid,
    happens: () => 'cannot run',
    why: ({ facts: { what, schedule, timeZone } }) => {
      const [name, value] = what === 'timeZone' ? ['time zone', timeZone] : ['schedule', schedule];
      return `its ${name}${value === undefined ? '' : ` "${value}"`} is not valid`;
    },
    evidence: ({ finding }) => finding && invalid(finding),
    well: 'has a schedule that can be used',
    next: itsSpec,
    facts: ['schedule'],
  },
  CronJobBlocked: {
    says: blocked,
    happens: () => 'skips its runs',
    why: ({ finding }) => (finding?.facts.job === undefined ? undefined : `${jobName(finding)} has not ended`),
    saysWhy: ({ facts }) => facts.job !== undefined,
    evidence: ({ finding }) => finding && blocked(finding),
    well: 'runs again',
    next: describeJob,
    facts: ['schedule'],
  },
  CronJobSuspended: {
    says: () => 'It is suspended: it starts nothing.',
    happens: () => 'is suspended',
    well: 'is not suspended any more',
    facts: ['schedule'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
