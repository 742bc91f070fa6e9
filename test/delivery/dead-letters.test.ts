import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostDeliveries, madeUpFor } from '../../src/delivery/dead-letters.ts';
import type { DeadLetter } from '../../src/model/store.ts';
import { arrived, delivery, provider, refused, stage } from './stage.ts';

const oncall = provider('oncall');
const mail = provider('mail');

function letter(of: typeof oncall): DeadLetter {
  return {
    delivery: delivery(of, 'open', 1, { now: 0 }),
    ...{ endedAt: 5, attempts: 1, mayHaveArrived: false },
    failure: { class: 'permanent', code: 'Rejected', message: 'no' },
  };
}

test('what waits in the outbox with newer words is known to do so', () => {
  const { store, dispatcher } = stage({ providers: [oncall], script: () => arrived, paused: true });
  dispatcher.pause();
  store.commit({
    ...{ incidents: [], forget: [], replace: [], drop: [], forgetFailed: [], memos: [], audit: [] },
    enqueue: [delivery(oncall, 'update', 2, { now: 0 })],
  });
  assert.equal(lostDeliveries(oncall.uid, [letter(oncall)], store.outbox())[0]?.newerWaits, true);
});

test('a later act that arrives makes up for what failed before it, for that stream and provider alone', async () => {
  const { enqueue, store, clock } = stage({
    providers: [oncall, mail],
    script: ({ delivery: { act } }) => (act === 'open' ? refused : arrived),
  });
  const now = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now }), delivery(mail, 'open', 1, { now }));
  enqueue(delivery(oncall, 'open', 1, { now, stream: 'inc-2' }));
  await clock.advance(1_000);
  assert.equal(store.deadLetters().length, 3);
  enqueue(delivery(oncall, 'update', 2, { now: clock.now() }));
  await clock.advance(1_000);
  assert.deepEqual(
    store.deadLetters().map(({ delivery: { stream, provider: ref } }) => `${stream} ${ref}`),
    [`inc-1 ${mail.ref}`, `inc-2 ${oncall.ref}`],
  );
  assert.deepEqual(madeUpFor(delivery(mail, 'open', 1, { now }), store.deadLetters()), [], 'only by what came later');
});
