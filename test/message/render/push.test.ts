import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messengerText, pushOf } from '../../../src/message/render/push.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { notifications } from './sample.ts';

const room = { unit: 'characters', title: 250, text: 1_000 } as const;
const { open, resolve, test: trial } = notifications;

test('the title names problem and cluster, and the text does not repeat it', () => {
  const { title, text } = pushOf(open, room);
  assert.equal(title, 'shop/payments crashes: image 2.3 → 2.4 · 3 of 5 serve (prod eu)');
  assert.ok(text.startsWith(open.lead));
});

test('a fixed title takes nothing away: what it stands for begins the text', () => {
  const { title, text } = pushOf(open, room, 'Alerts');
  assert.equal(title, 'Alerts');
  assert.ok(text.startsWith(`${open.title}\n\n${open.lead}`));
});

test('both are within their room, and neither is empty', () => {
  const small = { unit: 'bytes', title: 20, text: 50 } as const;
  for (const fixed of [undefined, 'é'.repeat(50)]) {
    const { title, text } = pushOf(open, small, fixed);
    assert.ok(Buffer.byteLength(title) <= 20 && title.endsWith(fixed === undefined ? ')' : '…'), title);
    assert.ok(Buffer.byteLength(text) <= 50 && text.endsWith('…'), text);
  }
  const bare: Notification = { ...trial, lead: '', cluster: '' };
  assert.deepEqual(pushOf(bare, room), { title: bare.title, text: bare.title });
});

test('a text that is measured as JSON is that long when it is written', () => {
  const quoted: Notification = { ...open, lead: '"\\\n'.repeat(500) };
  const { text } = pushOf(quoted, { ...room, asJson: true });
  assert.ok(text.startsWith('"\\\n"') && text.endsWith('…'));
  assert.ok(JSON.stringify(text).length - 2 <= 1_000 && JSON.stringify(text).length > 990);
});

test('a messenger shows a sign, the title with the cluster, and the rest', () => {
  const text = messengerText(open, 1_000, 'bytes');
  assert.ok(text.startsWith(`🟠 ${open.title} (prod eu)\n\n${open.lead}\n\n- `), text);
  assert.ok(messengerText(resolve, 1_000, 'bytes').startsWith('✅ '));
  assert.equal(messengerText({ ...trial, lead: '', cluster: '' }, 1_000, 'bytes'), `🔵 ${trial.title}`);
  const short = messengerText(open, 200, 'bytes');
  assert.ok(Buffer.byteLength(short) <= 200 && short.startsWith('🟠 shop/pay'), short);
});
