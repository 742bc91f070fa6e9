import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../src/model/ref.ts';
import { type DesiredStatus, StatusWriter } from '../../src/operator/status-writer.ts';
import { settled, virtualClock } from '../delivery/clock.ts';

const ref: Ref = 'Silence/tocsin/one';

/** A writer of one status, made of a condition and a counter. */
function stage(options: { readonly current?: DesiredStatus; readonly paused?: boolean } = {}) {
  const clock = virtualClock();
  const says: { condition: string; count: number; gone: boolean } = { condition: 'A', count: 0, gone: false };
  const statusOf = (condition: string, count: number): DesiredStatus<'Silence'> => ({
    status: { startTime: condition, suppressed: count },
    urgent: condition,
  });
  const writes: string[] = [];
  const failures: number[] = [];
  let answer: (() => Promise<void>) | undefined;
  const writer = new StatusWriter({
    desired: () => (says.gone ? undefined : statusOf(says.condition, says.count)),
    current: () => options.current,
    async write(_ref, status) {
      const { startTime, suppressed }: DesiredStatus<'Silence'>['status'] = status;
      writes.push(`${startTime} ${suppressed}`);
      await answer?.();
    },
    failed: (_ref, _error, retryInMs) => failures.push(retryInMs),
    clock,
    paused: options.paused ?? false,
  });
  return {
    ...{ clock, says, writes, failures, writer, statusOf },
    answerWith(next: (() => Promise<void>) | undefined) {
      answer = next;
    },
    async touch() {
      writer.touch(ref);
      await settled();
    },
  };
}

test('what is urgent is written at once, a counter at most once a minute, and then with the newest figure', async () => {
  const { clock, says, writes, touch } = stage();
  await touch();
  says.count = 1;
  await touch();
  says.count = 2;
  await touch();
  assert.deepEqual(writes, ['A 0']);
  await clock.advance(59_999);
  assert.deepEqual(writes, ['A 0']);
  await clock.advance(1);
  assert.deepEqual(writes, ['A 0', 'A 2']);
  says.condition = 'B';
  await touch();
  assert.deepEqual(writes, ['A 0', 'A 2', 'B 2']);
});

test('an urgent write carries the counter that was planned', async () => {
  const { clock, says, writes, touch } = stage();
  await touch();
  says.count = 1;
  await touch();
  says.condition = 'B';
  await touch();
  await clock.advance(120_000);
  assert.deepEqual(writes, ['A 0', 'B 1']);
});

test('nothing is written when the API already has it so, and nothing twice', async () => {
  const { clock, touch, writes } = stage({ current: { status: { startTime: 'A', suppressed: 0 }, urgent: 'A' } });
  await touch();
  await touch();
  await clock.advance(120_000);
  assert.deepEqual(writes, []);
});

test('touched while the same is being written, it is not written again', async () => {
  const { writes, touch, answerWith } = stage();
  const end = Promise.withResolvers<void>();
  answerWith(() => end.promise);
  await touch();
  await touch();
  end.resolve();
  await settled();
  assert.deepEqual(writes, ['A 0']);
});

test('what changed while a write was under way follows it', async () => {
  const { says, writes, touch, answerWith } = stage();
  const end = Promise.withResolvers<void>();
  answerWith(() => end.promise);
  await touch();
  says.condition = 'B';
  end.resolve();
  await settled();
  assert.deepEqual(writes, ['A 0', 'B 0']);
});

test('touches do not hurry the back-off of a refused write; the retry writes what is so by then', async () => {
  const { clock, says, writes, failures, touch, answerWith } = stage();
  answerWith(() => Promise.reject(new Error('forbidden')));
  await touch();
  for (let round = 0; round < 10; round += 1) {
    says.condition = `B${round}`;
    await touch();
  }
  assert.deepEqual(writes, ['A 0']);
  assert.deepEqual(failures, [500]);
  answerWith(undefined);
  await clock.advance(500);
  assert.deepEqual(writes, ['A 0', 'B9 0']);
});

test('an object made anew under its name is written anew, even if its status is to be the same', async () => {
  const { writes, writer, touch } = stage();
  await touch();
  writer.forget(ref);
  await touch();
  assert.deepEqual(writes, ['A 0', 'A 0']);
});

test('the late answer for an object that is gone says nothing about its successor', async () => {
  const { writes, writer, touch, answerWith } = stage();
  const end = Promise.withResolvers<void>();
  answerWith(() => end.promise);
  await touch();
  writer.forget(ref);
  await touch();
  end.resolve();
  await settled();
  assert.deepEqual(writes, ['A 0', 'A 0']);
});

test('an object that is gone is not written', async () => {
  const { clock, says, writes, touch } = stage();
  await touch();
  says.count = 1;
  await touch();
  says.gone = true;
  await touch();
  await clock.advance(120_000);
  assert.deepEqual(writes, ['A 0']);
});

test('while paused nothing is written, not even what was planned; afterwards a touch writes', async () => {
  const { clock, says, writes, writer, touch } = stage({ paused: true });
  await touch();
  assert.deepEqual(writes, []);
  writer.resume();
  await touch();
  says.count = 1;
  await touch();
  writer.pause();
  await clock.advance(120_000);
  assert.deepEqual(writes, ['A 0']);
  writer.resume();
  await touch();
  await clock.advance(1);
  assert.deepEqual(writes, ['A 0', 'A 1']);
});

test('after a stop no timer writes', async () => {
  const { clock, says, writes, writer, touch } = stage();
  await touch();
  says.count = 1;
  await touch();
  await writer.stop();
  await clock.advance(120_000);
  assert.deepEqual(writes, ['A 0']);
});
