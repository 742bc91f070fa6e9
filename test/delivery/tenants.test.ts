import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantLimits } from '../../src/delivery/tenants.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { settled } from './clock.ts';
import { arrived, batch, delivery, provider, refused, stage } from './stage.ts';

/** A provider of another namespace. */
function tenant(namespace: string, name: string, more: Partial<ProviderSettings> = {}): ProviderSettings {
  return provider(name, {
    ref: `AlertProvider/${namespace}/${name}`,
    uid: `uid-${namespace}-${name}`,
    namespace,
    ...more,
  });
}
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));
/** Never answers. */
const hangs = (): Promise<never> => new Promise(() => undefined);

/** `ATTACK=10000` has as many as a tenant could make in a day; the usual number takes two seconds. */
const incidents = Number(process.env.ATTACK ?? 1_000);

test('a thousand incidents for 50 providers that hang: what they use is bounded, and the neighbour is told at once', async () => {
  const attackers = many(50, (index) => tenant('attacker', `hang-${index}`));
  const victim = tenant('victim', 'chat');
  const on = stage({
    providers: [...attackers, victim, provider('oncall')],
    script: ({ config }) => (/^hang/.test(Object(config).name) ? hangs() : arrived),
  });
  const waitingOf = (namespace: string): number =>
    on.store.outbox().filter(({ delivery: { provider: ref } }) => ref.includes(`/${namespace}/`)).length;
  let latestMs = 0;
  let most = 0;
  for (let incident = 0; incident < incidents; incident += 100) {
    const now = on.clock.now();
    const opens = many(100, (index) =>
      attackers.map((each) => delivery(each, 'open', 1, { now, stream: `attack-${incident + index}` })),
    ).flat();
    on.store.commit(batch({ enqueue: [...opens, delivery(victim, 'open', 1, { now, stream: `real-${incident}` })] }));
    const begunAt = process.cpuUsage();
    const before = on.seen.filter(({ provider: name }) => name === 'chat').length;
    on.dispatcher.kick();
    for (
      let round = 0;
      round < 50 && on.seen.filter(({ provider: name }) => name === 'chat').length === before;
      round += 1
    )
      await settled();
    const { user, system } = process.cpuUsage(begunAt);
    latestMs = Math.max(latestMs, (user + system) / 1000);
    most = Math.max(most, waitingOf('attacker'));
    assert.equal(on.seen.filter(({ provider: name }) => name === 'chat').length, before + 1);
  }
  assert.equal(most, tenantLimits.waiting);
  assert.equal(on.seen.filter(({ provider: name }) => name.startsWith('hang')).length, tenantLimits.attempts);
  assert.equal(waitingOf('victim'), 0);
  // Processor time, since the machine may have others to serve.
  assert.ok(latestMs < 2_000, `${latestMs} ms`);
  // What it is told: on each of its objects.
  const view = on.view(attackers[0]?.ref ?? victim.ref);
  assert.equal(view.lastFailure?.code, 'NamespaceLimit');
  assert.match(view.lastFailure?.message ?? '', /more than 1000 messages of the namespace attacker wait/);
  assert.ok(view.failed > incidents * 0.9);
});

test('a provider that works is not crowded out by those of its own namespace that hang', async () => {
  const hanging = many(10, (index) => tenant('team', `hang-${index}`));
  const works = tenant('team', 'works');
  const on = stage({
    providers: [...hanging, works],
    script: ({ config }) => (/^hang/.test(Object(config).name) ? hangs() : arrived),
  });
  const now = on.clock.now();
  on.enqueue(
    ...hanging.flatMap((each) => many(200, (index) => delivery(each, 'open', 1, { now, stream: `i${index}` }))),
  );
  await settled();
  assert.equal(on.store.outbox().length, tenantLimits.waiting);
  on.enqueue(...many(5, (index) => delivery(works, 'open', 1, { now, stream: `new-${index}` })));
  assert.equal(on.store.outbox().filter(({ delivery: each }) => each.providerUid === works.uid).length, 5);
  assert.equal(on.store.outbox().length, tenantLimits.waiting);
});

test('of what must go, ends go last, and what was tried stays', async () => {
  const slow = tenant('team', 'slow');
  const on = stage({ providers: [slow], script: hangs });
  const now = on.clock.now();
  on.enqueue(...many(3, (index) => delivery(slow, 'open', 1, { now, stream: `tried-${index}` })));
  await settled();
  on.enqueue(
    ...many(500, (index) => delivery(slow, 'resolve', 2, { now, stream: `end-${index}` })),
    ...many(900, (index) => delivery(slow, 'open', 1, { now, stream: `begin-${index}` })),
  );
  await settled();
  const left = Map.groupBy(on.store.outbox(), ({ delivery: { stream } }) => stream.split('-')[0]);
  assert.deepEqual(
    ['tried', 'end', 'begin'].map((kind) => left.get(kind)?.length),
    [3, 500, tenantLimits.waiting - 503],
  );
  assert.ok(on.reports.every(({ ended, mayHaveArrived }) => ended === 'failed' && !mayHaveArrived));
});

test('attempts of a namespace begin as others end, and Tocsin’s own namespace is bounded by its providers only', async () => {
  const team = many(8, (index) => tenant('team', `t-${index}`));
  const own = many(8, (index) => provider(`own-${index}`));
  const pending: (() => void)[] = [];
  const on = stage({
    providers: [...team, ...own],
    script: () => new Promise((resolve) => pending.push(() => resolve(arrived))),
  });
  const now = on.clock.now();
  for (const each of [...team, ...own])
    on.enqueue(...many(4, (index) => delivery(each, 'open', 1, { now, stream: `i${index}` })));
  await settled();
  const begun = (prefix: string): number => on.seen.filter(({ provider: name }) => name.startsWith(prefix)).length;
  assert.deepEqual([begun('t-'), begun('own-')], [tenantLimits.attempts, 32]);
  for (const end of pending.splice(0)) end();
  await settled();
  assert.equal(begun('t-'), 32);
});

test('failed deliveries of one namespace do not push out those of another', async () => {
  const victim = tenant('victim', 'chat');
  const attacker = tenant('attacker', 'chat');
  const on = stage({ providers: [victim, attacker], script: () => refused });
  const now = on.clock.now();
  on.enqueue(...many(5, (index) => delivery(victim, 'open', 1, { now, stream: `v${index}` })));
  await on.clock.advance(1_000);
  for (let round = 0; round < 8; round += 1) {
    on.enqueue(
      ...many(200, (index) => delivery(attacker, 'open', 1, { now: on.clock.now(), stream: `a${round}-${index}` })),
    );
    await on.clock.advance(1_000);
  }
  const letters = Map.groupBy(on.store.deadLetters(), ({ delivery: { provider: ref } }) => ref);
  assert.equal(letters.get(victim.ref)?.length, 5);
  assert.equal(letters.get(attacker.ref)?.length, 495);
});
