import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Delivery, type DeliveryFailure, deliveryKeys, laneOf, type Outcome } from '../../src/model/delivery.ts';
import type { Act, IncidentFace, Notification } from '../../src/model/notification.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Store, StoredDelivery } from '../../src/model/store.ts';
import { type Batch, emptyBatch } from '../../src/model/turn.ts';
import { MemoryStore } from '../../src/state/memory.ts';

const chat: Ref = 'AlertProvider/tocsin/chat';
const refused = { is: 'permanent', reason: 'no', credential: false } as const;
const arrived = { is: 'delivered', outcome: { is: 'delivered' }, at: 5 } as const;
const failed = (mayHaveArrived: boolean) => ({ is: 'retryable', reason: 'HTTP 502', mayHaveArrived }) as const;

function make(act: Act, sequence: number, more: Partial<Delivery> & { text?: string } = {}): Delivery {
  const { text = '', ...fields } = more;
  const stream = fields.stream ?? 'inc';
  const provider = fields.provider ?? chat;
  const notification: Notification = {
    ...{ act, severity: 'high', title: 't', lead: text, evidence: [], facts: [], links: [], cluster: '', at: 0 },
  };
  const providerUid = `uid-${provider}`;
  const base = {
    stream,
    provider,
    providerUid,
    act,
    sequence,
    alertKey: stream,
    createdAt: 0,
    notBefore: 0,
    notification,
  };
  return { ...deliveryKeys(stream, provider, act, sequence), ...base, ...fields };
}
function commit(store: Store, more: Partial<Batch>): void {
  store.commit({ ...emptyBatch, ...more });
}
const face: IncidentFace = {
  ...{ id: 'inc', alertKey: 'k', revision: 1, status: 'open', reason: 'CrashLoopBackOff', root: 'Deployment/shop/api' },
  ...{ confidence: 'high', affected: { count: 1, sample: [] }, pods: [], podCount: 0, labels: {}, startedAt: 0 },
  updatedAt: 0,
};
const acts = (store: Store): string[] => store.outbox().map(({ delivery: { act, sequence } }) => `${act} ${sequence}`);
const dropped = (store: Store): string[] =>
  store.takeDropped().map(({ delivery: { act, sequence } }) => `${act} ${sequence}`);

test('an unsent update gives way to a newer one of the same stream and provider only', () => {
  const store = new MemoryStore();
  commit(store, {
    enqueue: [make('open', 1), make('update', 2), make('update', 2, { stream: 'other' }), make('update', 3)],
  });
  assert.deepEqual(acts(store), ['open 1', 'update 2', 'update 3']);
  assert.deepEqual(dropped(store), ['update 2']);
  assert.deepEqual(dropped(store), []);
});

test('an update says of a rise that it took the place of, also once its evidence has come', () => {
  const update = (sequence: number, news: Partial<IncidentFace>): Delivery => {
    const made = make('update', sequence);
    const incident = { ...face, revision: sequence, ...news };
    return { ...made, notification: { ...made.notification, severity: 'critical', incident } };
  };
  const newsOf = (store: Store): unknown[] =>
    store.outbox().map(({ delivery: { notification } }) => {
      const { revision, previousSeverity, ring } = notification.incident ?? assert.fail();
      return [revision, previousSeverity, ring];
    });
  const store = new MemoryStore();
  commit(store, { enqueue: [update(2, { previousSeverity: 'medium' }), update(3, { previousSeverity: 'high' })] });
  assert.deepEqual(newsOf(store), [[3, 'medium', undefined]]);
  commit(store, { enqueue: [update(4, {})] });
  commit(store, { replace: [update(4, {})] });
  assert.deepEqual(newsOf(store), [[4, 'medium', undefined]]);
  commit(store, { enqueue: [update(5, { ring: true }), update(6, {})] });
  assert.deepEqual(newsOf(store), [[6, 'medium', true]]);
  store.begin(make('update', 6).id);
  commit(store, { enqueue: [update(7, {})] });
  assert.deepEqual(newsOf(store), [
    [6, 'medium', true],
    [7, undefined, undefined],
  ]);
});

test('an update under way stays', () => {
  const store = new MemoryStore();
  commit(store, { enqueue: [make('update', 2)] });
  store.begin(make('update', 2).id);
  commit(store, { enqueue: [make('update', 3)] });
  assert.deepEqual(acts(store), ['update 2', 'update 3']);
});

test('an opening that never arrived goes together with its resolve and its updates; where it may have arrived its resolve is left', () => {
  const open = make('open', 1);
  const cases: readonly (readonly [string, (store: Store) => void, left: readonly string[]])[] = [
    ['never attempted', () => undefined, []],
    ['refused every time', (store) => attempt(store, failed(false)), []],
    ['rate limited', (store) => attempt(store, { is: 'rateLimited', afterMs: 1 }), []],
    ['may have arrived', (store) => attempt(store, failed(true)), ['resolve 3']],
    [
      'may have arrived once, refused later',
      (store) => {
        attempt(store, failed(true));
        attempt(store, failed(false));
      },
      ['resolve 3'],
    ],
    ['under way', (store) => void store.begin(open.id), ['open 1', 'resolve 3']],
  ];
  function attempt(store: Store, outcome: Outcome): void {
    store.begin(open.id);
    store.settle(open.id, { is: 'retry', outcome, at: 0, nextAttemptAt: 1000 });
  }
  for (const [name, prepare, left] of cases) {
    const store = new MemoryStore();
    commit(store, { enqueue: [open] });
    prepare(store);
    commit(store, { enqueue: [make('update', 2), make('resolve', 3)] });
    assert.deepEqual(acts(store), left, name);
    const gone = ['open 1', 'update 2', 'resolve 3'].filter((one) => !left.includes(one));
    assert.deepEqual(dropped(store), gone, name);
  }
});

test('after a delivered opening the resolve is sent', () => {
  const store = new MemoryStore();
  commit(store, { enqueue: [make('open', 1)] });
  store.begin(make('open', 1).id);
  store.settle(make('open', 1).id, arrived);
  commit(store, { enqueue: [make('resolve', 2)] });
  assert.deepEqual(acts(store), ['resolve 2']);
});

test('what is in the outbox or has ended is not enqueued again', () => {
  const store = new MemoryStore();
  const open = make('open', 1);
  commit(store, { enqueue: [open] });
  commit(store, { enqueue: [open] });
  assert.equal(store.outbox().length, 1);
  store.settle(open.id, arrived);
  commit(store, { enqueue: [open] });
  assert.equal(store.outbox().length, 0);
});

test('a replacement changes content and time of what is unsent, and nothing else', () => {
  const store = new MemoryStore();
  commit(store, { enqueue: [make('open', 1, { notBefore: 5000 })] });
  commit(store, { replace: [make('open', 1, { notBefore: 100, text: 'new' }), make('open', 9)] });
  const [stored] = store.outbox();
  assert.deepEqual([stored?.nextAttemptAt, stored?.delivery.notification.lead, store.outbox().length], [100, 'new', 1]);
  assert.equal(store.begin(make('open', 1).id)?.delivery.notification.lead, 'new');
  commit(store, { replace: [make('open', 1, { text: 'too late' })], drop: [make('open', 1).id] });
  assert.equal(store.outbox()[0]?.delivery.notification.lead, 'new');
});

test('attempts are counted, but not those the product put off', () => {
  const store = new MemoryStore();
  const { id } = make('open', 1);
  commit(store, { enqueue: [make('open', 1)] });
  store.begin(id);
  store.settle(id, { is: 'retry', outcome: failed(true), at: 0, nextAttemptAt: 1000 });
  store.begin(id);
  store.settle(id, { is: 'retry', outcome: { is: 'rateLimited', afterMs: 500 }, at: 0, nextAttemptAt: 2000 });
  store.postpone(id, 3000);
  const [stored] = store.outbox();
  assert.deepEqual(
    [stored?.attempts, stored?.mayHaveArrived, stored?.nextAttemptAt, stored?.inFlight],
    [1, true, 3000, false],
  );
});

const because = (message: string): DeliveryFailure => ({ class: 'permanent', code: 'Rejected', message });

test('500 dead letters are kept, the oldest go first', () => {
  const store = new MemoryStore();
  for (let sequence = 1; sequence <= 501; sequence += 1) {
    const delivery = make('open', sequence);
    commit(store, { enqueue: [delivery] });
    const at = sequence;
    if (sequence % 2 === 0) store.settle(delivery.id, { is: 'failed', failure: because('too old'), at });
    else store.settle(delivery.id, { is: 'failed', outcome: refused, failure: because('no'), at });
  }
  const letters = store.deadLetters();
  assert.equal(letters.length, 500);
  assert.deepEqual([letters[0]?.endedAt, letters[0]?.attempts, letters[0]?.failure.message], [2, 0, 'too old']);
  assert.deepEqual([letters[1]?.endedAt, letters[1]?.attempts, letters[1]?.failure.message], [3, 1, 'no']);
});

test('a dead letter holds what sending it again needs, and leaves in the commit that sends it', () => {
  const store = new MemoryStore();
  const opening = make('open', 1);
  commit(store, { enqueue: [opening] });
  store.begin(opening.id);
  store.settle(opening.id, { is: 'failed', outcome: failed(true), failure: because('no'), at: 7 });
  assert.deepEqual(store.deadLetters(), [
    { delivery: opening, endedAt: 7, attempts: 1, mayHaveArrived: true, failure: because('no') },
  ]);
  const again: Delivery = { ...make('open', 2), again: true };
  commit(store, { forgetFailed: [opening.id, 'unknown'], enqueue: [again] });
  assert.deepEqual(store.deadLetters(), []);
  assert.deepEqual(acts(store), ['open 2']);
});

test('references are those of one provider, not of its name, and last until their incident is forgotten', () => {
  const store = new MemoryStore();
  const { id } = make('open', 1);
  commit(store, { enqueue: [make('open', 1)] });
  store.settle(id, { is: 'failed', outcome: { ...refused, ref: { thread: '1' } }, failure: because('no'), at: 0 });
  assert.deepEqual(store.reference('inc', `uid-${chat}`), { thread: '1' });
  assert.equal(store.reference('inc', 'another of that name'), undefined);
  commit(store, { forget: ['inc'] });
  assert.equal(store.reference('inc', `uid-${chat}`), undefined);
});

test('what one provider is told under one key waits in one lane, in order of creation, whichever incident it is of', () => {
  const store = new MemoryStore();
  const under = { alertKey: 'k' };
  commit(store, { enqueue: [make('resolve', 7, { stream: 'first', ...under })] });
  commit(store, { enqueue: [make('open', 1, { stream: 'second', ...under }), make('open', 1, { stream: 'third' })] });
  const lane = laneOf({ alertKey: 'k', providerUid: `uid-${chat}` });
  const streamsOf = (rows: readonly StoredDelivery[]) => rows.map(({ delivery: { stream } }) => stream);
  assert.deepEqual(streamsOf(store.waiting.lane(lane)), ['first', 'second']);
  assert.equal(store.waiting.head(lane)?.stored.delivery.stream, 'first');
  store.settle(make('resolve', 7, { stream: 'first' }).id, arrived);
  assert.equal(store.waiting.head(lane)?.stored.delivery.stream, 'second');
});

test('an update remarks what those that it took the place of would have remarked, each once', () => {
  const update = (sequence: number, note?: string): Delivery => {
    const made = make('update', sequence);
    return { ...made, notification: { ...made.notification, incident: face, ...(note !== undefined && { note }) } };
  };
  const store = new MemoryStore();
  commit(store, { enqueue: [update(2, 'Once a day.'), update(3, 'Part of it is muted.'), update(4)] });
  commit(store, { enqueue: [update(5, 'Part of it is muted.')] });
  const [waiting] = store.outbox();
  assert.equal(waiting?.delivery.notification.note, 'Once a day. Part of it is muted.');
});

test('what goes by another key of the same problem waits in its lane: an incident that returns under #2 has its end there yet', () => {
  const store = new MemoryStore();
  commit(store, { enqueue: [make('resolve', 2, { alertKey: 'k' }), make('reopen', 3, { alertKey: 'k#2' })] });
  const lane = store.waiting.lane(laneOf({ alertKey: 'k', providerUid: `uid-${chat}` }));
  assert.deepEqual(
    lane.map(({ delivery: { act } }) => act),
    ['resolve', 'reopen'],
  );
});

test('what was to follow an opening falls with it when it is given up and never arrived, up to the next opening', () => {
  const store = new MemoryStore();
  const opening = make('open', 1);
  commit(store, { enqueue: [opening, make('update', 2), make('reopen', 3)] });
  store.settle(opening.id, { is: 'failed', outcome: refused, failure: because('no'), at: 0 });
  assert.deepEqual(dropped(store), ['update 2']);
  assert.deepEqual(acts(store), ['reopen 3']);
});

test('what follows an opening stays where an attempt of that may have arrived', () => {
  const store = new MemoryStore();
  const opening = make('open', 1);
  commit(store, { enqueue: [opening, make('update', 2)] });
  store.begin(opening.id);
  store.settle(opening.id, { is: 'retry', outcome: failed(true), at: 0, nextAttemptAt: 1 });
  store.settle(opening.id, { is: 'failed', outcome: refused, failure: because('no'), at: 0 });
  assert.deepEqual(acts(store), ['update 2']);
});

test('the end of one incident takes away nothing of another under the same key', () => {
  const store = new MemoryStore();
  const under = { alertKey: 'k' };
  commit(store, { enqueue: [make('reopen', 3, { stream: 'first', ...under })] });
  commit(store, { enqueue: [make('open', 1, { stream: 'second', ...under })] });
  commit(store, { enqueue: [make('resolve', 2, { stream: 'second', ...under })] });
  assert.deepEqual(dropped(store), ['open 1', 'resolve 2']);
  assert.deepEqual(acts(store), ['reopen 3']);
});

test('a store goes on from what another has saved, and what was under way may have arrived', () => {
  const store = new MemoryStore();
  const gone = make('open', 1, { stream: 'gone' });
  commit(store, {
    enqueue: [make('open', 1), make('open', 1, { stream: 'other' }), gone],
    memos: [
      { topic: 'silences', key: 's1', value: { suppressed: 2 } },
      { topic: 'silences', key: 's2', value: { suppressed: 3 } },
    ],
  });
  commit(store, { memos: [{ topic: 'silences', key: 's2' }] });
  store.settle(gone.id, { is: 'failed', outcome: { ...refused, ref: { thread: '1' } }, failure: because('no'), at: 7 });
  store.begin(make('open', 1).id);
  const next = new MemoryStore(JSON.parse(JSON.stringify(store.load())));
  assert.deepEqual(
    next.outbox().map(({ delivery: { stream }, inFlight, mayHaveArrived }) => [stream, inFlight, mayHaveArrived]),
    [
      ['inc', false, true],
      ['other', false, false],
    ],
  );
  assert.deepEqual(next.load().memos, [{ topic: 'silences', key: 's1', value: { suppressed: 2 } }]);
  assert.deepEqual(next.reference('gone', `uid-${chat}`), { thread: '1' });
  assert.deepEqual(
    next.deadLetters().map(({ endedAt }) => endedAt),
    [7],
  );
  commit(next, { enqueue: [gone] });
  assert.equal(next.outbox().length, 2, 'what has ended is not enqueued again');
});
