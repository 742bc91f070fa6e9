import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClockDifference } from '../../src/kube/clock-difference.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 22, 12);

test('an answer that may have been made during its exchange shows no difference', () => {
  const clocks = new ClockDifference(() => assert.fail('nothing has changed'));
  for (const [serverTime, durationMs] of [
    [now, 0],
    [now - 900, 0],
    [now - 5 * minute, 5 * minute],
    [now - 2 * minute, 5 * minute],
  ] as const) {
    clocks.see({ serverTime, durationMs }, now);
    assert.deepEqual([clocks.milliseconds, clocks.differs], [0, false]);
  }
});

test('clocks that are more than a minute apart differ, in both directions, until they agree again', () => {
  const told: string[] = [];
  const clocks = new ClockDifference((milliseconds, differs) => told.push(`${milliseconds / 1000} ${differs}`));
  const see = (aheadMs: number): void => clocks.see({ serverTime: now + aheadMs, durationMs: 0 }, now);
  see(30_000);
  assert.deepEqual([clocks.milliseconds, clocks.differs], [30_000, false]);
  see(72 * minute);
  see(73 * minute);
  see(0);
  see(-72 * minute);
  assert.equal(clocks.differs, true);
  see(-1_000);
  assert.deepEqual(told, ['4320 true', '0 false', '-4319 true', '0 false']);
});
