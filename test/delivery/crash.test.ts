import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settlement, StoredDelivery } from '../../src/model/store.ts';
import type { Batch } from '../../src/model/turn.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { arrived, delivery, provider, refused, stage } from './stage.ts';

/** A store that outlives its process, which ends just before the write number `dies`: nothing after that is written. */
class MortalStore extends MemoryStore {
  #left: number;
  constructor(dies: number) {
    super();
    this.#left = dies;
  }
  /** What the next process finds. */
  left(): MemoryStore {
    return new MemoryStore(this.load());
  }
  #lives(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
  override commit(batch: Batch): void {
    if (this.#lives()) super.commit(batch);
  }
  override begin(id: string): StoredDelivery | undefined {
    return this.#lives() ? super.begin(id) : undefined;
  }
  override settle(id: string, settlement: Settlement): void {
    if (this.#lives()) super.settle(id, settlement);
  }
  override postpone(id: string, until: number): void {
    if (this.#lives()) super.postpone(id, until);
  }
}

const oncall = provider('oncall');

test('wherever the process ends, a refusal is known once: the delivery waits, or is a dead letter and reported as failed', async () => {
  const states = new Set<string>();
  for (let dies = 1; dies <= 5; dies += 1) {
    const store = new MortalStore(dies);
    const before = stage({ providers: [oncall], script: () => refused, store });
    before.enqueue(delivery(oncall, 'open', 1, { now: before.clock.now() }));
    await before.clock.advance(1000);
    const [waiting, dead] = [store.outbox().length, store.deadLetters().length];
    states.add(`${waiting} ${dead}`);
    assert.equal(waiting + dead, 1, `${dies}: it is in one place`);
    before.dispatcher.pause();
    const next = store.left();
    const after = stage({ providers: [oncall], script: () => refused, store: next, clock: before.clock });
    after.dispatcher.kick();
    await after.clock.advance(1000);
    assert.deepEqual([next.outbox().length, next.deadLetters().length], [0, 1]);
    const sent = before.seen.length + after.seen.length;
    assert.ok(sent <= (waiting === 1 && before.seen.length === 1 ? 2 : 1), `${dies}: ${sent} attempts`);
  }
  assert.ok(states.size >= 2, 'the process ended at different points');
});

test('wherever the process ends, what arrives is told once, or once more where its attempt was cut off', async () => {
  for (let dies = 1; dies <= 5; dies += 1) {
    const store = new MortalStore(dies);
    const before = stage({ providers: [oncall], script: () => arrived, store });
    before.enqueue(delivery(oncall, 'open', 1, { now: before.clock.now() }));
    await before.clock.advance(1000);
    const isCutOff = store.outbox().some(({ inFlight }) => inFlight);
    before.dispatcher.pause();
    const next = store.left();
    const after = stage({ providers: [oncall], script: () => arrived, store: next, clock: before.clock });
    after.dispatcher.kick();
    await after.clock.advance(1000);
    after.enqueue(delivery(oncall, 'resolve', 2, { now: after.clock.now() }));
    await after.clock.advance(10 * 60_000);
    const acts = [...before.seen, ...after.seen].map(({ act }) => act);
    assert.deepEqual([...new Set(acts)], ['open', 'resolve'], `${dies}`);
    assert.ok(acts.filter((act) => act === 'open').length <= (isCutOff ? 2 : 1), `${dies}: ${acts.join()}`);
    assert.deepEqual(next.outbox(), []);
  }
});
