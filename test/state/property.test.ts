import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Delivery, laneOf, type Outcome } from '../../src/model/delivery.ts';
import type { Act } from '../../src/model/notification.ts';
import { namespaceOf } from '../../src/model/ref.ts';
import type { Settlement, StoredDelivery } from '../../src/model/store.ts';
import { StateDatabase } from '../../src/state/database.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { Reading } from '../../src/state/reading.ts';
import { type Change, type ChangeLog, packed } from '../../src/state/tables.ts';
import { fc } from '../fast-check.ts';
import { commit, contents, explained, incident, temporaryDirectory, told } from './stage.ts';

/** The disk behind a store: transactions wait until it is told how many of them to write, as one. */
class Disk implements ChangeLog {
  readonly #path: string;
  #database: StateDatabase;
  #waiting: (readonly Change[])[] = [];
  written = 0;

  constructor(path: string) {
    this.#path = path;
    this.#database = new StateDatabase(path, 0);
  }

  append(changes: readonly Change[]): void {
    this.#waiting.push(changes);
  }

  durable(): undefined {}

  get waiting(): number {
    return this.#waiting.length;
  }

  write(transactions: number): void {
    const group = this.#waiting.splice(0, transactions);
    if (group.length === 0) return;
    this.#database.begin(false);
    for (const changes of group) this.#database.write(changes.map(packed));
    this.#database.commit(0);
    this.written += group.length;
  }

  /** The process ends: what waits is lost. Gives what the next one begins with. */
  reopen(): MemoryStore {
    this.#waiting = [];
    this.#database.close();
    this.#database = new StateDatabase(this.#path, 0);
    const reading = new Reading();
    reading.take([...this.#database.read()]);
    assert.equal(this.#database.setAside, undefined);
    const store = new MemoryStore(reading.finish());
    // As at every start: first everything there is.
    this.#database.begin(true);
    this.#database.write(Array.from(store.changes(), packed));
    this.#database.commit(0);
    store.attach(this);
    return store;
  }

  close(): void {
    this.#database.close();
  }
}

const streams = ['inc-1', 'inc-2'] as const;
const providers = ['uid-oncall', 'uid-mail'] as const;
const outcomes: readonly Outcome[] = [
  { is: 'delivered', ref: { ts: '1' } },
  { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false },
  { is: 'retryable', reason: 'no answer', mayHaveArrived: true, ref: { ts: '2' } },
  { is: 'rateLimited', afterMs: 1000 },
  { is: 'permanent', reason: 'HTTP 400', credential: false },
];

const happening = fc.oneof(
  { weight: 5, arbitrary: fc.record({ tell: fc.constantFrom(...streams), to: fc.constantFrom(...providers) }) },
  { weight: 4, arbitrary: fc.record({ attempt: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ end: fc.nat(3), as: fc.nat(outcomes.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ postpone: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ replace: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ drop: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.constantFrom(...streams) }) },
  { weight: 1, arbitrary: fc.record({ memo: fc.nat(2), value: fc.option(fc.jsonValue(), { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ pods: fc.constantFrom(1, 99, 101, 110, 130), of: fc.constantFrom(...streams) }) },
  { weight: 4, arbitrary: fc.record({ write: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.constant({ crash: true } as const) },
);

/** Sequence 1 opens; later ones update, resolve, reopen. */
function actOf(sequence: number): Act {
  const later = (['update', 'resolve', 'reopen'] as const)[(sequence - 2) % 3];
  return sequence === 1 || later === undefined ? 'open' : later;
}

/** The first delivery of each lane, the oldest first. */
function heads(store: MemoryStore): readonly StoredDelivery[] {
  const lanes = Map.groupBy(store.outbox(), ({ delivery }) => laneOf(delivery));
  return [...lanes.values()].flatMap(([head]) => head ?? []);
}

/** What waits by lane, provider and namespace is what a look at everything finds; lanes that did not change are as they were. */
function checkWaiting(store: MemoryStore, known: Map<string, readonly StoredDelivery[]>): void {
  const { waiting } = store;
  const all = store.outbox();
  const lanes = Map.groupBy(all, ({ delivery }) => laneOf(delivery));
  for (const lane of waiting.takeChangedLanes()) known.set(lane, lanes.get(lane) ?? []);
  for (const [lane, before] of known) assert.deepEqual(before, lanes.get(lane) ?? []);
  for (const [lane, rows] of lanes) assert.deepEqual([waiting.lane(lane), known.get(lane)], [rows, rows]);
  const places = heads(store).map((stored) => {
    const head = waiting.head(laneOf(stored.delivery)) ?? assert.fail();
    assert.deepEqual(head.stored, stored);
    return [all.indexOf(head.stored), head.place] as const;
  });
  const byPlace = places.toSorted(([, one], [, other]) => one - other);
  assert.deepEqual(
    byPlace,
    places.toSorted(([one], [other]) => one - other),
  );
  for (const uid of providers) {
    const rows = all.filter(({ delivery }) => delivery.providerUid === uid);
    assert.deepEqual(waiting.ofProvider(uid), rows);
    assert.equal(waiting.pendingOf(uid).pending, rows.length);
    assert.equal(waiting.pendingOf(uid).oldestPendingTime, rows[0]?.delivery.createdAt);
  }
  const namespaces = Map.groupBy(all, ({ delivery }) => namespaceOf(delivery.provider));
  const sizes = Array.from(namespaces, ([namespace, { length }]) => [namespace, length] as const);
  assert.deepEqual(new Map(waiting.namespaces()), new Map(sizes));
  for (const [namespace, rows] of namespaces) assert.deepEqual(waiting.inNamespace(namespace), rows);
}

/** How a store is after the end of its process: of an attempt that was under way nobody knows whether it arrived. */
function afterEnd(snapshot: unknown): unknown {
  return JSON.parse(
    JSON.stringify(snapshot)
      .replaceAll('"mayHaveArrived":false,"inFlight":true', '"mayHaveArrived":true,"inFlight":false')
      .replaceAll('"inFlight":true', '"inFlight":false'),
  );
}

/** Of large explanations some findings may be missing. */
function withoutMembers(snapshot: unknown): unknown {
  return JSON.parse(JSON.stringify(snapshot, (key, value) => (key === 'explanation' ? value.root : value)));
}

test('whatever happens and wherever the process ends: the next one begins with exactly what was saved, each act arrives or its failure is recorded, in order, and twice only if its attempt was interrupted or failed', async (t) => {
  const directory = temporaryDirectory(t, true);
  let runs = 0;
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (happenings) => {
      runs += 1;
      const disk = new Disk(join(directory, `${runs}.db`));
      let store = disk.reopen();
      /** Lane → what waits there, as far as the store has told of it. */
      let known = new Map<string, readonly StoredDelivery[]>();
      /** What the store held after each transaction since it was opened. */
      let history = [contents(store)];
      const sequences = new Map<string, number>();
      /** What products were sent, in order. */
      const sent: Delivery[] = [];
      const repeatable = new Map<string, number>();
      /** Saved at some time: what becomes of them is known in the end. */
      const accepted = new Set<string>();
      const gone = new Set<string>();
      /** In which transaction the last end of a delivery's attempt was written down. */
      const settledIn = new Map<string, number>();
      /** Attempts under way: begun, saved, sent. */
      let underWay: StoredDelivery[] = [];
      const note = (): void => {
        while (history.length <= disk.written + disk.waiting - base) history.push(contents(store));
      };
      let base = disk.written;
      const write = (transactions: number): void => {
        disk.write(transactions);
        if (disk.waiting === 0) for (const { delivery } of store.outbox()) accepted.add(delivery.id);
      };
      const attempt = (stored: StoredDelivery | undefined): void => {
        if (!stored || stored.inFlight) return;
        const begun = store.begin(stored.delivery.id);
        note();
        if (!begun) return;
        // The dispatcher waits for `durable`.
        write(disk.waiting);
        sent.push(begun.delivery);
        underWay.push(begun);
      };
      const settle = ({ delivery }: StoredDelivery, settlement: Settlement): void => {
        store.settle(delivery.id, settlement);
        settledIn.set(delivery.id, disk.written + disk.waiting);
        note();
        for (const dropped of store.takeDropped()) gone.add(dropped.delivery.id);
        if (settlement.is === 'failed') assert.equal(store.deadLetters().at(-1)?.delivery.id, delivery.id);
        underWay = underWay.filter((each) => each.delivery.id !== delivery.id);
      };
      for (const each of happenings) {
        const waiting = heads(store);
        if ('tell' in each) {
          const lane = `${each.tell}|${each.to}`;
          const sequence = (sequences.get(lane) ?? 0) + 1;
          sequences.set(lane, sequence);
          const delivery = told(each.tell, actOf(sequence), sequence, {
            id: `${lane}-${sequence}`,
            providerUid: each.to,
            notification: { ...told(each.tell, 'open', 1).notification, title: `${sequence}` },
          });
          commit(store, { enqueue: [delivery], incidents: [incident(each.tell, { revision: sequence })] });
        }
        if ('attempt' in each) attempt(waiting[each.attempt]);
        if ('end' in each) {
          const begun = underWay[each.end];
          const outcome = outcomes[each.as];
          if (begun && outcome) {
            const { delivery } = begun;
            const failure = { class: 'permanent', code: 'Rejected', message: 'no' } as const;
            if (outcome.is !== 'delivered') repeatable.set(delivery.id, (repeatable.get(delivery.id) ?? 0) + 1);
            if (outcome.is === 'delivered') settle(begun, { is: 'delivered', outcome, at: 1 });
            else if (outcome.is === 'permanent') settle(begun, { is: 'failed', outcome, failure, at: 1 });
            else settle(begun, { is: 'retry', outcome, at: 1, nextAttemptAt: 2 });
          }
        }
        if ('postpone' in each) {
          const stored = waiting[each.postpone];
          if (stored && !stored.inFlight) store.postpone(stored.delivery.id, 99);
        }
        if ('replace' in each) {
          const stored = store.outbox()[each.replace];
          if (stored) commit(store, { replace: [{ ...stored.delivery, notBefore: 7 }] });
        }
        if ('drop' in each)
          commit(store, {
            drop: store
              .outbox()
              .slice(each.drop, each.drop + 1)
              .map(({ delivery: { id } }) => id),
          });
        if ('forget' in each) commit(store, { forget: [each.forget] });
        if ('memo' in each) {
          const memo = { topic: 't', key: `${each.memo}`, value: each.value };
          commit(store, { memos: [memo] });
          const known = store.load().memos.find(({ key }) => key === memo.key);
          assert.deepEqual(known, each.value === undefined ? undefined : memo);
        }
        if ('pods' in each)
          commit(store, { incidents: [incident(each.of, { explanation: explained(each.of, each.pods) })] });
        note();
        checkWaiting(store, known);
        for (const dropped of store.takeDropped()) gone.add(dropped.delivery.id);
        if ('write' in each) write(each.write);
        if ('crash' in each) {
          const saved = history[disk.written - base];
          // An attempt is interrupted until its end is saved.
          const unsaved = [...settledIn].flatMap(([id, transaction]) => (transaction > disk.written ? [id] : []));
          for (const id of [...underWay.map(({ delivery }) => delivery.id), ...unsaved])
            repeatable.set(id, (repeatable.get(id) ?? 0) + 1);
          settledIn.clear();
          underWay = [];
          store = disk.reopen();
          known = new Map();
          assert.deepEqual(withoutMembers(contents(store)), withoutMembers(afterEnd(saved)));
          base = disk.written;
          history = [contents(store)];
        }
      }
      // In the end everything works.
      for (const begun of underWay) settle(begun, { is: 'delivered', outcome: { is: 'delivered' }, at: 3 });
      for (let head = heads(store)[0]; head; head = heads(store)[0]) {
        attempt(head);
        settle(head, { is: 'delivered', outcome: { is: 'delivered' }, at: 3 });
      }
      disk.write(disk.waiting);
      const ended = new Set(store.load().ended);
      const lastOf = new Map<string, number>();
      const times = new Map<string, number>();
      for (const delivery of sent) {
        const lane = laneOf(delivery);
        assert.ok(delivery.sequence >= (lastOf.get(lane) ?? 0), `${lane}: ${delivery.sequence} too late`);
        lastOf.set(lane, delivery.sequence);
        times.set(delivery.id, (times.get(delivery.id) ?? 0) + 1);
        assert.ok(ended.has(delivery.id) || gone.has(delivery.id), 'sent, and not known to have ended');
      }
      for (const id of accepted) assert.ok(ended.has(id) || gone.has(id), `${id} is lost`);
      for (const [id, count] of times) assert.ok(count <= 1 + (repeatable.get(id) ?? 0), `${id}: sent ${count} times`);
      disk.close();
    }),
    { numRuns: 100 },
  );
});
