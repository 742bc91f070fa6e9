import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createAdmission } from '../../src/server/admission.ts';
import type { Guard } from '../../src/server/views.ts';

/** A guard of a page that is asked for over the network, and what it was asked. */
function stage(verdict: (token: string) => 'allowed' | 'forbidden' | 'unauthenticated' = () => 'allowed') {
  let now = 1_000_000;
  const asked: string[] = [];
  const guard: Guard = {
    allowPlainHTTP: true,
    authorize: async (token) => {
      asked.push(token);
      return verdict(token);
    },
  };
  const admit = createAdmission(() => now);
  return {
    asked,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    async ask(token: string, from = '10.0.0.7', path = '/status'): Promise<string> {
      const headers = { authorization: `Bearer ${token}`, host: 'tocsin' };
      const request = { headers, socket: { remoteAddress: from } } as unknown as IncomingMessage;
      const admission = await admit(request, path, guard);
      return admission.is === 'admitted' ? 'admitted' : String(admission.status);
    },
  };
}

test('what the cluster says of a token holds for 10 s, for the path that was asked for', async () => {
  const { ask, asked, pass } = stage((token) => (token === 'good' ? 'allowed' : 'unauthenticated'));
  for (let n = 0; n < 50; n++) assert.deepEqual([await ask('good'), await ask('bad')], ['admitted', '401']);
  assert.deepEqual(asked, ['good', 'bad']);
  await ask('good', '10.0.0.7', '/metrics');
  assert.equal(asked.length, 3, 'a right to one path is none to another');
  pass(10_000);
  await ask('good');
  assert.equal(asked.length, 4);
});

test('who cannot be asked about is no verdict', async () => {
  let fails = true;
  const { ask } = stage(() => {
    if (fails) throw new Error('the API server is away');
    return 'allowed';
  });
  assert.equal(await ask('good'), '503');
  fails = false;
  assert.equal(await ask('good'), 'admitted');
});

test('an address that invents tokens is sent away, and keeps nobody of another from the page', async () => {
  const { ask, asked, pass } = stage((token) => (token === 'reader' ? 'allowed' : 'unauthenticated'));
  const answers = [];
  for (let n = 0; n < 100; n++) answers.push(await ask(`x${n}`, '2001:db8:0:1::7'));
  assert.equal(answers.filter((status) => status === '429').length, 90);
  assert.equal(await ask('y', '2001:db8:0:1:a:b:c:d'), '429', 'the whole /64 is one');
  assert.equal(await ask('reader', '2001:db8:0:2::1'), 'admitted');
  assert.equal(await ask('reader', '::ffff:10.0.0.8'), 'admitted');
  assert.equal(asked.length, 11, 'and what is known is known for everybody');
  pass(3_000);
  for (let n = 0; n < 5; n++) await ask(`z${n}`, '2001:db8:0:1::9');
  assert.equal(asked.length, 14, 'one more each second');
});
