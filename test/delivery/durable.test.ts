import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStore } from '../../src/state/memory.ts';
import { arrived, delivery, provider, stage } from './stage.ts';

/** A store on a disk that takes its time. */
class SlowStore extends MemoryStore {
  saved = (): void => undefined;
  override durable(): Promise<void> {
    return new Promise((resolve) => {
      this.saved = resolve;
    });
  }
}

test('an attempt begins only once its begin is saved', async () => {
  const oncall = provider('oncall');
  const store = new SlowStore();
  const { clock, enqueue, seen } = stage({ providers: [oncall], script: () => arrived, store });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(1000);
  assert.deepEqual([seen.length, store.outbox()[0]?.inFlight], [0, true]);
  store.saved();
  await clock.advance(0);
  assert.deepEqual([seen.length, store.outbox()], [1, []]);
});

test('whoever loses the lock while an attempt is being saved does not begin it, and does so once the lock is held again', async () => {
  const oncall = provider('oncall');
  const store = new SlowStore();
  let held = true;
  const { clock, dispatcher, enqueue, seen } = stage({
    ...{ providers: [oncall], script: () => arrived, store },
    holdsLock: () => held,
  });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(0);
  held = false;
  store.saved();
  await clock.advance(1000);
  const [waiting] = store.outbox();
  assert.deepEqual([seen.length, waiting?.inFlight, waiting?.mayHaveArrived], [0, false, false]);
  held = true;
  dispatcher.resume();
  await clock.advance(0);
  store.saved();
  await clock.advance(0);
  assert.equal(seen.length, 1);
});
