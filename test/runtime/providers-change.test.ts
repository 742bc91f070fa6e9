import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../src/model/delivery.ts';
import { provider } from '../delivery/stage.ts';
import { coreStage, crashing } from './core-stage.ts';

const minute = 60_000;
const unauthorized: Outcome = { is: 'permanent', reason: 'HTTP 401', credential: true };
const broken: Outcome = { is: 'permanent', reason: 'HTTP 404', credential: false };

/** A stage on which one Pod crashes; what the product says is in `answer`. */
async function stage(providers = [provider('oncall', { credentialVersion: 'v1' })]) {
  const answers = new Map<string, Outcome>();
  const core = coreStage({ providers, answer: (name) => answers.get(name) ?? { is: 'delivered' } });
  await core.begin();
  const pod = crashing('api', core.clock.now());
  return { ...core, answers, pod };
}

test('a wrong token is corrected in its Secret: what is open is told, though nothing waited to be sent', async () => {
  const { host, put, set, answers, pod, store, arrived } = await stage();
  answers.set('oncall', unauthorized);
  put(pod);
  await host.advance(5 * minute);
  assert.deepEqual([arrived, store.outbox()], [[], []]);
  answers.clear();
  set([provider('oncall', { credentialVersion: 'v2' })]);
  await host.advance(10_000);
  assert.equal(arrived.length, 1);
});

test('a provider that is made anew as another product is told what is open, and its end; the old one hears nothing more', async () => {
  const { host, put, gone, set, pod, arrived } = await stage();
  put(pod);
  await host.advance(2 * minute);
  assert.equal(arrived.length, 1);
  set([]);
  await host.advance(1_000);
  set([provider('oncall', { uid: 'uid-anew', config: { name: 'anew' } })]);
  await host.advance(10_000);
  gone(pod);
  await host.advance(10 * minute);
  assert.deepEqual(
    arrived.map(({ provider: name }) => name),
    ['oncall', 'anew', 'anew'],
  );
  assert.equal(arrived.at(-1)?.act, 'resolve');
});

test('an opening that the provider and its fallback both refused is told once the provider is repaired', async () => {
  const mail = provider('mail', { active: { is: false, reason: 'FallbackOnly' } });
  const oncall = provider('oncall', { fallback: mail.ref });
  const { host, put, set, answers, pod, arrived } = await stage([oncall, mail]);
  answers.set('oncall', broken).set('mail', broken);
  put(pod);
  await host.advance(5 * minute);
  assert.deepEqual(arrived, []);
  answers.clear();
  set([{ ...oncall, generation: 2 }, mail]);
  await host.advance(10_000);
  assert.deepEqual(
    arrived.map(({ provider: name }) => name),
    ['oncall'],
  );
});
