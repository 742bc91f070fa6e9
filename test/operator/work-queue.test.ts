import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkQueue } from '../../src/operator/work-queue.ts';
import { settled, virtualClock } from '../delivery/clock.ts';

/** A queue whose work ends when the test says so. */
function stage(concurrency = 2) {
  const clock = virtualClock();
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const failures: number[] = [];
  const queue = new WorkQueue<string>({
    clock,
    concurrency,
    shareOf: (key) => key.charAt(0),
    work(key, item) {
      started.push(`${key} ${item}`);
      const end = Promise.withResolvers<void>();
      ends.set(key, end);
      return end.promise;
    },
    failed: (_key, _error, retryInMs) => failures.push(retryInMs),
  });
  const end = async (key: string, error?: Error): Promise<void> => {
    if (error) ends.get(key)?.reject(error);
    else ends.get(key)?.resolve();
    await settled();
  };
  return { clock, started, failures, queue, end };
}

test('of several items for a key that is being worked on, only the newest follows, after the first has ended', async () => {
  const { queue, started, end } = stage();
  queue.add('a', '1');
  queue.add('a', '2');
  queue.add('a', '3');
  assert.deepEqual(started, ['a 1']);
  await end('a');
  assert.deepEqual(started, ['a 1', 'a 3']);
});

test('a slow key delays no other; more than the allowed number wait', async () => {
  const { queue, started, end } = stage(2);
  for (const key of ['a', 'b', 'c']) queue.add(key, '1');
  assert.deepEqual(started, ['a 1', 'b 1']);
  await end('b');
  assert.deepEqual(started, ['a 1', 'b 1', 'c 1']);
});

test('a failed item is tried again after waits that double to a minute, and begins anew after a success', async () => {
  const { queue, clock, started, failures, end } = stage();
  queue.add('a', '1');
  for (let round = 0; round < 9; round += 1) {
    await end('a', new Error('refused'));
    assert.equal(queue.backsOff('a'), true);
    await clock.advance((failures.at(-1) ?? 0) - 1);
    assert.equal(started.length, round + 1, 'not before its time');
    await clock.advance(1);
    assert.equal(started.length, round + 2);
  }
  assert.deepEqual(failures, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  await end('a');
  queue.add('a', '2');
  await end('a', new Error('refused'));
  assert.equal(failures.at(-1), 500);
});

test('a newer item does not wait for the back-off of the older one', async () => {
  const { queue, clock, started, end } = stage();
  queue.add('a', '1');
  await end('a', new Error('refused'));
  queue.add('a', '2');
  assert.deepEqual(started, ['a 1', 'a 2']);
  await end('a');
  await clock.advance(60_000);
  assert.equal(started.length, 2, 'the older one is not tried again');
});

test('after a drop nothing waits, and the next item of that key still comes after the one that runs', async () => {
  const { queue, started, end } = stage();
  queue.add('a', 'old');
  queue.add('a', 'dropped');
  queue.drop('a');
  queue.add('a', 'new');
  assert.deepEqual(started, ['a old']);
  await end('a');
  assert.deepEqual(started, ['a old', 'a new']);
});

test('it is idle once everything has been tried, whether it failed or not', async () => {
  const { queue, end } = stage(1);
  let idle = false;
  queue.add('a', '1');
  queue.add('b', '1');
  void queue.idle().then(() => {
    idle = true;
  });
  await end('a', new Error('refused'));
  assert.equal(idle, false, 'b has not been tried');
  await end('b');
  assert.equal(idle, true);
});

test('a stopped queue waits for what runs, begins nothing more and plans no retry', async () => {
  const { queue, clock, started, end } = stage();
  queue.add('a', '1');
  queue.add('a', '2');
  let stopped = false;
  void queue.stop().then(() => {
    stopped = true;
  });
  await settled();
  assert.equal(stopped, false);
  await end('a', new Error('refused'));
  assert.equal(stopped, true);
  queue.add('b', '1');
  await clock.advance(120_000);
  assert.deepEqual(started, ['a 1']);
});

test('shares are served in turn: a long one does not delay a short one', async () => {
  const { queue, started, end } = stage(1);
  for (const key of ['a1', 'a2', 'a3', 'b1', 'c1']) queue.add(key, 'x');
  for (const key of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(key);
  assert.deepEqual(started, ['a1 x', 'a2 x', 'b1 x', 'c1 x', 'a3 x']);
});

test('thousands of items that await nothing let timers and sockets have their turn in between', async () => {
  let done = 0;
  const queue = new WorkQueue<number>({
    ...{ clock: virtualClock(), concurrency: 4, shareOf: () => '', failed: () => {} },
    async work() {
      done += 1;
    },
  });
  for (let index = 0; index < 10_000; index += 1) queue.add(`key${index}`, index);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(done > 0 && done < 1_000, `${done} of 10000 before anything else could run`);
  await queue.idle();
  assert.equal(done, 10_000);
});
