/** What the conformance suite has no row for: what rings, and what stops it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { alertName } from '../../src/providers/kit/pager.ts';
import type { Answer, SendRequest } from '../../src/providers/provider.ts';
import { pushover } from '../../src/providers/pushover.ts';
import { deliveryOf, notifications } from './notifications.ts';

const none = () => Promise.reject(new Error('this type has no mail server'));
const well: Answer = {
  status: 200,
  headers: {},
  body: '',
  json: () => undefined,
  outcome: () => ({ is: 'delivered' }),
} as const;

/** What is asked of Pushover to tell it: the end of each address, and how loud it is. */
async function asked(notification: Notification): Promise<readonly string[]> {
  const requests: SendRequest[] = [];
  await pushover.deliver({
    notification,
    delivery: deliveryOf(notification),
    config: { token: new Secret('t'), user: new Secret('u') },
    send: (request) => {
      requests.push(request);
      return Promise.resolve(well);
    },
    mail: { send: none, check: none },
    now: 0,
  });
  return requests.map(({ url, form }) =>
    [String(url).replace('https://api.pushover.net/1/', ''), form?.priority, form?.retry, form?.expire, form?.tags]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}

test('an overview that rings is told by the name under which its end silences it', async () => {
  const storm: Notification = { ...notifications.overview, severity: 'critical' };
  const name = alertName(deliveryOf(storm));
  assert.deepEqual(await asked(storm), [`messages.json 2 60 3600 ${name}`]);
  assert.deepEqual(await asked({ ...storm, over: true }), [`receipts/cancel_by_tag/${name}.json`, 'messages.json -1']);
});

test('of later acts of an emergency only what got worse, a reminder and a reopening ring', async () => {
  const { incident, ...update } = notifications.update;
  assert.ok(incident);
  const { previousSeverity: _before, ...face } = incident;
  const again = 'messages.json 2 60 3600 tocsin-239710bd74f24b70';
  assert.deepEqual(await asked(notifications.update), [again]);
  assert.deepEqual(await asked({ ...update, incident: { ...face, ring: true } }), [again]);
  assert.deepEqual(await asked({ ...notifications.reopen, severity: 'critical' }), [again]);
  assert.deepEqual(await asked({ ...update, incident: face }), ['messages.json -1']);
});
