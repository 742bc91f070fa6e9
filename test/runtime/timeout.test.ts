import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/kube/system-clock.ts';
import { withTimeout } from '../../src/runtime/timeout.ts';
import { settle, virtualClock } from '../kube/support/virtual-clock.ts';

/** Whether a promise has ended by now. */
async function ended(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await settle();
  return over;
}

test('work is waited for until it ends, whether it succeeded or failed, and no longer than allowed', async () => {
  const clock = virtualClock();
  assert.equal(await ended(withTimeout(clock, 10, Promise.resolve())), true);
  assert.equal(await ended(withTimeout(clock, 10, Promise.reject(new Error('no')))), true);
  assert.equal(clock.pending(), 0);
  const endless = withTimeout(clock, 10, new Promise(() => {}));
  assert.equal(await ended(endless), false);
  await clock.advance(10);
  assert.equal(await ended(endless), true);
});

test('the clock of the host takes waits of more than 24 days, which timers do not hold', async () => {
  let fired = 0;
  const cancel = systemClock.after(40 * 86_400_000, () => {
    fired += 1;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  cancel();
  assert.equal(fired, 0);
});
