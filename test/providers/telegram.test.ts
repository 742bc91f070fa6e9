/** What the conformance suite does not see of Telegram: updates that edit, who is rung, and links that fit no button. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inert, telegramHtml, telegramWith } from '../../src/message/render/telegram-html.ts';
import type { Notification } from '../../src/model/notification.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { readAnswer } from '../../src/providers/kit/answer.ts';
import type { Answer } from '../../src/providers/provider.ts';
import { telegramListening } from '../../src/providers/telegram/presses.ts';
import { telegram } from '../../src/providers/telegram.ts';
import { hostile, materials, oversize } from './conformance/hostile.ts';
import { remarksOn } from './linted.ts';
import { deliveryOf, notifications } from './notifications.ts';

const ref = { chat: '-100', message: '42' };
const sent = { ok: true, result: { message_id: 43, chat: { id: -100 } } };
const failed = (description: string, parameters = {}) => ({ ok: false, error_code: 400, description, parameters });
const same = { ...notifications.update, severity: 'high' } as const satisfies Notification;

/** Delivers once, with these answers in turn; what was asked, method and body. */
async function deliver(notification: Notification, answers: readonly { readonly ok: boolean }[], known?: typeof ref) {
  const asked: { readonly method: string | undefined; readonly body: ReturnType<typeof Object> }[] = [];
  const outcome = await telegram.deliver({
    notification,
    delivery: deliveryOf(notification),
    config: { token: new Secret('1:a'), chatId: '@alerts' },
    ...(known && { ref: known }),
    now: 0,
    mail: { send: () => assert.fail(), check: () => assert.fail() },
    async send({ json }) {
      const scripted = answers[asked.length] ?? sent;
      asked.push({ method: 'message_id' in Object(json) ? 'edit' : 'send', body: Object(json) });
      const body = JSON.stringify(scripted);
      const status = scripted.ok ? 200 : 400;
      const answer: Answer = {
        status,
        headers: {},
        body,
        json: () => JSON.parse(body),
        outcome: (reading, kept) => readAnswer(answer, reading, kept),
      };
      return answer;
    },
  });
  return { outcome, asked, methods: asked.map(({ method }) => method) };
}

describe('an update that is no worse', () => {
  test('edits the last message with its buttons, and keeps it', async () => {
    const { outcome, asked, methods } = await deliver(same, [{ ok: true }], ref);
    assert.deepEqual(outcome, { is: 'delivered', ref });
    assert.deepEqual(methods, ['edit']);
    assert.equal(asked[0]?.body.chat_id, '-100');
    assert.equal(asked[0]?.body.message_id, 42);
    assert.equal(asked[0]?.body.reply_markup.inline_keyboard.flat().length, notifications.update.links.length);
    assert.deepEqual(asked[0]?.body.link_preview_options, { is_disabled: true });
  });

  test('is delivered when an earlier attempt has made the edit', async () => {
    const { outcome, methods } = await deliver(same, [failed('Bad Request: message is not modified: same')], ref);
    assert.deepEqual(outcome, { is: 'delivered', ref });
    assert.deepEqual(methods, ['edit']);
  });

  for (const gone of ['Bad Request: message to edit not found', "Bad Request: message can't be edited"])
    test(`is a new message after "${gone}", which rings nobody`, async () => {
      const { outcome, asked, methods } = await deliver(same, [failed(gone)], ref);
      assert.deepEqual(outcome, { is: 'delivered', ref: { chat: '-100', message: '43' } });
      assert.deepEqual(methods, ['edit', 'send']);
      assert.equal(asked[1]?.body.disable_notification, true);
    });

  test('is tried again, with its reference, when the edit fails otherwise', async () => {
    const { outcome, methods } = await deliver(same, [failed('Bad Request: not enough rights')], ref);
    assert.ok(outcome.is === 'permanent');
    assert.deepEqual(outcome.ref, ref);
    assert.deepEqual(methods, ['edit']);
  });

  test('goes to the supergroup that the group has become', async () => {
    const moved = failed('Bad Request: group chat was upgraded', { migrate_to_chat_id: -100 });
    const { asked, methods } = await deliver(same, [moved, moved], { chat: '-7', message: '1' });
    assert.deepEqual(methods, ['edit', 'send', 'send']);
    assert.equal(asked[2]?.body.chat_id, '-100');
    assert.equal(asked[2]?.body.reply_parameters, undefined);
    assert.match(asked[2]?.body.text, /supergroup now: set chatId to -100/);
  });
});

test('what is urgent rings, what is not or only goes on does not', async () => {
  const rings = async (notification: Notification): Promise<boolean> => {
    const { asked } = await deliver(notification, []);
    return asked[0]?.body.disable_notification === false;
  };
  const {
    open,
    update,
    resolve,
    reopen,
    digest,
    startup,
    overview,
    test: probe,
    'startup-well': healthy,
  } = notifications;
  const found = await Promise.all([open, update, resolve, reopen, startup, overview].map(rings));
  assert.deepEqual(found, [true, true, true, true, true, true]);
  const quiet = [same, { ...open, severity: 'medium' } as const, { ...open, severity: 'low' } as const];
  assert.ok((await Promise.all([...quiet, digest, healthy, probe].map(rings))).every((loud) => !loud));
});

describe('content', () => {
  test('a link that Telegram refuses on a button stands in the text, to be copied', () => {
    const links = [
      { title: 'Dashboard', url: 'http://grafana:3000/d/1?a=1&b=2' },
      { title: 'Local', url: 'http://[fd00::1]/x' },
      { title: 'Runbook', url: 'https://runbooks.example/crash' },
    ];
    const { text, reply_markup } = telegramHtml({ ...notifications.open, links });
    assert.deepEqual(reply_markup?.inline_keyboard, [[{ text: 'Runbook', url: 'https://runbooks.example/crash' }]]);
    assert.match(text, /Dashboard: <code>http:\/\/grafana:3000\/d\/1\?a=1&amp;b=2<\/code>/);
    assert.match(text, /Local: <code>http:\/\/\[fd00::1\]\/x<\/code>/);
  });

  test('nothing that Telegram detects in plain text is left', () => {
    const words = inert('@admin #tag $USD /start (/stop) https://a.example www.b.example c@d.example 10.0.0.1');
    assert.doesNotMatch(words, /[@#]\w|\$U|\/s|:\/\/|\w\.[a-z]|\d\.1$/);
    assert.equal(
      words.replaceAll('\u200b', ''),
      '@admin #tag $USD /start (/stop) https://a.example www.b.example c@d.example 10.0.0.1',
    );
    assert.equal(inert('Deployment shop/api runs 2.4 with 3/5 pods'), 'Deployment shop/api runs 2.4 with 3/5 pods');
  });

  test('names that it would detect are code, in a title too, where nothing bold may hold it', () => {
    const name = 'ip-10-0-3-7.eu-west-1.compute.internal';
    const { text } = telegramHtml({
      ...notifications.open,
      title: `[high] NodeUnreachable · Node ${name}`,
      lead: `Node ${name} does not answer at 10.0.3.7:10250.`,
    });
    assert.ok(text.startsWith(`🟠 <b>[high] NodeUnreachable · Node </b><code>${name}</code><b> (prod eu)</b>\n`), text);
    assert.match(text, /answer at <code>10\.0\.3\.7:10250<\/code>\.\n/);
    assert.ok(!text.includes('\u200b'), text);
  });

  test('every tag is one that Telegram knows and is closed, and no entity is cut', () => {
    const all = [...Object.values(notifications), hostile()];
    const long = Object.values(materials).flatMap((unit) => [oversize(unit, 'open'), oversize(unit, 'digest')]);
    for (const { text } of [...all, ...long].map((each) => telegramHtml(each))) {
      const open: string[] = [];
      for (const [, closing, tag = ''] of text.matchAll(/<(\/?)([^>]*)>/g)) {
        assert.match(tag, /^(?:b|i|code|pre)$/);
        if (closing === '/') assert.equal(open.pop(), tag);
        else open.push(tag);
      }
      assert.deepEqual(open, []);
      assert.doesNotMatch(text, /&(?!amp;|lt;|gt;|quot;|#39;)|<$/);
      assert.ok(text.length > 0 && text.length <= 4_096);
    }
  });
});

describe('buttons', () => {
  const config = { token: new Secret('1:a'), chatId: '@alerts' };
  const listened = async (result: unknown, status = 200) => {
    const asked: ReturnType<typeof Object>[] = [];
    const heard: unknown[] = [];
    const outcome = await telegramListening.listen({
      ...{ config, uid: 'u', cursor: '41', signal: new AbortController().signal, converse: () => assert.fail() },
      heard: (presses, cursor) => heard.push({ presses, cursor }),
      async send({ json, url }) {
        assert.match(openSecret(url as Secret), /\/getUpdates$/);
        asked.push(Object(json));
        const answer: Answer = {
          ...{ status, headers: {}, body: '', json: () => result },
          outcome: (reading) => readAnswer(answer, reading, undefined, 0),
        };
        return answer;
      },
    });
    return { asked, heard, outcome };
  };
  const from = { id: 7, first_name: 'Ada', last_name: 'L\u202e' };
  const query = { id: 'q1', from, data: 'ack:i:u' };

  test('a press is read with who and what; whatever else comes is confirmed and is none', async () => {
    const others = [
      { update_id: 45 },
      { update_id: 44, callback_query: { ...query, data: 5 } },
      null,
      { update_id: 'x' },
    ];
    const { asked, heard } = await listened({
      ok: true,
      result: [{ update_id: 43, callback_query: query }, ...others],
    });
    assert.deepEqual(asked, [{ timeout: 25, limit: 20, allowed_updates: ['callback_query'], offset: 41 }]);
    const press = { id: 'q1', user: { id: '7', name: 'Ada L' }, carries: 'ack:i:u', reply: { query: 'q1' } };
    assert.deepEqual(heard, [{ presses: [press], cursor: '46' }]);
  });

  test('an empty answer hands nothing on; a conflict and a refusal are none', async () => {
    assert.deepEqual((await listened({ ok: true, result: [] })).heard, []);
    for (const [status, description] of [
      [409, 'Conflict: terminated by other getUpdates request'],
      [401, 'Unauthorized'],
    ] as const) {
      const { heard, outcome } = await listened({ ok: false, error_code: status, description }, status);
      assert.deepEqual(heard, []);
      assert.notEqual(outcome.is, 'delivered');
    }
  });

  test('they stand above the links and go with the fallback in plain text', () => {
    const content = telegramWith(
      telegramHtml({ ...notifications.open, links: [{ title: 'Runbook', url: 'https://a.example/b' }] }),
      [{ text: 'Acknowledge', carries: 'ack:i:u' }],
    );
    assert.deepEqual(content.reply_markup?.inline_keyboard[0], [{ text: 'Acknowledge', callback_data: 'ack:i:u' }]);
    assert.equal(content.reply_markup?.inline_keyboard.length, 2);
  });

  test('lint: nobody, and a namespace whose messages have none, are said', () => {
    const block = { token: { secretKeyRef: { name: 'bot', key: 'token' } }, chatId: '-1' };
    const remarks = (users: readonly string[], namespace?: string) =>
      remarksOn('telegram', { ...block, actions: { users } }, namespace).filter((remark) => remark.includes('actions'));
    assert.deepEqual(remarks(['7']), []);
    assert.match(remarks([])[0] ?? '', /`spec\.telegram\.actions\.users` names nobody/);
    assert.match(remarks(['7'], 'shop')[0] ?? '', /`spec\.telegram\.actions` has no effect in the namespace "shop"/);
    assert.match(remarks(['@ada'])[0] ?? '', /actions\.users\[0\]/);
  });
});
