/** Forges give back what they were given: answers are longer than those of other products, through the real sender. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createSender } from '../../src/delivery/send.ts';
import { Secret } from '../../src/model/secret.ts';
import { gitea } from '../../src/providers/gitea.ts';
import { marker } from '../../src/providers/kit/marker.ts';
import { realClock } from '../delivery/clock.ts';
import { deliveryOf, notifications } from './notifications.ts';
import { startProduct } from './product.ts';

test('an issue is known although its whole text comes back, and found in a long list', async () => {
  const { open, update } = notifications;
  const long = '世'.repeat(60_000);
  const others = Array.from({ length: 20 }, (_, number) => ({ number, body: long.slice(0, 50_000) }));
  const mine = { number: 12, body: `Text.\n\n<!-- ${marker(deliveryOf(open))} -->` };
  await using product = await startProduct([
    { status: 201, body: JSON.stringify({ number: 12, body: long }) },
    { status: 200, body: JSON.stringify({ login: 'tocsin' }) },
    { status: 200, body: JSON.stringify([...others, mine]) },
  ]);
  const settings = () => ({ timeoutMs: 5_000, allowedPrivateDestinations: [] });
  const sender = createSender({
    clock: realClock,
    version: 'test',
    resolver: new Resolver({ clock: realClock }),
    settings,
  });
  try {
    const none = () => Promise.reject(new Error('this type sends no mail'));
    const config = {
      token: new Secret('token-of-a-test'),
      owner: 'acme',
      repo: 'ops',
      url: product.url,
      closeOnResolve: false,
    };
    const ways = { config, send: sender.for({ allPrivate: true }), mail: { send: none, check: none }, now: 0 };
    const outcome = await gitea.deliver({ notification: open, delivery: deliveryOf(open), ...ways });
    assert.deepEqual(outcome, { is: 'delivered', ref: { item: '12' } });
    const found = await gitea.find?.({ notification: update, delivery: deliveryOf(update), ...ways });
    assert.deepEqual(found, { item: '12' });
  } finally {
    await sender.close();
  }
});
