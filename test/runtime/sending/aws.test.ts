/** Who may come as Tocsin: its own AlertProviders, in its Pod. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from '../../../src/runtime/sending/outbound.ts';
import { realClock } from '../../delivery/clock.ts';

import { provider, settingsWith } from '../../incident/helpers.ts';

const outboundOf = (pod?: Parameters<typeof createOutbound>[0]['pod']) =>
  createOutbound({
    ...{ clock: realClock, version: '0', namespace: 'tocsin', settings: settingsWith },
    ...(pod && { pod }),
  });
const asked = { send: () => assert.fail(), region: 'eu-west-1', now: 0 };

test('a provider of another namespace has no identity, one of ours has that of the Pod', async (t) => {
  const outbound = outboundOf({ env: {}, read: () => assert.fail() });
  t.after(() => outbound.close());
  assert.equal(outbound.aws(provider('theirs', { namespace: 'shop' })), undefined);
  const own = await outbound.aws(provider('ours', { namespace: 'tocsin' }))?.keys(asked);
  assert.ok(own && 'refused' in own && own.refused.is === 'permanent');
  assert.match(own.refused.reason, /the Pod of Tocsin is nobody at AWS/);
});

test('outside the Pod nobody can tell: not a refusal', async (t) => {
  const outbound = outboundOf();
  t.after(() => outbound.close());
  const elsewhere = await outbound.aws(provider('ours', { namespace: 'tocsin' }))?.keys(asked);
  assert.ok(elsewhere && 'refused' in elsewhere && elsewhere.refused.is === 'retryable');
  assert.match(elsewhere.refused.reason, /known to that Pod alone/);
});
