/** Who is asked for with a message, in each product that can be asked for somebody, and that it is never everybody. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import type { Contact } from '../../src/model/people.ts';
import { Secret } from '../../src/model/secret.ts';
import type { AnyProvider } from '../../src/providers/kit/define.ts';
import { nobody, peopleFor } from '../../src/providers/kit/people.ts';
import { providers } from '../../src/providers/registry.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { notifications } from './notifications.ts';
import { play, type Scripted } from './play.ts';

const open = ownedBy(notifications.open, 'payments');

function ownedBy(notification: Notification, ...owners: readonly string[]): Notification {
  const { incident } = notification;
  return { ...notification, ...(incident && { incident: { ...incident, owners } }) };
}

const url = (address: string) => ({ webhook: new Secret(address) });
const slackBot = { token: new Secret('xoxb-1'), channel: 'C0DEFAULT', site: 'slack.com', compact: false };
const tracker = { token: new Secret('t'), url: 'https://forge.example' };

/** Type → an opened configuration, who is asked for, and what of the request asks for them. */
const rows: readonly (readonly [type: string, config: object, contact: Contact, expected: readonly RegExp[]])[] = [
  [
    'slack',
    slackBot,
    { mentions: ['U0ADA0', 'S0ONCALL'] },
    [
      /"text":"[^"]* <@U0ADA0> <!subteam\^S0ONCALL>"/,
      /"type":"section","text":\{"type":"mrkdwn","text":"<@U0ADA0> <!subteam\^S0ONCALL>"/,
    ],
  ],
  ['slack', { ...slackBot, compact: true }, { mentions: ['U0ADA0'] }, [/<@U0ADA0>"/]],
  [
    'slack',
    { ...url('https://hooks.slack.com/services/T/B/x'), compact: false },
    { mentions: ['U0ADA0'] },
    [/<@U0ADA0>"/],
  ],
  ['slack', slackBot, { channel: 'C0PAYMENTS' }, [/"channel":"C0PAYMENTS"/]],
  [
    'discord',
    url('https://discord.com/api/webhooks/1/x'),
    { mentions: ['123456789012345678', 'role:223456789012345678'] },
    [
      /"content":"[^"]*\\n<@123456789012345678> <@&223456789012345678>"/,
      /"allowed_mentions":\{"parse":\[\],"users":\["123456789012345678"\],"roles":\["223456789012345678"\]\}/,
    ],
  ],
  [
    'teams',
    url('https://x.webhook.office.com/webhookb2/x'),
    { mentions: ['ada@example.com'] },
    [
      /"type":"TextBlock","text":"<at>ada@example.com<\/at>"/,
      /"entities":\[\{"type":"mention","text":"<at>ada@example.com<\/at>","mentioned":\{"id":"ada@example.com","name":"ada@example.com"\}\}\]/,
    ],
  ],
  ['teamsworkflows', url('https://x.api.powerplatform.com/flow'), { mentions: ['ada@example.com'] }, [/"entities":\[/]],
  [
    'googlechat',
    url('https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t'),
    { mentions: ['123456789'] },
    [/"text":"[^"]* <users\/123456789>"/],
  ],
  ['mattermost', url('https://chat.example/hooks/x'), { mentions: ['ada.l'] }, [/"text":"[^"]* @ada\.l"/]],
  [
    'mattermost',
    { url: 'https://chat.example', token: new Secret('t'), channel: '4xp9fdt77pncbef59f4k1qe83o' },
    { mentions: ['ada.l'], channel: '9xp9fdt77pncbef59f4k1qe83o' },
    [/"channel_id":"9xp9fdt77pncbef59f4k1qe83o"/, /"message":"[^"]* @ada\.l"/],
  ],
  ['rocketchat', url('https://chat.example/hooks/x'), { mentions: ['ada.l'] }, [/"text":"[^"]* @ada\.l"/]],
  [
    'rocketchat',
    { url: 'https://chat.example', userId: 'u', token: new Secret('t'), channel: '#ops' },
    { mentions: ['ada.l'], channel: '#payments' },
    [/"roomId":"#payments"/, /\\n\\n@ada\.l"/],
  ],
  [
    'telegram',
    { token: new Secret('1:x'), chatId: '-100' },
    { mentions: ['ada_l', '123456'] },
    [/@ada_l <a href=\\"tg:\/\/user\?id=123456\\">123456<\/a>/],
  ],
  [
    'matrix',
    { homeServer: 'https://m.example', accessToken: new Secret('t'), internalRoomId: '!r:m.example' },
    { mentions: ['@ada:m.example'] },
    [
      /"m\.mentions":\{"user_ids":\["@ada:m\.example"\]\}/,
      /matrix\.to\/#\/%40ada%3Am\.example/,
      /\\n\\n@ada:m\.example","format"/,
    ],
  ],
  [
    'zulip',
    { url: 'https://z.example', email: 'b@z.example', token: new Secret('t'), channel: 'alerts' },
    { mentions: ['12', 'group:on call'] },
    [/@\*\*\|12\*\* @\*on call\*"/],
  ],
  [
    'webex',
    { accessToken: new Secret('t'), roomId: 'abc' },
    { mentions: ['ada@example.com'] },
    [/\\n\\n<@personEmail:ada@example\.com>","text"/],
  ],
  [
    'feishu',
    url('https://open.feishu.cn/open-apis/bot/v2/hook/x'),
    { mentions: ['ou_0123456789abcdef01234567'] },
    [/"tag":"lark_md","content":"<at id=ou_0123456789abcdef01234567><\/at>"/],
  ],
  [
    'wecom',
    url('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=k'),
    { mentions: ['ada'] },
    [/\\n\\n<@ada>\\n\\n/],
  ],
  ['github', { ...tracker, owner: 'acme', repo: 'ops' }, { assignees: ['ada-l'] }, [/"assignees":\["ada-l"\]/]],
  ['gitlab', { ...tracker, projectId: '1' }, { assignees: ['17'] }, [/"assignee_ids":\[17\]/]],
  ['gitea', { ...tracker, owner: 'acme', repo: 'ops' }, { assignees: ['ada'] }, [/"assignees":\["ada"\]/]],
  ['clickup', { token: new Secret('t'), listId: '1' }, { assignees: ['17'] }, [/"assignees":\[17\]/]],
  [
    'jira',
    {
      url: 'https://acme.atlassian.net',
      user: 'a@b.c',
      apiToken: new Secret('t'),
      projectKey: 'OPS',
      issueType: 'Task',
    },
    { assignees: ['5b10:ac8d'] },
    [/"assignee":\{"accountId":"5b10:ac8d"\}/],
  ],
  [
    'opsgenie',
    { apiKey: new Secret('k'), region: 'jsm' },
    { responders: ['payments', 'user:ada@example.com', 'schedule:night shift'] },
    [
      /"responders":\[\{"type":"team","name":"payments"\},\{"type":"user","username":"ada@example\.com"\},\{"type":"schedule","name":"night shift"\}\]/,
    ],
  ],
];

function definitionOf(type: string): AnyProvider {
  return providers.find((definition) => definition.type === type) ?? assert.fail(type);
}

/** What a type asks of its product, as JSON texts; each answer is a good one of some kind. */
async function asks(
  type: string,
  config: object,
  notification: Notification,
  contact: Contact,
  answers?: readonly Scripted[],
) {
  const definition = definitionOf(type);
  const people = peopleFor(notification, { contacts: { payments: contact } }, definition.reaches);
  const { outcome, asked } = await play(
    { ...definition, deliver: (attempt) => definition.deliver({ ...attempt, people }) },
    {
      config: { ...config },
      notification,
      answers: answers ?? [{ json: { ok: true, id: 1, number: 1, iid: 1, key: 'A-1', deploymentType: 'Cloud' } }],
    },
  );
  return { outcome, asked, text: asked.map(({ body }) => JSON.stringify(body)).join('\n') };
}

describe('each product is asked in its own way', () => {
  for (const [type, config, contact, expected] of rows)
    test(`${type}: ${JSON.stringify(contact)}`, async () => {
      const { text } = await asks(type, config, open, contact);
      for (const pattern of expected) assert.match(text, pattern);
      const without = await asks(type, config, open, {});
      for (const pattern of expected) assert.doesNotMatch(without.text, pattern);
    });
  test('no way is left out', () => {
    const known = new Set(rows.flatMap(([type, , contact]) => Object.keys(contact).map((way) => `${type} ${way}`)));
    const declared = providers.flatMap(({ type, reaches = {} }) => Object.keys(reaches).map((way) => `${type} ${way}`));
    assert.deepEqual(
      declared.filter((way) => !known.has(way)),
      [],
    );
  });
});

test('only what opens, comes back or gets worse rings anybody, from the severity on that was asked for', () => {
  const contacts = { payments: { mentions: ['U0ADA0'], channel: 'C0PAYMENTS' } };
  const { reaches } = definitionOf('slack');
  const rung = (told: Notification, mentionFrom?: 'critical' | 'high'): number =>
    peopleFor(ownedBy(told, 'payments'), { contacts, ...(mentionFrom && { mentionFrom }) }, reaches).mentions.length;
  assert.deepEqual([rung(notifications.open), rung(notifications.reopen), rung(notifications.update)], [1, 1, 1]);
  const { previousSeverity: _, ring: __, ...incident } = notifications.update.incident ?? assert.fail();
  assert.equal(rung({ ...notifications.update, incident }), 0);
  assert.equal(rung(notifications.resolve), 0);
  assert.equal(rung({ ...notifications.open, severity: 'high' }, 'critical'), 0);
  assert.equal(rung({ ...notifications.open, severity: 'critical' }, 'critical'), 1);
});

test('an owner that the table does not know, or a summary, asks for nobody', () => {
  const contacts = { payments: { mentions: ['U0ADA0'] } };
  const { reaches } = definitionOf('slack');
  for (const told of [
    ownedBy(notifications.open, 'search'),
    ownedBy(notifications.open, '__proto__'),
    notifications.digest,
  ])
    assert.deepEqual(peopleFor(told, { contacts }, reaches), nobody);
});

/** How products are told to ring everybody. */
const everybody =
  /<!(?:channel|here|everyone|subteam\^?(?:all|here))|@(?:all|here|everyone|channel|room|group|topic|stream)\b|<users\/all>|<@(?:&|!)?(?:all|everyone|here)>|at id=\\?"?all|@\*\*(?:all|everyone|channel|topic|stream)\*\*|@\*role:|"room":true|"parse":\["/i;
const words = ['all', 'here', 'everyone', 'everybody', 'channel', 'room', 'group', 'topic', 'stream'];
const hostile = fc.oneof(
  fc
    .constantFrom(...words)
    .chain((word) =>
      fc.constantFrom(
        word,
        `@${word}`,
        `<!${word}>`,
        `<@${word}>`,
        `${word.toUpperCase()}`,
        `group:${word}`,
        `role:${word}`,
        `ou_${word}`,
        `${word}>`,
        `users/${word}`,
        `**${word}**`,
        `${word}.x`,
        `${word}-x`,
        `@${word}:x`,
      ),
    ),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    'S0> <!here',
    '1>\n@everyone',
    'ada> <@all',
    'a"></at><at id=all',
    'group:a* @**all**',
    'group:role:everyone',
    '@room:x',
  ),
);

test('whatever stands in the table, nobody ever rings everybody', async () => {
  const quiet = { ...open, title: 'x', lead: 'y', evidence: [], facts: [], links: [] };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...rows), fc.array(hostile, { maxLength: 5 }), async ([type, config], names) => {
      const contact = { mentions: names, assignees: names, responders: names, channel: names[0] ?? '' };
      const { text } = await asks(type, config, quiet, contact);
      assert.doesNotMatch(text, everybody);
    }),
    { numRuns: runs(1_500), seed: 7 },
  );
});

test('Slack: a channel that the bot may not post to costs no message', async () => {
  const refused = { json: { ok: false, error: 'not_in_channel' } };
  const answers = [refused, { json: { ok: true, channel: 'C0DEFAULT', ts: '1.2' } }];
  const { outcome, asked } = await asks('slack', slackBot, open, { channel: 'C0PAYMENTS' }, answers);
  assert.equal(outcome.is, 'delivered');
  assert.deepEqual(
    asked.map(({ body }) => body.channel),
    ['C0PAYMENTS', 'C0DEFAULT'],
  );
  assert.equal(outcome.ref?.channel, 'C0DEFAULT');
});

test('trackers: an account that cannot be assigned costs no issue', async () => {
  const made = { status: 201, json: { number: 7, iid: 7, id: 7 } };
  for (const [type, config, contact, status] of [
    ['github', { ...tracker, owner: 'acme', repo: 'ops' }, { assignees: ['gone'] }, 422],
    ['gitlab', { ...tracker, projectId: '1' }, { assignees: ['17'] }, 400],
    ['gitea', { ...tracker, owner: 'acme', repo: 'ops' }, { assignees: ['gone'] }, 422],
    ['clickup', { token: new Secret('t'), listId: '1' }, { assignees: ['17'] }, 400],
  ] as const) {
    const { outcome, asked } = await asks(type, config, open, contact, [
      { status, json: { message: 'assignee' } },
      made,
    ]);
    assert.equal(outcome.is, 'delivered', type);
    assert.equal(asked.length, 2);
    assert.doesNotMatch(JSON.stringify(asked[1]?.body), /assignee/);
  }
});

test('Opsgenie: responders that do not exist cost no alert', async () => {
  const accepted = { status: 202, json: { requestId: 'r-1' } };
  const failed = { status: 200, json: { data: { isSuccess: false, status: 'No team exists with name [gone].' } } };
  const { outcome, asked } = await asks(
    'opsgenie',
    { apiKey: new Secret('k'), region: 'us' },
    open,
    { responders: ['gone'] },
    [accepted, failed, accepted],
  );
  assert.equal(outcome.is, 'delivered');
  assert.deepEqual(
    asked.map(({ method, body }) => [method, 'responders' in body]),
    [
      ['POST', true],
      ['GET', false],
      ['POST', false],
    ],
  );
});
