import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../../src/model/delivery.ts';
import type { HeardPresses } from '../../../src/model/press.ts';
import { Secret } from '../../../src/model/secret.ts';
import type { ProviderSettings } from '../../../src/model/settings.ts';
import type { AnyProvider } from '../../../src/providers/kit/define.ts';
import { type AnswerablePress, type Ears, TransportError } from '../../../src/providers/provider.ts';
import { telegram } from '../../../src/providers/telegram.ts';
import { Listening } from '../../../src/runtime/sending/listening.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { virtualClock } from '../../delivery/clock.ts';
import { provider } from '../../incident/helpers.ts';

const bot = (name: string, more: Partial<ProviderSettings> = {}): ProviderSettings =>
  provider(name, {
    ...{ type: 'telegram', config: { chatId: '-1', actions: { users: ['7'] } } },
    ...{ secrets: { token: { secret: 'bot', key: 'token' } }, ...more },
  });
const pressed: AnswerablePress = { id: 'q1', user: { id: '7', name: 'Ada' }, carries: 'x', reply: {} };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Listening to a product that answers when the test says so. */
function stage(providers: readonly ProviderSettings[]) {
  const clock = virtualClock();
  const begunAt = clock.now();
  const asked: {
    readonly at: number;
    readonly ears: Ears<unknown>;
    readonly end: (outcome: Outcome | Error) => void;
  }[] = [];
  const heard: HeardPresses[] = [];
  const log: string[] = [];
  const state = { isReady: true };
  const definition: AnyProvider = {
    ...(telegram as AnyProvider),
    listening: {
      listen(ears) {
        const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
        const end = (outcome: Outcome | Error): void => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
        asked.push({ at: (clock.now() - begunAt) / 1000, ears, end });
        return promise;
      },
      answer: () => assert.fail(),
    },
  };
  const listening = new Listening({
    ...{
      clock,
      definitions: [definition],
      ways: () => ({ send: () => assert.fail(), converse: () => assert.fail() }),
      isReady: () => state.isReady,
    },
    log: createLogger({ level: 'info', stream: { write: (line) => log.push(line) } }),
    secrets: { open: async () => ({ values: new Map([['token', new Secret('1:CANARY-abcdef')]]), version: '1' }) },
    cursor: () => '5',
    heard: (one) => heard.push(one),
  });
  const settings = (some: readonly ProviderSettings[]) => ({ providers: some, operatorNamespace: 'tocsin' });
  listening.configure(settings(providers));
  return {
    clock,
    asked,
    heard,
    log,
    state,
    listening,
    configure: (some: readonly ProviderSettings[]) => listening.configure(settings(some)),
  };
}

test('nobody is asked without the lock; what comes after it is lost is not heard, and is asked for again', async () => {
  const { asked, heard, listening } = stage([bot('a')]);
  await settled();
  assert.equal(asked.length, 0);
  listening.resume();
  await settled();
  assert.deepEqual([asked.length, asked[0]?.ears.cursor], [1, '5']);
  asked[0]?.ears.heard([pressed], '6');
  listening.pause();
  assert.equal(asked[0]?.ears.signal.aborted, true);
  asked[0]?.ears.heard([pressed], '7');
  assert.deepEqual(
    heard.map(({ cursor, product }) => [cursor, product]),
    [['6', 'Telegram']],
  );
  listening.resume();
  await settled();
  assert.equal(asked.length, 2);
});

test('who names the same Secret shares one question; other Secrets, and values of one’s own, have their own', async () => {
  const inline = { token: { inline: true } } as const;
  const { asked, listening } = stage([
    ...[bot('a'), bot('b'), bot('c', { secrets: { token: { secret: 'other', key: 'token' } } })],
    ...[bot('d', { secrets: inline }), bot('e', { secrets: inline })],
  ]);
  listening.resume();
  await settled();
  assert.equal(asked.length, 4);
});

test('only providers that let somebody are asked for, in Tocsin’s own namespace, and while they work', async () => {
  const { asked, listening } = stage([
    ...[bot('a', { config: { chatId: '-1' } }), bot('b', { config: { actions: { users: [] } } })],
    ...[bot('c', { namespace: 'shop' }), bot('d', { suspended: true }), bot('e', { usable: false })],
    bot('f', { active: { is: false, reason: 'CommunityLimit' } }),
  ]);
  listening.resume();
  await settled();
  assert.equal(asked.length, 0);
});

test('after a failure it waits longer and longer, as long as the product says, and says so once', async () => {
  const { asked, clock, log, listening } = stage([bot('a')]);
  listening.resume();
  await settled();
  const failing: readonly (Outcome | Error)[] = [
    new TransportError('Unreachable', 'no way', false),
    new TransportError('Unreachable', 'no way', false),
    { is: 'rateLimited', afterMs: 30_000 },
    { is: 'permanent', reason: 'token 1:CANARY-abcdef is wrong', credential: true },
  ];
  for (const outcome of failing) {
    asked.at(-1)?.end(outcome);
    await settled();
    await clock.advance(61_000);
    await settled();
  }
  const waits = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
  assert.ok(
    waits.every((wait) => wait >= 1),
    JSON.stringify(waits),
  );
  assert.equal(log.filter((line) => line.includes('no way')).length, 1);
  assert.equal(log.join('').includes('CANARY'), false);
});

test('an edit of the provider, or of its Secret, begins anew; nothing is asked before the cluster is known', async () => {
  const { asked, clock, state, configure, listening } = stage([bot('a')]);
  state.isReady = false;
  listening.resume();
  await settled();
  assert.equal(asked.length, 0);
  state.isReady = true;
  await clock.advance(1_000);
  await settled();
  assert.equal(asked.length, 1);
  configure([bot('a')]);
  await settled();
  assert.equal(asked.length, 1, 'nothing has changed');
  configure([bot('a', { credentialVersion: '2' })]);
  await settled();
  assert.deepEqual([asked.length, asked[0]?.ears.signal.aborted], [2, true]);
  configure([]);
  assert.equal(asked[1]?.ears.signal.aborted, true);
});
