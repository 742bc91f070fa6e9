import type { Outcome } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import { boolean, callOf, defineProvider, denied, mention, readDestination, secret, string } from './kit.ts';
import type { Attempt } from './provider.ts';
import { slackActions } from './slack/actions.ts';
import { errorCode, reading } from './slack/answers.ts';
import { slackListening } from './slack/presses.ts';
import { callSlack, sayIn, tellThread } from './slack/thread.ts';

/** Workflow addresses look alike but take flat keys and values only. */
const noWorkflow = {
  path: /^\/(?:workflows|triggers)\//,
  remedy:
    'is the address of a Slack workflow; create an incoming webhook (hooks.slack.com/services/…) or use a bot token',
};

/** Slack: an incoming webhook, or a bot with threads. Source: api.slack.com, chat.postMessage, chat.update, auth.test. */
export const slack = defineProvider({
  type: 'slack',
  product: 'Slack',
  family: 'chat',
  description: 'Posts to a Slack channel through a bot or an incoming webhook.',
  times: 'reader',
  behaviour: 'with a bot token each incident is one thread; with an incoming webhook every act is a new message',
  supports: [
    { can: 'thread', with: ['token'] },
    { can: 'update', with: ['token'] },
  ],
  credentials: [
    'With a bot: create an app, give it the scope `chat:write`, install it, invite it to the channel, and put the *Bot User OAuth Token* (`xoxb-…`) into a Secret. Write the channel by its id (`C0123ABCD`). The first message of an incident is kept up to date; what changes is posted in its thread. A relapse, and an incident that gets worse, are shown in the channel as well.',
    'With an incoming webhook: Slack returns nothing to find a message again, so every act is a new message, in the channel the webhook was made for; `channel` is honoured by legacy webhooks only.',
    'When both are given, the bot token is used.',
  ],
  notes: [
    'With `actions`, switch *Socket Mode* and *Interactivity* on in the app: Tocsin opens a connection to Slack, nothing reaches in. Tocsin needs the role [`config/actions`](../../../config/actions) for what is pressed.',
    'Texts of the cluster are escaped: they mention nobody and make no links. Previews of links are switched off.',
  ],
  sample: {
    token: { secretKeyRef: { name: 'slack', key: 'token' } },
    channel: 'C0123ABCD',
  },
  fields: {
    token: secret({ description: 'Bot token (xoxb-…); needs `channel`.' }),
    channel: string({ description: 'Channel to post to, best by its id; with a webhook, for legacy webhooks only.' }),
    webhook: secret({
      holds: 'url',
      unfit: noWorkflow,
      description: 'Address of an incoming webhook, instead of a bot token.',
    }),
    site: string({
      oneOf: ['slack.com', 'slack-gov.com'],
      default: 'slack.com',
      description: 'Where the workspace is, with a bot token: `slack-gov.com` for GovSlack.',
    }),
    compact: boolean({ default: false, description: 'One line instead of blocks.' }),
    actions: slackActions,
  },
  rules: [
    { cel: 'has(self.webhook) || has(self.token)', message: 'set `token` with `channel`, or `webhook`' },
    { cel: '!has(self.token) || has(self.channel)', message: 'set `channel` with `token`' },
  ],
  reaches: {
    mentions: mention.slack,
    channel: { pattern: '^[CG][A-Z0-9]{5,20}$', description: 'Id of a channel (C…), with a bot token.' },
  },
  limits: { text: { utf16: 4_000 }, section: { utf16: 3_000 }, blocks: { utf16: 9_000 } },
  hosts: ['slack.com', 'slack-gov.com', 'hooks.slack.com', 'hooks.slack-gov.com'],
  secretBehind: ['hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/'],
  pacing: { perSecond: 1, burst: 5 }, // one message per second and channel, short bursts tolerated

  listening: slackListening,

  async deliver(attempt) {
    const { token, channel } = attempt.config;
    if (token && channel !== undefined) return tellThread(attempt, token, channel);
    return tellWebhook(attempt);
  },

  async check({ config, send }) {
    if (config.token) {
      const answer = await callSlack({ send, token: config.token, site: config.site }, 'auth.test', {});
      const outcome = answer.outcome(reading);
      const scopes = answer.headers['x-oauth-scopes'];
      if (outcome.is !== 'delivered' || scopes === undefined || /(?:^|[\s,])chat:write(?:[\s,]|$)/.test(scopes))
        return outcome;
      return denied('the bot token lacks the scope chat:write; add it to the app and install it again');
    }
    const destination = readDestination('webhook', config.webhook ?? '', noWorkflow);
    // Deliberately not JSON: a living webhook says so, and nothing is posted.
    const headers = { 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', url: destination.url, headers, body: '{' });
    return errorCode(answer) === 'invalid_payload' ? { is: 'delivered' } : answer.outcome(reading);
  },
});

type WebhookConfig = { readonly webhook?: Secret; readonly channel?: string; readonly compact: boolean };
/** An incoming webhook: there is nothing to find a message again by. */
async function tellWebhook({
  notification,
  config: { webhook, channel, compact },
  send,
  people,
  buttons = [],
}: Pick<Attempt<WebhookConfig>, 'notification' | 'config' | 'send' | 'people' | 'buttons'>): Promise<Outcome> {
  const destination = readDestination('webhook', webhook ?? '', noWorkflow);
  const where = { ...(channel !== undefined && { channel }), unfurl_links: false, unfurl_media: false };
  const answer = await sayIn(notification, { compact, call: callOf(people, mention.slack), buttons }, (content) =>
    send({
      method: 'POST',
      url: destination.url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      json: { ...where, ...content },
    }),
  );
  return answer.outcome(reading);
}
