import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantLimits } from '../../src/delivery/tenants.ts';
import type { WaitingDeliveries } from '../../src/model/store.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { settled } from './clock.ts';
import { arrived, broken, delivery, provider, stage } from './stage.ts';

/** A store that counts what is looked at: lanes, and lists of all that waits. */
class CountingStore extends MemoryStore {
  lanesLookedAt = 0;
  lists = 0;
  override outbox() {
    this.lists += 1;
    return super.outbox();
  }
  override get waiting(): WaitingDeliveries {
    const waiting = super.waiting;
    const listed = <Answer>(answer: Answer): Answer => {
      this.lists += 1;
      return answer;
    };
    return {
      head: (lane) => {
        this.lanesLookedAt += 1;
        return waiting.head(lane);
      },
      takeChangedLanes: () => waiting.takeChangedLanes(),
      pendingOf: (uid) => waiting.pendingOf(uid),
      namespaces: () => waiting.namespaces(),
      lane: (lane) => waiting.lane(lane),
      ofProvider: (uid) => listed(waiting.ofProvider(uid)),
      inNamespace: (namespace) => listed(waiting.inNamespace(namespace)),
    };
  }
  /** What `work` looks at. */
  async during(work: () => unknown): Promise<{ readonly lanes: number; readonly lists: number }> {
    const [lanes, lists] = [this.lanesLookedAt, this.lists];
    await work();
    await settled();
    return { lanes: this.lanesLookedAt - lanes, lists: this.lists - lists };
  }
}

const slow = provider('slow');
const fast = provider('fast');
const many = 10_000;

/** Ten thousand deliveries behind a product that takes its time; `answer` ends the attempt that has run longest. */
async function crowd() {
  const store = new CountingStore();
  const running: (() => void)[] = [];
  const on = stage({
    ...{ providers: [slow, fast], store },
    type: { pacing: { perSecond: 1e6, burst: 1e6 } },
    script: ({ config }) =>
      Object(config).name === 'fast'
        ? arrived
        : new Promise((resolve) => {
            running.push(() => resolve(arrived));
          }),
  });
  const now = on.clock.now();
  const filing = await store.during(() =>
    on.enqueue(
      ...Array.from({ length: many }, (_, index) => delivery(slow, 'open', 1, { now, stream: `slow-${index}` })),
    ),
  );
  return { ...on, store, filing, answer: () => running.shift()?.() };
}

test('with 10,000 deliveries behind one slow product each is looked at once, and then only what can go', async () => {
  const { store, seen, filing, answer, enqueue, clock, dispatcher } = await crowd();
  assert.ok(filing.lanes <= many + 10, `${filing.lanes} lanes looked at to file them`);
  assert.equal(filing.lists, 0);
  const idle = await store.during(() => {
    for (let look = 0; look < 100; look += 1) dispatcher.kick();
  });
  assert.deepEqual(idle, { lanes: 0, lists: 0 });
  const served = await store.during(async () => {
    for (let index = 0; index < 100; index += 1) {
      answer();
      await settled();
    }
  });
  assert.equal(seen.length, 104);
  // Each lane that ends.
  assert.deepEqual(served, { lanes: 100, lists: 0 });
  const passing = await store.during(async () => {
    for (let index = 0; index < 100; index += 1) {
      enqueue(delivery(fast, 'open', 1, { now: clock.now(), stream: `fast-${index}` }));
      await settled();
    }
  });
  assert.equal(seen.filter(({ provider: name }) => name === 'fast').length, 100);
  assert.ok(passing.lanes <= 300 && passing.lists === 0, `${passing.lanes} lanes looked at for 100`);
});

test('ten thousand that wait for a product that is being probed are not looked at for each probe', async () => {
  const store = new CountingStore();
  const { clock, seen, enqueue } = stage({ ...{ providers: [slow], store, script: () => broken }, random: () => 0.5 });
  const now = clock.now();
  enqueue(...Array.from({ length: many }, (_, index) => delivery(slow, 'open', 1, { now, stream: `s-${index}` })));
  await clock.advance(60_000);
  const begun = seen.length;
  const looked = await store.during(() => clock.advance(60 * 60_000));
  const probes = seen.length - begun;
  assert.ok(probes >= 10 && probes <= 60, `${probes} probes`);
  assert.ok(looked.lanes <= 3 * probes && looked.lists === 0, `${looked.lanes} lanes looked at for ${probes} probes`);
});

test('a lane with ever new messages does not keep the others waiting, nor they it', async () => {
  const on = stage({
    ...{ providers: [slow], type: { pacing: { perSecond: 1, burst: 1 } } },
    script({ delivery: { stream, sequence } }) {
      const next = delivery(slow, 'reopen', sequence + 1, { now: on.clock.now(), stream });
      if (stream === 'busy') on.enqueue(next);
      return arrived;
    },
  });
  const now = on.clock.now();
  const quiet = Array.from({ length: 20 }, (_, index) => delivery(slow, 'open', 1, { now, stream: `quiet-${index}` }));
  on.enqueue(delivery(slow, 'open', 1, { now, stream: 'busy' }), ...quiet);
  await on.clock.advance(21_500);
  const streams = on.seen.map(({ stream }) => stream);
  assert.deepEqual(streams, ['busy', ...quiet.map(({ stream }) => stream), 'busy']);
});

test('of a namespace that has all its attempts under way the delivery that was made first goes next, whichever provider it is for', async () => {
  const team = Array.from({ length: 6 }, (_, index) =>
    provider(`t-${index}`, { ref: `AlertProvider/team/t-${index}`, uid: `uid-team-${index}`, namespace: 'team' }),
  );
  const running: (() => void)[] = [];
  const on = stage({
    providers: team,
    script: ({ config, delivery: { stream, sequence } }) =>
      new Promise((resolve) => {
        running.push(() => {
          const to = team.find(({ config: { name } }) => name === Object(config).name) ?? assert.fail();
          on.enqueue(delivery(to, 'reopen', sequence + 1, { now: on.clock.now(), stream }));
          resolve(arrived);
        });
      }),
  });
  const now = on.clock.now();
  for (const each of team)
    on.enqueue(...Array.from({ length: 4 }, (_, index) => delivery(each, 'open', 1, { now, stream: `i${index}` })));
  await settled();
  assert.equal(on.seen.length, tenantLimits.attempts);
  for (let ended = 0; ended < 4; ended += 1) {
    running.shift()?.();
    await settled();
  }
  assert.deepEqual(
    on.seen.slice(tenantLimits.attempts).map(({ provider: name }) => name),
    ['t-5', 't-5', 't-5', 't-5'],
  );
});

test('what waits for room begins as soon as an attempt has ended, before the turn that is told of the end', async () => {
  const { seen, answer } = await crowd();
  assert.equal(seen.length, 4);
  answer();
  // Promises only: the turn comes with the next round of the loop.
  for (let step = 0; step < 100; step += 1) await Promise.resolve();
  assert.equal(seen.length, 5);
});
