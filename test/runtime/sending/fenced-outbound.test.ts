import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransportError } from '../../../src/providers/provider.ts';
import { fencedOutbound } from '../../../src/runtime/sending/fenced-outbound.ts';
import { createOutbound } from '../../../src/runtime/sending/outbound.ts';
import { dispatchedTypes } from '../../../src/runtime/sending/provider-types.ts';
import { realClock } from '../../delivery/clock.ts';
import { provider } from '../../delivery/stage.ts';
import { startReceiver } from '../../e2e/receiver.ts';
import { settingsWith } from '../../incident/helpers.ts';

test('an attempt of several requests that wakes without the lock sends no further one, and what is refused has not arrived', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  let held = true;
  const outbound = fencedOutbound(
    createOutbound({ clock: realClock, version: '0', namespace: 'tocsin', settings: settingsWith }),
    () => held,
  );
  t.after(() => outbound.close());
  const type = dispatchedTypes.get('webhook');
  assert.ok(type);
  const send = outbound.send(provider('oncall'), type, undefined);
  const request = { method: 'POST', url: receiver.url, json: {} } as const;
  assert.equal((await send(request)).status, 204);
  held = false;
  const refused = (error: unknown): boolean => error instanceof TransportError && !error.mayHaveArrived;
  await assert.rejects(send(request), refused);
  await assert.rejects(outbound.sendOwn(request), refused);
  await assert.rejects(outbound.held(undefined).send(request), refused);
  const relay = { host: '127.0.0.1', port: 1, tls: 'none', name: 'tocsin' } as const;
  await assert.rejects(outbound.mail(provider('mail'), type, undefined).check(relay), refused);
  assert.equal(receiver.messages.length, 1);
});
