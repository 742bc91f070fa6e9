/** An edit keeps the log that the opening has shown: what is edited says the same as before, and what is new besides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { Secret } from '../../src/model/secret.ts';
import { homeassistant } from '../../src/providers/homeassistant.ts';
import { keptLog, withKeptLog } from '../../src/providers/kit/kept-log.ts';
import { matrix } from '../../src/providers/matrix.ts';
import { ntfy } from '../../src/providers/ntfy.ts';
import type { ProviderType } from '../../src/providers/provider.ts';
import { signal } from '../../src/providers/signal.ts';
import { slack } from '../../src/providers/slack.ts';
import { telegram } from '../../src/providers/telegram.ts';
import { webex } from '../../src/providers/webex.ts';
import { notifications } from './notifications.ts';
import { type Scripted, sent } from './sent.ts';

const { excerpt: _log, ...update } = notifications.update;
const { previousSeverity: _before, ...incident } = update.incident ?? assert.fail();
/** An update as it is told: no worse, and without a log, which is read for openings and relapses alone. */
const quiet: Notification = { ...update, severity: 'high', incident };

/** What the first request of an update says, after this answer to the opening. */
async function edited<C>(type: ProviderType<C>, config: C, answer: Scripted): Promise<string> {
  const { outcome } = await sent(type, config, notifications.open, [answer]);
  assert.equal(outcome.is, 'delivered', JSON.stringify(outcome));
  const { requests } = await sent(type, config, quiet, [answer, answer], outcome.ref);
  return JSON.stringify(requests[0]?.json);
}

test('edits and replacements show the log of the opening', async () => {
  const token = new Secret('token');
  const now = String(notifications.open.at);
  const said = [
    await edited(
      slack,
      { token, channel: 'C1', compact: false, site: 'slack.com' },
      { status: 200, json: { ok: true, channel: 'C1', ts: '1.2' } },
    ),
    await edited(
      telegram,
      { token, chatId: '1' },
      { status: 200, json: { ok: true, result: { message_id: 5, chat: { id: 1 } } } },
    ),
    await edited(webex, { accessToken: token, roomId: 'r' }, { status: 200, json: { id: 'm', roomId: 'r' } }),
    await edited(
      signal,
      { number: '+4915112345678', to: '+4915112345679', url: 'http://signal.push.svc' },
      { status: 201, json: [{ timestamp: now }] },
    ),
    await edited(
      matrix,
      { homeServer: 'https://m.example', accessToken: token, internalRoomId: '!r:m.example' },
      { status: 200, json: { event_id: '$1' } },
    ),
    await edited(
      homeassistant,
      { url: 'https://h.example', token, service: 'persistent_notification.create' },
      { status: 200, json: [] },
    ),
    await edited(
      homeassistant,
      { url: 'https://h.example', token, service: 'mobile_app_phone' },
      { status: 200, json: [] },
    ),
    await edited(ntfy, { topic: token, url: 'https://ntfy.sh', priority: 4 }, { status: 200, json: { id: 'x' } }),
  ];
  for (const text of said) assert.match(text, /panic: no config/);
});

test('what stands beside the opening and does not replace it keeps no log', async () => {
  const config = { url: 'https://h.example', token: new Secret('token'), service: 'kitchen' };
  const { outcome } = await sent(homeassistant, config, notifications.open, [{ status: 200, json: [] }]);
  assert.deepEqual(outcome, { is: 'delivered' });
});

test('a log of its own comes first, and what is kept is small, of whole lines, and nothing where it cannot be read', () => {
  const other = { source: 'another', lines: ['new'] };
  const ref: Reference = keptLog(notifications.open);
  assert.deepEqual(withKeptLog({ ...quiet, excerpt: other }, ref).excerpt, other);
  const long = keptLog({
    excerpt: { source: 's', lines: Array.from({ length: 99 }, (_, at) => `${at} ${'x'.repeat(90)}`) },
  });
  assert.ok(Buffer.byteLength(long.log ?? '') < 2_400);
  assert.match(withKeptLog(quiet, long).excerpt?.lines.at(-1) ?? '', /^98 x+$/);
  for (const log of ['', '{', 'null', '[]', '{"source":1,"lines":[]}'])
    assert.equal(withKeptLog(quiet, { log }), quiet);
  assert.equal(withKeptLog(quiet, undefined), quiet);
  assert.deepEqual(keptLog(quiet), {});
});
