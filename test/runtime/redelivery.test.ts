import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../src/model/delivery.ts';
import type { TypeTraits } from '../../src/model/traits.ts';
import { provider } from '../delivery/stage.ts';
import { coreStage, crashing } from './core-stage.ts';

const minute = 60_000;
const refused: Outcome = { is: 'permanent', reason: 'HTTP 404', credential: false };
const lostAnswer: Outcome = { is: 'permanent', reason: 'no answer', credential: false, mayHaveArrived: true };
const pager: TypeTraits = { plain: 'alert', family: 'pager', closesByKey: true };

const fallback = provider('mail', { active: { is: false, reason: 'FallbackOnly' } });
const withFallback = [provider('oncall', { fallback: fallback.ref }), fallback];

/** A stage whose products answer as a test says, and one Pod that crashes from the start of the story on. */
async function stage(options: Pick<NonNullable<Parameters<typeof coreStage>[0]>, 'providers' | 'traits'> = {}) {
  const answers = new Map<string, Outcome>();
  const answer = (name: string, act: string): Outcome =>
    answers.get(`${name} ${act}`) ?? answers.get(name) ?? { is: 'delivered' };
  const core = coreStage({ ...options, answer });
  await core.begin();
  return { ...core, answers, pod: crashing('api', core.clock.now()) };
}

test('an opening that was refused is told as it stands now, once the cause is mended and somebody asks', async () => {
  const { host, put, answers, pod, arrived, decisions, store, redeliver } = await stage();
  answers.set('oncall', refused);
  put(pod);
  await host.advance(5 * minute);
  assert.deepEqual([arrived.length, store.deadLetters().length], [0, 1]);
  answers.clear();
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual(
    arrived.map(({ act }) => act),
    ['open'],
  );
  assert.match(arrived[0]?.note ?? '', /^Sent again: it could not be delivered at \d\d:\d\d/);
  assert.deepEqual([result?.nonce, result?.sent, result?.delivered, result?.left], ['mended', 1, 1, {}]);
  const { action, reasonCode, by } = decisions.at(-1) ?? {};
  assert.deepEqual([action, reasonCode, by], ['open', 'Redelivered', provider('oncall').ref]);
  assert.deepEqual(store.deadLetters(), [], 'nothing is left to send again');
  assert.deepEqual([(await redeliver('oncall', 'once more'))?.sent, arrived.length], [0, 1]);
});

test('what was sent again is followed by its end, in order', async () => {
  const { host, put, gone, answers, pod, acts, redeliver } = await stage();
  answers.set('oncall', refused);
  put(pod);
  await host.advance(5 * minute);
  answers.clear();
  await redeliver('oncall', 'mended');
  gone(pod);
  await host.advance(10 * minute);
  assert.deepEqual(acts(), ['open', 'resolve']);
});

test('what is over by now wakes nobody', async () => {
  const { host, put, gone, answers, pod, arrived, store, redeliver } = await stage();
  answers.set('oncall', refused);
  put(pod);
  await host.advance(5 * minute);
  gone(pod);
  await host.advance(10 * minute);
  answers.clear();
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual([arrived, result?.sent, result?.left.over], [[], 0, 1]);
  assert.deepEqual(store.deadLetters(), []);
});

test('the end that a provider refused is told, since it takes the incident for open', async () => {
  const { host, put, gone, answers, pod, acts, redeliver } = await stage();
  put(pod);
  await host.advance(5 * minute);
  answers.set('oncall', refused);
  gone(pod);
  await host.advance(10 * minute);
  assert.deepEqual(acts(), ['open']);
  answers.clear();
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual([acts(), result?.sent, result?.delivered], [['open', 'resolve'], 1, 1]);
});

test('the end that a provider refused is not sent again once it wants to hear of none', async () => {
  const { host, put, gone, set, answers, pod, acts, store, redeliver } = await stage();
  put(pod);
  await host.advance(5 * minute);
  answers.set('oncall', refused);
  gone(pod);
  await host.advance(10 * minute);
  answers.clear();
  set([provider('oncall', { sendResolved: false, generation: 2 })]);
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual([acts(), result?.sent, result?.left.over], [['open'], 0, 2], 'as it was tried, and probed');
  assert.deepEqual([store.deadLetters(), store.outbox()], [[], []]);
});

test('a fallback has told it: the provider is still owed it, is told when somebody asks, and both hear the end', async () => {
  const { host, put, gone, answers, pod, acts, store, redeliver } = await stage({ providers: withFallback });
  answers.set('oncall', refused);
  put(pod);
  await host.advance(4 * minute);
  assert.deepEqual(acts(), ['mail open']);
  answers.clear();
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual([acts(), result?.sent, result?.delivered], [['mail open', 'oncall open'], 1, 1]);
  assert.deepEqual(store.deadLetters(), []);
  gone(pod);
  await host.advance(10 * minute);
  assert.deepEqual(acts().toSorted(), ['mail open', 'mail resolve', 'oncall open', 'oncall resolve']);
});

test('an alert is closed by nobody else: its end is sent again though a fallback has told it', async () => {
  const { host, put, gone, answers, pod, acts, redeliver } = await stage({
    providers: withFallback,
    traits: new Map([['scripted', pager]]),
  });
  put(pod);
  await host.advance(5 * minute);
  answers.set('oncall', refused);
  gone(pod);
  await host.advance(7 * minute);
  assert.deepEqual(acts(), ['oncall open', 'mail resolve']);
  answers.clear();
  await redeliver('oncall', 'mended');
  assert.deepEqual(acts(), ['oncall open', 'mail resolve', 'oncall resolve']);
});

test('what the fallback could not tell either is sent again to whom it was meant for', async () => {
  const { host, put, answers, pod, acts, store, redeliver } = await stage({ providers: withFallback });
  answers.set('oncall', refused).set('mail', refused);
  put(pod);
  await host.advance(4 * minute);
  assert.equal(store.deadLetters().length, 2);
  answers.clear();
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual([acts(), result?.sent], [['oncall open'], 1]);
  assert.ok(!store.deadLetters().some(({ delivery }) => delivery.providerUid === provider('oncall').uid));
});

test('a fallback that could not be told either is told once it can be, as long as the provider cannot', async () => {
  const { host, put, answers, pod, acts } = await stage({ providers: withFallback });
  answers.set('oncall', refused).set('mail', refused);
  put(pod);
  await host.advance(4 * minute);
  answers.delete('mail');
  await host.advance(120 * minute);
  assert.deepEqual(acts(), ['mail open']);
});

test('a fallback that could not be told either is told when somebody asks', async () => {
  const { host, put, answers, pod, acts, redeliver } = await stage({ providers: withFallback });
  answers.set('oncall', refused).set('mail', refused);
  put(pod);
  await host.advance(4 * minute);
  answers.delete('mail');
  const result = await redeliver('mail', 'mended');
  assert.deepEqual([acts(), result?.sent], [['mail open'], 1]);
});

test('an opening that may have arrived is sent again, marked so that the product is asked for it first', async () => {
  const { host, put, answers, pod, arrived, store, redeliver } = await stage();
  answers.set('oncall', lostAnswer);
  put(pod);
  await host.advance(5 * minute);
  answers.clear();
  await redeliver('oncall', 'mended');
  assert.deepEqual(
    arrived.map(({ act }) => act),
    ['open'],
  );
  assert.deepEqual(store.deadLetters(), []);
});

test('what has been told since is not told again: a repaired Secret told it already', async () => {
  const { host, put, set, answers, pod, arrived, redeliver } = await stage({
    providers: [provider('oncall', { credentialVersion: 'v1' })],
  });
  answers.set('oncall', refused);
  put(pod);
  await host.advance(5 * minute);
  answers.clear();
  set([provider('oncall', { credentialVersion: 'v2' })]);
  await host.advance(1_000);
  assert.equal(arrived.length, 1);
  const result = await redeliver('oncall', 'mended');
  assert.deepEqual([arrived.length, result?.sent, result?.left.toldSince], [1, 0, 1]);
});

test('what is asked for before the cluster is known is decided with the baseline', async () => {
  const { core, begin, redeliver } = coreStage();
  assert.equal(await redeliver('oncall', 'early'), undefined);
  await begin();
  assert.equal(core.view.redelivery(provider('oncall').uid)?.nonce, 'early');
});

test('a failure of what is sent again is counted and kept, and can be asked for once more', async () => {
  const { host, put, answers, pod, acts, store, redeliver } = await stage();
  answers.set('oncall', refused);
  put(pod);
  await host.advance(5 * minute);
  const first = await redeliver('oncall', 'too early');
  assert.deepEqual([first?.sent, first?.failed, first?.failure], [1, 1, 'HTTP 404']);
  assert.equal(store.deadLetters().length, 1);
  answers.clear();
  const second = await redeliver('oncall', 'now');
  assert.deepEqual([acts(), second?.sent], [['open'], 1]);
});

test('of a storm that failed everything open is told, as one list', async () => {
  const { host, put, answers, clock, arrived, store, redeliver } = await stage();
  answers.set('oncall', refused);
  for (let n = 0; n < 200; n += 1) put(crashing(`api-${n}`, clock.now()));
  await host.advance(10 * minute);
  assert.deepEqual(arrived, []);
  answers.clear();
  await redeliver('oncall', 'mended');
  assert.ok(arrived.length > 0 && arrived.length <= 22, `${arrived.length} messages`);
  assert.deepEqual(store.deadLetters(), []);
});
