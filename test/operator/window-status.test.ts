import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaintenanceWindow } from '../../src/api/maintenance-window.ts';
import { plannedWindow } from '../../src/api/windows.ts';
import type { Edition } from '../../src/model/edition.ts';
import { windowChangesAt, windowStatus } from '../../src/operator/window-status.ts';
import { brief, conditionsOf, createdAt, window } from './objects.ts';

const friday = Date.parse(createdAt);
const saturday = Date.parse('2026-11-21T02:30:00Z');
const spec = { selector: { names: ['api'] } };

function status(object: MaintenanceWindow, now = friday, edition: Edition = 'Pro') {
  return windowStatus(object, { planned: plannedWindow(object), edition, muted: undefined, mutedBefore: 0, now });
}

/** The four times of a status, as far as there are any. */
function times(desired: ReturnType<typeof status>): object {
  const { currentEndTime, nextStartTime, nextEndTime } = desired.status;
  return { currentEndTime, nextStartTime, nextEndTime };
}

test('a window is closed until it opens, and says when', () => {
  const desired = status(window('weekly', spec));
  assert.deepEqual(brief(desired), ['Ready=True/Accepted', 'Stalled=False/NotStalled', 'Active=False/Closed']);
  assert.equal(conditionsOf(desired)[2]?.message, 'Opens at 2026-11-21T02:00:00Z.');
  assert.deepEqual(times(desired), {
    currentEndTime: undefined,
    nextStartTime: '2026-11-21T02:00:00Z',
    nextEndTime: '2026-11-21T04:00:00Z',
  });
});

test('an open window says until when, and when it opens again', () => {
  const desired = status(window('weekly', spec), saturday);
  assert.equal(brief(desired)[2], 'Active=True/Open');
  assert.equal(conditionsOf(desired)[2]?.message, 'Holds back the incidents it selects until 2026-11-21T04:00:00Z.');
  assert.deepEqual(times(desired), {
    currentEndTime: '2026-11-21T04:00:00Z',
    nextStartTime: '2026-11-28T02:00:00Z',
    nextEndTime: '2026-11-28T04:00:00Z',
  });
});

test('a window for once is healthy when it is over, and has no times any more', () => {
  const once = { ...spec, schedule: undefined, durationSeconds: undefined };
  const object = window('once', { ...once, startsAt: '2026-11-20T07:00:00Z', endsAt: '2026-11-20T09:00:00Z' });
  const open = status(object, friday);
  assert.equal(brief(open)[2], 'Active=True/Open');
  assert.deepEqual(times(open), {
    currentEndTime: '2026-11-20T09:00:00Z',
    nextStartTime: undefined,
    nextEndTime: undefined,
  });
  const over = status(object, saturday);
  assert.deepEqual(brief(over), ['Ready=True/Accepted', 'Stalled=False/NotStalled', 'Active=False/Closed']);
  assert.match(conditionsOf(over)[2]?.message ?? '', /is over/);
  assert.deepEqual(times(over), { currentEndTime: undefined, nextStartTime: undefined, nextEndTime: undefined });
});

test('a suspended window stays closed and has no times', () => {
  const desired = status(window('weekly', { ...spec, suspend: true }), saturday);
  assert.deepEqual(brief(desired), ['Ready=True/Suspended', 'Stalled=False/NotStalled', 'Active=False/Suspended']);
  assert.equal(desired.status.nextStartTime, undefined);
});

test('without a licence a window holds nothing back and says so; its times still show', () => {
  const desired = status(window('weekly', spec), saturday, 'Community');
  assert.deepEqual(brief(desired), ['Ready=True/NotLicensed', 'Stalled=False/NotStalled', 'Active=False/NotLicensed']);
  assert.match(conditionsOf(desired)[2]?.message ?? '', /licence.*Silence/);
  assert.deepEqual(times(desired), {
    currentEndTime: undefined,
    nextStartTime: '2026-11-28T02:00:00Z',
    nextEndTime: '2026-11-28T04:00:00Z',
  });
});

test('a window that never closes says so and names no end', () => {
  const desired = status(window('weekly', { ...spec, schedule: '0 * * * *', durationSeconds: 3600 }), saturday);
  assert.equal(brief(desired)[2], 'Active=True/Open');
  assert.match(conditionsOf(desired)[2]?.message ?? '', /never closes/);
  assert.deepEqual(times(desired), { currentEndTime: undefined, nextStartTime: undefined, nextEndTime: undefined });
});

test('a window says what is wrong with its schedule, quoting it, and never throws', () => {
  const cases: readonly [object, string, RegExp][] = [
    [{ schedule: 'at night' }, 'InvalidSchedule', /"at night".*"0 2 \* \* 6"/],
    [{ schedule: '0 0 2 * * 6' }, 'InvalidSchedule', /five fields/],
    [{ schedule: '0 0 30 2 *' }, 'InvalidSchedule', /"0 0 30 2 \*".*never/],
    [{ timeZone: 'Mars/Olympus' }, 'UnknownTimeZone', /"Mars\/Olympus".*Europe\/Berlin/],
    [{ schedule: undefined, startsAt: '2026-12-01T00:00:00Z' }, 'InvalidSchedule', /endsAt/],
    [{ schedule: undefined, startsAt: 'soon', endsAt: 'later' }, 'InvalidSchedule', /endsAt/],
  ];
  for (const edition of ['Community', 'Pro'] as const)
    for (const [more, reason, says] of cases) {
      const desired = status(window('weekly', { ...spec, ...more }), friday, edition);
      assert.deepEqual(brief(desired), ['Ready=False/Invalid', `Stalled=True/${reason}`, `Active=False/${reason}`]);
      assert.match(conditionsOf(desired)[1]?.message ?? '', says);
    }
});

test('a window for a reason that does not exist says so and goes on by its times', () => {
  const desired = status(window('weekly', { selector: { reasons: ['CrashLoopBackof'] } }), saturday);
  assert.deepEqual(brief(desired), ['Ready=False/Invalid', 'Stalled=True/UnknownReason', 'Active=True/Open']);
});

test('what a window held back is added to what it had held back before, and shows at once', () => {
  const object = window('weekly', spec);
  const parts = { planned: plannedWindow(object), edition: 'Pro', mutedBefore: 4, now: saturday } as const;
  const before = windowStatus(object, { ...parts, muted: undefined });
  const after = windowStatus(object, { ...parts, muted: { suppressed: 2, lastMatchAt: saturday } });
  assert.deepEqual([before.status.suppressed, after.status.suppressed], [4, 6]);
  assert.deepEqual([before.status.lastMatchTime, after.status.lastMatchTime], [undefined, '2026-11-21T02:30:00Z']);
  assert.notDeepEqual(after.urgent, before.urgent);
});

test('the next change of a window by time is its opening, then its closing; a suspended one does not change', () => {
  const planned = plannedWindow(window('weekly', spec));
  const changes = (now: number) => new Date(windowChangesAt(planned, now) ?? 0).toISOString();
  assert.equal(changes(friday), '2026-11-21T02:00:00.000Z');
  assert.equal(changes(saturday), '2026-11-21T04:00:00.000Z');
  assert.equal(changes(Date.parse('2026-11-21T04:00:00Z')), '2026-11-28T02:00:00.000Z');
  assert.equal(windowChangesAt(plannedWindow(window('weekly', { ...spec, suspend: true })), saturday), undefined);
});
