/** Judges of chats. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { isMessageAttachmentArray } from '@mattermost/types/message_attachments';
import type * as AdaptiveCards from 'adaptivecards';
import type { Call } from './calls.ts';
import { type Judge, type RunJudge, withMore, withPayload } from './judge.ts';

/** The types of the package are those of its sources; what runs without a browser is its bundle. */
const cards: typeof AdaptiveCards = createRequire(import.meta.url)('adaptivecards/dist/adaptivecards.js');

/** The check of a hook sends what is no message on purpose, and looks at how it is refused. */
const asked = /\bcheck$/;

/** Microsoft's parser reads the cards of a message without an event, which is what it calls a mistake. */
function assertCards({ parsed }: Call): void {
  const { attachments }: { readonly attachments?: readonly { readonly content: unknown }[] } = Object(parsed);
  assert.ok(attachments && attachments.length > 0, 'no card');
  for (const { content } of attachments) {
    const context = new cards.SerializationContext(cards.Versions.v1_2);
    const card = new cards.AdaptiveCard();
    card.parse(content, context);
    const events = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
    const failures = card.validateProperties().validationEvents.map(({ message }) => message);
    assert.deepEqual([...events, ...failures], []);
  }
}

const adaptiveCard = (of: RegExp): RunJudge => ({
  of,
  by: 'adaptivecards',
  says: "Microsoft's parser reads the card and finds nothing to say",
  except: asked,
  judge: assertCards,
  spoil: (call) =>
    withPayload(call, {
      attachments: [{ content: { type: 'AdaptiveCard', version: '1.2', body: [{ type: 'TextBlok', text: 'a' }] } }],
    }),
});

/** Webhooks, and what a bot posts or edits. */
const mattermostPost = /^(?:POST .*\/hooks\/|POST .*\/api\/v4\/posts$|PUT .*\/api\/v4\/posts\/)/;
/** Bots have the boxes in the properties of a post. */
function mattermostBoxes(parsed: unknown): unknown[] {
  const { attachments, props } = Object(parsed);
  return attachments ?? props?.attachments ?? [];
}

/** Type → judges. */
export const chats: Readonly<Record<string, readonly Judge[]>> = {
  slack: [
    {
      of: /^POST slack(?:-gov)?\.com\/api\/chat\.postMessage$/,
      by: '@slack/web-api',
      says: 'the arguments of `chat.postMessage`, blocks and attachments included',
      type: 'slackMessage',
    },
    {
      of: /^POST slack(?:-gov)?\.com\/api\/chat\.update$/,
      by: '@slack/web-api',
      says: 'the arguments of `chat.update`',
      type: 'slackUpdate',
    },
    {
      of: /^POST hooks\.slack\.com\/services\//,
      except: asked,
      by: '@slack/types',
      says: 'blocks and attachments of a message to a webhook',
      type: 'slackWebhook',
    },
  ],
  discord: [
    {
      of: /^POST discord\.com\/api\/webhooks\/\d+\/[^/]+$/,
      by: 'discord-api-types',
      says: 'the message of a webhook',
      type: 'discordMessage',
    },
    {
      of: /^PATCH discord\.com\/api\/webhooks\/\d+\/[^/]+\/messages\/\d+$/,
      by: 'discord-api-types',
      says: 'the edit of a message of a webhook',
      type: 'discordEdit',
    },
  ],
  googlechat: [
    {
      of: /^POST chat\.googleapis\.com\/v1\/spaces\//,
      by: '@googleapis/chat',
      says: 'the message, its cards and its thread, as in the discovery document',
      type: 'googlechatMessage',
    },
  ],
  mattermost: [
    {
      of: mattermostPost,
      by: '@mattermost/types',
      says: 'the attachments',
      type: 'mattermostAttachments',
      part: ({ parsed }) => mattermostBoxes(parsed),
    },
    {
      of: mattermostPost,
      by: '@mattermost/types',
      says: "the web app's own check of attachments passes",
      judge: ({ parsed }) => assert.ok(isMessageAttachmentArray(mattermostBoxes(parsed))),
      spoil: (call) => withMore(call, { attachments: [{ text: 'a', fields: [{ title: 7 }] }] }),
    },
  ],
  telegram: [
    {
      of: /^POST api\.telegram\.org\/bot[^/]+\/sendMessage$/,
      by: '@grammyjs/types',
      says: 'the arguments of `sendMessage`',
      type: 'telegramSendMessage',
    },
    {
      of: /^POST api\.telegram\.org\/bot[^/]+\/getChat$/,
      by: '@grammyjs/types',
      says: 'the arguments of `getChat`',
      type: 'telegramGetChat',
    },
  ],
  teams: [adaptiveCard(/^POST /)],
  teamsworkflows: [adaptiveCard(/^POST /)],
};
