import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settlement, Store, StoredDelivery } from '../../src/model/store.ts';
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
  revive(): void {
    this.#left = Number.POSITIVE_INFINITY;
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

/** What is in the outbox and in the dead letters, by provider. */
function contents(store: Store): { readonly waiting: string[]; readonly dead: string[]; readonly diverted: boolean } {
  return {
    waiting: store.outbox().map(({ delivery: { providerUid } }) => providerUid),
    dead: store.deadLetters().map(({ delivery: { providerUid } }) => providerUid),
    diverted: store.diversion('inc-1', 'uid-oncall') !== undefined,
  };
}

test('wherever the process ends, a delivery waits in one place only, and after the next start it reaches the fallback once', async () => {
  const mail = provider('mail', { active: { is: false, reason: 'FallbackOnly' } });
  const oncall = provider('oncall', { fallback: mail.ref });
  const script: Parameters<typeof stage>[0]['script'] = ({ config }) =>
    (config as { readonly name: string }).name === 'oncall' ? refused : arrived;
  const states = new Set<string>();
  for (let dies = 1; dies <= 8; dies += 1) {
    const store = new MortalStore(dies);
    const before = stage({ providers: [oncall, mail], script, store });
    before.enqueue(delivery(oncall, 'open', 1, { now: before.clock.now() }));
    await before.clock.advance(1000);
    const left = contents(store);
    states.add(JSON.stringify(left));
    // Either the original waits and nothing has happened, or it is a dead letter, its copy exists, and later acts follow it.
    const isUntouched = left.waiting.includes('uid-oncall') && left.dead.length === 0 && !left.diverted;
    const isHandedOver = !left.waiting.includes('uid-oncall') && left.dead.length === 1 && left.diverted;
    assert.ok(isUntouched !== isHandedOver, JSON.stringify(left));
    assert.ok(!(isUntouched && left.waiting.includes('uid-mail')), JSON.stringify(left));
    store.revive();
    const after = stage({ providers: [oncall, mail], script, store, clock: before.clock });
    after.dispatcher.kick();
    await after.clock.advance(1000);
    after.enqueue(delivery(oncall, 'resolve', 2, { now: after.clock.now() }));
    await after.clock.advance(10 * 60_000);
    const acts = [...before.seen, ...after.seen].flatMap(({ provider: to, act }) => (to === 'mail' ? act : []));
    assert.deepEqual(
      acts.filter((act, index) => act !== acts[index - 1]),
      ['open', 'resolve'],
      `${dies}: ${acts.join()}`,
    );
    assert.deepEqual(store.outbox(), []);
  }
  assert.ok(states.size >= 3, 'the process ended at different points');
});
