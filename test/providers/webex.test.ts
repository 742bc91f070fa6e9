/** What the conformance suite does not see of Webex: how often a message is edited, and what the end leaves room for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { webex } from '../../src/providers/webex.ts';
import { notifications } from './notifications.ts';
import { play, type Scripted } from './play.ts';

const { open, update, resolve, reopen } = notifications;
const quiet = { ...update, severity: 'high' } as const satisfies Notification;
const config = { accessToken: new Secret('token'), roomId: 'R0' };
const known = (edits: string): Reference => ({ message: 'M1', room: 'R1', edits });
const well: Scripted = { json: { id: 'M2', roomId: 'R1' } };
const methods = ({ asked }: Awaited<ReturnType<typeof play>>): readonly string[] => asked.map(({ method }) => method);

describe('an update that is no worse', () => {
  test('edits the message and tells nobody', async () => {
    const played = await play(webex, { config, notification: quiet, ref: known('0'), answers: [well] });
    assert.deepEqual(methods(played), ['PUT']);
    assert.deepEqual(played.outcome, { is: 'delivered', ref: known('1') });
    assert.equal(played.asked[0]?.body.roomId, 'R1');
  });

  test('is a reply once two edits are left, which are for the end and the return', async () => {
    const late = await play(webex, { config, notification: quiet, ref: known('8'), answers: [well] });
    assert.deepEqual(methods(late), ['POST']);
    assert.deepEqual(late.outcome, { is: 'delivered', ref: known('8') });
    assert.equal(late.asked[0]?.body.parentId, 'M1');
    const over = await play(webex, { config, notification: resolve, ref: known('8'), answers: [well] });
    assert.deepEqual(methods(over), ['PUT', 'POST']);
    assert.deepEqual(over.outcome, { is: 'delivered', ref: known('9') });
    const back = await play(webex, { config, notification: reopen, ref: known('9'), answers: [well] });
    assert.deepEqual(back.outcome, { is: 'delivered', ref: known('10') });
  });

  test('is a reply when Webex takes no edit, and no other is tried', async () => {
    const refused: Scripted = { status: 400, json: { message: 'edit limit has been reached' } };
    const { outcome } = await play(webex, { config, notification: quiet, ref: known('3'), answers: [refused, well] });
    assert.deepEqual(outcome, { is: 'delivered', ref: known('10') });
  });
});

test('what gets worse is edited and replied', async () => {
  const played = await play(webex, { config, notification: update, ref: known('0'), answers: [well] });
  assert.deepEqual(methods(played), ['PUT', 'POST']);
});

test('a reply that failed does not forget the edit that was made', async () => {
  const answers: readonly Scripted[] = [well, { status: 503 }];
  const { outcome } = await play(webex, { config, notification: resolve, ref: known('4'), answers });
  assert.equal(outcome.is, 'retryable');
  assert.deepEqual(outcome.ref, known('5'));
});

test('the id that clients copy becomes the one of the API', async () => {
  const uuid = '8a6a2b60-1c11-11ef-9a37-0b2c5f0e7d11';
  const { asked } = await play(webex, { config: { ...config, roomId: uuid }, notification: open, answers: [well] });
  const { roomId } = asked[0]?.body ?? {};
  assert.equal(Buffer.from(String(roomId), 'base64').toString(), `ciscospark://us/ROOM/${uuid}`);
});
