import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import {
  at,
  condition,
  cronJob,
  ended,
  job,
  managed,
  pod,
  stamp,
  status,
  type WorkloadParts,
  warning,
} from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const backup = 'CronJob/shop/backup';
const hour = 60;
const owner = { kind: 'CronJob', name: 'backup', apiVersion: 'batch/v1' };

/** A run of `backup` that is due at an instant, as the Job it became. */
const run = (name: string, due: number, parts: WorkloadParts = {}): RawObject =>
  job(name, { owner, createdAt: due, ...parts, status: { startTime: stamp(due), ...parts.status } });

const failure = (since: number, type = 'Failed', reason = 'BackoffLimitExceeded') =>
  condition(type, 'True', since, reason, 'Job has reached the specified backoff limit');

/** `backup` when a run that was due at an instant has begun. */
const begun = (due: number, parts: WorkloadParts = {}): RawObject =>
  cronJob('backup', { ...parts, status: { lastScheduleTime: stamp(due), ...parts.status } });

/** A run begins when it is due and has failed a minute later. */
function fails(k8s: ReturnType<typeof story>, name: string, due: number, parts: WorkloadParts = {}): void {
  k8s.put(due, begun(due, { ...parts, status: { ...parts.status, active: [{ name }] } }), run(name, due));
  const conditions = [failure(due + 60_000)];
  k8s.put(due + 60_000, run(name, due, { conditions, status: { failed: 7 } }), begun(due, parts));
}

test('W14 fires and clears: a Job that gave up, with what its Pod died of, until a day has passed', () => {
  const { put, found, finding, wait, says } = story();
  const statuses = [status('api', { ready: false, state: ended(at(0), at(1), 3) })];
  put(at(1), pod('import-x', { owner: { kind: 'Job', name: 'import' }, phase: 'Failed', statuses }));
  put(at(1), job('import', { conditions: [failure(at(1))], status: { failed: 7 } }));
  assert.deepEqual(found(), ['Job/shop/import JobFailed']);
  const { facts, severity } = finding('Job/shop/import', 'JobFailed');
  assert.deepEqual([facts.exitCode, facts.failed, severity], [3, 7, 'medium']);
  assert.equal(
    says('Job/shop/import', 'JobFailed'),
    'The Job gave up: its pods failed more often than its back-off limit allows.',
  );
  wait(at(1 + 24 * hour));
  assert.deepEqual(found(), []);
});

test('W14 fires: as soon as a Job is bound to fail, while its Pods can still be asked', () => {
  const { put, found, finding } = story();
  put(at(1), job('import', { conditions: [failure(at(1), 'FailureTarget', 'PodFailurePolicy')] }));
  assert.deepEqual(found(), ['Job/shop/import JobFailed']);
  put(at(2), job('import', { conditions: [failure(at(1), 'FailureTarget'), failure(at(2))] }));
  assert.equal(finding('Job/shop/import', 'JobFailed').since, at(1));
});

test('W14 is quiet: a Job that tries again, one that has enough successes, one run of a CronJob', () => {
  const { put, found } = story();
  put(at(1), job('retries', { status: { active: 1, failed: 3 } }));
  put(at(1), job('enough', { conditions: [condition('SuccessCriteriaMet', 'True', at(1))], status: { failed: 3 } }));
  put(at(1), run('orphaned', at(0), { conditions: [failure(at(1))] }));
  assert.deepEqual(found(), []);
});

/** A Job that may fail so often, and its Pod, whose container was started anew so often and runs or waits. */
function retrying(backoffLimit: number, restartCount: number, state: object): RawObject[] {
  const failed = ended(at(9), at(10), 7);
  return [
    job('upgrade', { spec: { backoffLimit }, status: { active: 1, startTime: stamp(at(0)) } }),
    pod('upgrade-x', {
      owner: { kind: 'Job', name: 'upgrade' },
      spec: { restartPolicy: 'OnFailure' },
      statuses: [status('job', { ready: false, restartCount, state, lastState: failed })],
    }),
  ];
}

const backingOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } };

test('W25 fires and clears: a Job that may fail a thousand times and has failed six, until an attempt has run for 7 min', () => {
  const { put, found, says, wait } = story();
  put(at(5), ...retrying(1000, 5, backingOff));
  assert.deepEqual(found(), []);
  put(at(10), ...retrying(1000, 6, backingOff));
  assert.deepEqual(found(), ['Job/shop/upgrade JobRetrying']);
  assert.equal(
    says('Job/shop/upgrade', 'JobRetrying'),
    'It has failed 6 times and tries again; it gives up after 1000 failures.',
  );
  put(at(11), ...retrying(1000, 7, { running: { startedAt: stamp(at(11)) } }));
  wait(at(17));
  assert.deepEqual(found(), ['Job/shop/upgrade JobRetrying']);
  wait(at(18));
  assert.deepEqual(found(), []);
});

test('W25 is quiet: a Job that gives up as soon as others do', () => {
  const { put, found } = story();
  put(at(10), ...retrying(6, 6, backingOff));
  assert.deepEqual(found(), []);
});

test('W15 fires and clears: a Job that works for 12 h, until it has ended', () => {
  const { put, found, wait, says } = story();
  put(at(0), job('import', { status: { active: 1, startTime: stamp(at(0)) } }));
  wait(at(12 * hour) - 1000);
  assert.deepEqual(found(), []);
  wait(at(12 * hour));
  assert.deepEqual(found(), ['Job/shop/import JobRunningLong']);
  assert.equal(says('Job/shop/import', 'JobRunningLong'), 'It is still at work.');
  put(at(13 * hour), job('import', { conditions: [condition('Complete', 'True', at(13 * hour))] }));
  assert.deepEqual(found(), []);
});

test('W15 fires: a run that takes three times as long as those before it, an hour at least', () => {
  const { put, found, wait, says } = story();
  const took = (name: string, due: number, minutes: number): RawObject =>
    run(name, due, {
      conditions: [condition('Complete', 'True', due + minutes * 60_000)],
      status: { completionTime: stamp(due + minutes * 60_000) },
    });
  put(
    at(0),
    begun(at(0), { spec: { schedule: '0 0 1 1 *' } }),
    took('backup-1', at(-200), 30),
    took('backup-2', at(-100), 28),
  );
  put(at(0), run('backup-3', at(0), { status: { active: 1 } }));
  wait(at(89));
  assert.deepEqual(found(), []);
  wait(at(90));
  assert.deepEqual(found(), ['Job/shop/backup-3 JobRunningLong']);
  assert.equal(says('Job/shop/backup-3', 'JobRunningLong'), 'It is still at work; other runs took about 30 min.');
});

test('W15 is quiet: a Job with a longer deadline, and one that has failed', () => {
  const { put, found, wait } = story();
  const runs = { active: 1, startTime: stamp(at(0)) };
  put(at(0), job('train', { spec: { activeDeadlineSeconds: 48 * 3600 }, status: runs }));
  put(at(0), job('broken', { conditions: [failure(at(0), 'FailureTarget')], status: runs }));
  wait(at(25 * hour));
  assert.deepEqual(found(), []);
});

test('W16 fires, clears and is quiet: a Job suspended for a day, until it goes on; not one that Kueue and others start', () => {
  const { put, found, wait } = story();
  const suspended = { spec: { suspend: true }, conditions: [condition('Suspended', 'True', at(0))] };
  put(at(0), job('import', suspended));
  put(at(0), job('queued', { ...suspended, labels: { 'kueue.x-k8s.io/queue-name': 'team' } }));
  put(
    at(0),
    job('part', { ...suspended, owner: { kind: 'JobSet', name: 'all', apiVersion: 'jobset.x-k8s.io/v1alpha2' } }),
  );
  put(at(0), job('other', { ...suspended, spec: { suspend: true, managedBy: 'example.com/jobs' } }));
  wait(at(24 * hour));
  assert.deepEqual(found(), ['Job/shop/import JobSuspended']);
  put(at(25 * hour), job('import', { conditions: [condition('Suspended', 'False', at(25 * hour))] }));
  assert.deepEqual(found(), []);
});

test('W17 fires: the first run that fails is low, the third in a row high, counted though the cluster keeps one Job', () => {
  const k8s = story();
  k8s.put(at(-10), cronJob('backup'));
  fails(k8s, 'backup-1', at(0));
  assert.deepEqual(k8s.found(), [`${backup} CronJobFailing`]);
  assert.equal(k8s.finding(backup, 'CronJobFailing').severity, 'low');
  assert.equal(
    k8s.says(backup, 'CronJobFailing'),
    'Its last run failed: its pods failed more often than its back-off limit allows. The last one that succeeded ended at 11:00 UTC.',
  );
  fails(k8s, 'backup-2', at(hour));
  k8s.gone(at(hour, 61), run('backup-1', at(0)));
  assert.equal(k8s.finding(backup, 'CronJobFailing').severity, 'low');
  fails(k8s, 'backup-3', at(2 * hour));
  k8s.gone(at(2 * hour, 61), run('backup-2', at(hour)));
  const { severity, since, facts } = k8s.finding(backup, 'CronJobFailing');
  assert.deepEqual([severity, since, facts.runs], ['high', at(0), 3]);
  assert.match(k8s.says(backup, 'CronJobFailing'), /^Its last 3 runs failed, the last of them because /);
});

test('W17 clears: one run that succeeds', () => {
  const k8s = story();
  k8s.put(at(-10), cronJob('backup'));
  fails(k8s, 'backup-1', at(0));
  const done = stamp(at(hour, 30));
  k8s.put(at(hour), begun(at(hour), { status: { active: [{ name: 'backup-2' }] } }), run('backup-2', at(hour)));
  assert.deepEqual(k8s.found(), [`${backup} CronJobFailing`]);
  const conditions = [condition('Complete', 'True', at(hour, 30))];
  k8s.put(at(hour, 30), run('backup-2', at(hour), { conditions, status: { completionTime: done } }));
  k8s.put(at(hour, 31), begun(at(hour), { status: { lastSuccessfulTime: done } }));
  assert.deepEqual(k8s.found(), []);
});

test('W17 fires: a weekly run that fails once is worth a look', () => {
  const k8s = story();
  const weekly = { spec: { schedule: '0 12 * * 1' } };
  k8s.put(at(-10), cronJob('backup', weekly));
  fails(k8s, 'backup-1', at(0), weekly);
  assert.equal(k8s.finding(backup, 'CronJobFailing').severity, 'medium');
});

test('W17 fires: what has failed for nights before anybody watched is high at once', () => {
  const { load, finding } = story();
  const nightly = { spec: { schedule: '0 2 * * *' } };
  const last = at(-10 * hour);
  const status = { lastScheduleTime: stamp(last), lastSuccessfulTime: stamp(last - 5 * 24 * 3_600_000) };
  load(at(0), cronJob('backup', { ...nightly, status }), run('backup-9', last, { conditions: [failure(at(-590))] }));
  const { severity, facts } = finding(backup, 'CronJobFailing');
  assert.deepEqual([severity, facts.runs], ['high', 5]);
});

test('W17 is quiet: a Pod that failed while its Job tries again, and a CronJob that is suspended', () => {
  const k8s = story();
  k8s.put(at(0), begun(at(0)), run('backup-1', at(0), { status: { active: 1, failed: 2 } }));
  assert.deepEqual(k8s.found(), []);
  fails(k8s, 'backup-2', at(hour), { createdAt: at(-10), spec: { suspend: true } });
  assert.deepEqual(k8s.found(), []);
});

test('W17 stays while the Job that failed is gone or out of sight: that is no success', () => {
  const k8s = story();
  k8s.put(at(-10), cronJob('backup'));
  fails(k8s, 'backup-1', at(0));
  k8s.gone(at(5), run('backup-1', at(0)));
  assert.deepEqual(k8s.found(), [`${backup} CronJobFailing`]);
  k8s.see('Job', 'Denied', at(6));
  assert.deepEqual(k8s.found(), [`${backup} CronJobFailing`]);
});

test('W18 fires and clears: a run that is 5 min late, until it begins', () => {
  const { put, found, wait, says, finding } = story();
  put(at(-10), cronJob('backup'));
  wait(at(4, 59));
  assert.deepEqual(found(), []);
  wait(at(5));
  assert.deepEqual(found(), [`${backup} CronJobMissedSchedule`]);
  assert.equal(finding(backup, 'CronJobMissedSchedule').since, at(0));
  assert.equal(says(backup, 'CronJobMissedSchedule'), 'The run that was due at 12:00 UTC has not begun.');
  put(at(6), begun(at(0), { status: { lastSuccessfulTime: stamp(at(6)) } }));
  assert.deepEqual(found(), []);
});

test('W18 fires: with what the controller says of it', () => {
  const { put, finding, wait } = story();
  const refused = 'Error creating job: jobs.batch "backup-1" is forbidden: exceeded quota: jobs';
  put(at(-10), cronJob('backup'));
  put(at(1), warning('CronJob', 'backup', 'FailedCreate', refused, at(1)));
  wait(at(5));
  assert.equal(finding(backup, 'CronJobMissedSchedule').detail, refused);
});

test('W18 is quiet: suspended, edited since, waiting for the run before, within its deadline, in its own time zone', () => {
  const { put, found, wait } = story();
  const edited = [managed('kubectl', at(-1), { 'f:spec': { 'f:schedule': {} } })];
  put(at(-1), cronJob('suspended', { createdAt: at(-100), spec: { suspend: true } }));
  put(at(-1), cronJob('edited', { managedFields: edited, spec: { schedule: '0 3 * * *' } }));
  const active = [{ name: 'waits-1' }];
  const lastScheduleTime = stamp(at(-120));
  put(at(-1), cronJob('waits', { spec: { concurrencyPolicy: 'Forbid' }, status: { lastScheduleTime, active } }));
  put(at(-1), cronJob('patient', { spec: { startingDeadlineSeconds: 1200 } }));
  const zoned = { schedule: '0 17 * * *', timeZone: 'Asia/Kolkata' };
  put(at(-1), cronJob('zoned', { spec: zoned, status: { lastScheduleTime: stamp(at(-30)) } }));
  wait(at(19));
  assert.deepEqual(found(), []);
  wait(at(20));
  assert.deepEqual(found(), ['CronJob/shop/patient CronJobMissedSchedule']);
});

const neverRan = { lastScheduleTime: undefined, lastSuccessfulTime: undefined };

test('W19 fires and clears: a day that never comes, found within 10 s, until the schedule is mended', () => {
  const { put, found, finding, wait, says } = story();
  const fresh = { createdAt: at(0), status: neverRan };
  put(at(0), cronJob('backup', { ...fresh, spec: { schedule: '0 0 30 2 *' } }));
  wait(at(0, 10));
  assert.deepEqual(found(), [`${backup} CronJobInvalidSchedule`]);
  assert.equal(finding(backup, 'CronJobInvalidSchedule').conclusive, true);
  assert.equal(
    says(backup, 'CronJobInvalidSchedule'),
    'Its schedule "0 0 30 2 *" cannot be used: no such day will ever come.',
  );
  put(at(1), cronJob('backup', { ...fresh, spec: { schedule: '0 0 28 2 *' } }));
  assert.deepEqual(found(), []);
});

test('W19 fires: a time zone that nobody knows, by our own reading and by what the controller says', () => {
  const { put, found, wait, says } = story();
  put(at(0), cronJob('backup', { createdAt: at(0), status: neverRan, spec: { timeZone: 'Mars/Base' } }));
  put(at(0), cronJob('other', { createdAt: at(0), status: neverRan, spec: { timeZone: 'europe/berlin' } }));
  wait(at(0, 10));
  assert.deepEqual(found(), [`${backup} CronJobInvalidSchedule`]);
  const said = 'invalid timeZone: "europe/berlin": unknown time zone europe/berlin';
  put(at(0, 11), warning('CronJob', 'other', 'UnknownTimeZone', said, at(0, 11)));
  assert.deepEqual(found().length, 2);
  assert.equal(
    says(backup, 'CronJobInvalidSchedule'),
    'Its time zone "Mars/Base" cannot be used: no time zone is called "Mars/Base".',
  );
});

test('W19 is quiet: names, steps and nicknames, and a time zone that the controller knows better', () => {
  const { put, found, wait } = story();
  for (const [at_, schedule] of ['5/15 * ? jan-mar MON-FRI', '@daily', '@every 90m', '0 0 1 * 1'].entries())
    put(at(0), cronJob(`good-${at_}`, { createdAt: at(0), status: neverRan, spec: { schedule } }));
  put(at(0), begun(at(0), { createdAt: at(-60), spec: { timeZone: 'Antarctica/Newest' } }));
  wait(at(2));
  assert.deepEqual(found(), []);
});

test('W20 fires, clears and is quiet: two runs left out for a Job of 15 min, until it has ended; not runs side by side', () => {
  const { put, found, wait, says } = story();
  const spec = { concurrencyPolicy: 'Forbid', schedule: '*/5 * * * *' };
  const working = run('backup-1', at(0), { status: { active: 1 } });
  put(at(0), working, begun(at(0), { spec, status: { active: [{ name: 'backup-1' }] } }));
  put(at(0), cronJob('allows', { spec: { schedule: '0 0 1 1 *' }, status: { active: [{ name: 'backup-1' }] } }));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), [`${backup} CronJobBlocked`]);
  assert.equal(says(backup, 'CronJobBlocked'), 'Runs are left out because Job backup-1 has not ended since 12:00 UTC.');
  put(at(16), begun(at(15), { spec, status: { lastSuccessfulTime: stamp(at(16)) } }));
  assert.deepEqual(found(), []);
});

test('W21 fires, clears and is quiet: a CronJob suspended and left alone for 7 days, until it runs again; not one edited since', () => {
  const { put, found, wait, finding } = story();
  const week = 7 * 24 * hour;
  const edited = [managed('kubectl', at(0), { 'f:spec': { 'f:suspend': {} } })];
  put(at(0), cronJob('backup', { spec: { suspend: true }, managedFields: edited }));
  wait(at(week - 1));
  assert.deepEqual(found(), []);
  wait(at(week));
  assert.deepEqual(found(), [`${backup} CronJobSuspended`]);
  assert.equal(finding(backup, 'CronJobSuspended').severity, 'low');
  put(at(week, 1), begun(at(week), { status: { lastSuccessfulTime: stamp(at(week)) } }));
  assert.deepEqual(found(), []);
});

test('W14 fires: a Job whose every Pod was lost with its Node names the Node; one of whose attempts failed by itself names none', () => {
  for (const [failed, names, why] of [
    [1, ['Node//n1'], 'its pod was lost with node n1'],
    [2, [], 'its pods failed more often than its back-off limit allows'],
  ] as const) {
    const { put, finding, says } = story();
    const ofJob = { owner: { kind: 'Job', name: 'import', apiVersion: 'batch/v1' }, node: 'n1' };
    const taken = condition('DisruptionTarget', 'True', at(5), 'DeletionByTaintManager');
    put(at(0), job('import'), pod('import-x', ofJob));
    put(at(5), pod('import-x', { ...ofJob, conditions: [taken], deletionAt: at(5, 30) }));
    put(at(5), job('import', { conditions: [failure(at(5))], status: { failed } }));
    assert.deepEqual(finding('Job/shop/import', 'JobFailed').names, names);
    assert.equal(says('Job/shop/import', 'JobFailed'), `The Job gave up: ${why}.`);
  }
});
