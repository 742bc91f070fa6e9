import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardMessage } from '../../../../src/message/render/adaptive-card.ts';
import { adf } from '../../../../src/message/render/adf.ts';
import { attachmentMessage } from '../../../../src/message/render/attachment.ts';
import { clickupComment } from '../../../../src/message/render/clickup-comment.ts';
import { discordMessage, discordText } from '../../../../src/message/render/discord.ts';
import { feishuCard } from '../../../../src/message/render/feishu-card.ts';
import { flockml } from '../../../../src/message/render/flockml.ts';
import { googleChatMessage } from '../../../../src/message/render/google-chat.ts';
import { htmlMail } from '../../../../src/message/render/html.ts';
import { jiraWiki } from '../../../../src/message/render/jira-wiki.ts';
import { detailsOf } from '../../../../src/message/render/kit/details.ts';
import { githubMarkdown } from '../../../../src/message/render/kit/markdown-text.ts';
import { plainBody, plainText } from '../../../../src/message/render/kit/plain-text.ts';
import { shortMessage } from '../../../../src/message/render/line.ts';
import { logEntry } from '../../../../src/message/render/log-entry.ts';
import { markdown } from '../../../../src/message/render/markdown.ts';
import { matrixContent } from '../../../../src/message/render/matrix.ts';
import { messengerText, pushOf } from '../../../../src/message/render/push.ts';
import { slackMessage, slackText } from '../../../../src/message/render/slack.ts';
import { telegramHtml } from '../../../../src/message/render/telegram-html.ts';
import type { Notification } from '../../../../src/model/notification.ts';
import { notifications } from '../sample.ts';

const { open } = notifications;
const [first = '', ...others] = open.evidence;
/** As narrated where the title gives the first proof and the impact. */
const said: Notification = { ...open, inTitle: { evidence: 1, impact: true } };
const { impact, ...withoutImpact } = open;
const shown: Notification = { ...withoutImpact, evidence: others };

const room = { unit: 'utf16', title: 250, text: 4_000 } as const;

/** Everything that people read. */
const texts: Readonly<Record<string, (notification: Notification) => unknown>> = {
  'an Adaptive Card': cardMessage,
  ADF: (told) => adf(told, { max: 30_000, title: true }),
  'an attachment': (told) => attachmentMessage(told, githubMarkdown, { footer: true }),
  'a comment in ClickUp': clickupComment,
  Discord: discordMessage,
  'Discord without an embed': discordText,
  Feishu: feishuCard,
  FlockML: flockml,
  'Google Chat': googleChatMessage,
  mail: (told) => htmlMail(told, told.title),
  "Jira's wiki markup": (told) => jiraWiki(told, { max: 30_000, title: true }),
  Markdown: (told) => markdown(told, githubMarkdown),
  Matrix: matrixContent,
  'a messenger': (told) => messengerText(told, 4_000, 'utf16'),
  'plain text': plainText,
  'plain text below a title': plainBody,
  'a push': (told) => pushOf(told, room),
  'a text message': shortMessage,
  Slack: slackMessage,
  'Slack without blocks': slackText,
  Telegram: telegramHtml,
};

for (const [name, write] of Object.entries(texts))
  test(`${name} leaves out what the title says already`, () => {
    assert.deepEqual(write(said), write(shown));
    assert.notDeepEqual(write(said), write(open), 'it would be there');
  });

test('programs get every field, whatever the title says', () => {
  const details = detailsOf(said, { max: 8_192 });
  assert.deepEqual(details, detailsOf(open, { max: 8_192 }));
  assert.equal(details.impact, impact);
  assert.equal(details.evidence, [first, ...others].join('\n'));
  assert.deepEqual(logEntry(said, 'key', { max: 8_192 }), logEntry(open, 'key', { max: 8_192 }));
});
