import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostDeliveries, madeUpFor } from '../../src/delivery/dead-letters.ts';
import { deliveryKeys, type Handover } from '../../src/model/delivery.ts';
import type { DeadLetter } from '../../src/model/store.ts';
import { arrived, delivery, provider, refused, stage } from './stage.ts';

const oncall = provider('oncall');
const mail = provider('mail');
const phone = provider('phone');
const recipient = ({ ref, uid }: typeof oncall) => ({ provider: ref, providerUid: uid });
const idAt = (to: typeof oncall): string => deliveryKeys('inc-1', to.uid, 'open', 1).id;

function letter(of: typeof oncall, handedTo?: typeof oncall, via: readonly Handover[] = []): DeadLetter {
  return {
    delivery: delivery(of, 'open', 1, { now: 0, ...(via.length > 0 && { via }) }),
    ...{ endedAt: 5, attempts: 1, mayHaveArrived: false },
    failure: { class: 'permanent', code: 'Rejected', message: 'no' },
    ...(handedTo && { handedTo: recipient(handedTo) }),
  };
}

test('who has told it in the end is the first of the chain that has not failed as well', () => {
  const chain = [letter(oncall, mail), letter(mail, phone)];
  assert.equal(lostDeliveries(oncall.uid, chain, [])[0]?.toldBy, phone.ref);
  const allFailed = [...chain, letter(phone)];
  assert.equal(lostDeliveries(oncall.uid, allFailed, [])[0]?.toldBy, undefined);
  assert.deepEqual(lostDeliveries(oncall.uid, allFailed, [])[0]?.letters, [idAt(oncall), idAt(mail), idAt(phone)]);
});

test('a fallback’s letter stands for those of whom it took over from, too', () => {
  const handover = { ...recipient(oncall), mayHaveArrived: false };
  const letters = [letter(oncall, mail), letter(mail, undefined, [handover])];
  assert.deepEqual(lostDeliveries(mail.uid, letters, [])[0]?.letters, [idAt(oncall), idAt(mail)]);
});

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
