import { defineProvider, httpUrl, mention, secret, string } from './kit.ts';
import { type Bot, checkBot, tellThread } from './mattermost/bot.ts';
import { dialect } from './mattermost/content.ts';
import { checkWebhook, tellWebhook } from './mattermost/webhook.ts';

/** Ids of the server: 26 letters and digits. */
const idPattern = '^[a-z0-9]{26}$';

/** Mattermost: an incoming webhook, or a bot with threads. Source: developers.mattermost.com (incoming webhooks, message attachments, API 4), server app/webhook.go, app/post.go. */
export const mattermost = defineProvider({
  type: 'mattermost',
  product: 'Mattermost',
  family: 'chat',
  description: 'Posts to a Mattermost channel through a bot or an incoming webhook.',
  behaviour: 'with a bot token each incident is one thread; with an incoming webhook every act is a new message',
  supports: [
    { can: 'thread', with: ['token'] },
    { can: 'update', with: ['token'] },
  ],
  credentials: [
    'With a bot: *Integrations* → *Bot Accounts* → *Add*, put its access token into a Secret, and add the bot to the team and to the channel. Write the channel by its id, which *View Info* of the channel shows. The first message of an incident is kept up to date; what changes is posted in its thread. A relapse, and an incident that gets worse, are messages in the channel.',
    'With an incoming webhook: *Integrations* → *Incoming Webhooks* → *Add*, choose the channel, and put the address (`https://<server>/hooks/…`) into a Secret. The system console must allow incoming webhooks. A webhook can neither edit nor reply.',
    'When both are given, the bot token is used.',
  ],
  notes: [
    'From a webhook the name *Tocsin* is shown where the system console lets integrations override usernames.',
    'Critical incidents are marked as urgent where the server has message priority.',
    'A webhook ends when its owner is deactivated or leaves the channel: let an account own it that stays.',
    'Texts of the cluster are escaped: they mention nobody and make no links.',
  ],
  sample: {
    url: 'https://chat.example.com',
    token: { secretKeyRef: { name: 'mattermost', key: 'token' } },
    channel: '4xp9fdt77pncbef59f4k1qe83o',
  },
  fields: {
    url: httpUrl({ description: 'Address of the server, with a bot token.' }),
    token: secret({ description: 'Access token of a bot; needs `url` and `channel`.' }),
    channel: string({ pattern: idPattern, description: 'Channel to post to by its id, with a bot token.' }),
    webhook: secret({ holds: 'url', description: 'Address of an incoming webhook, instead of a bot token.' }),
  },
  rules: [
    { cel: 'has(self.webhook) || has(self.token)', message: 'set `token` with `url` and `channel`, or `webhook`' },
    {
      cel: '!has(self.token) || (has(self.url) && has(self.channel))',
      message: 'set `url` and `channel` with `token`',
    },
  ],
  reaches: {
    mentions: mention.mattermost,
    channel: { pattern: idPattern, description: 'Id of a channel that the bot is in, with a bot token.' },
  },
  limits: { text: { characters: 4_000 }, attachment: { characters: dialect.max } },
  pacing: { perSecond: 1, burst: 10 }, // servers that limit at all allow 10 a second

  async deliver(attempt) {
    const bot = botOf(attempt.config);
    return bot ? tellThread(attempt, bot) : tellWebhook(attempt, attempt.config.webhook ?? '');
  },

  async check({ config, send }) {
    const bot = botOf(config);
    return bot ? checkBot(send, bot) : checkWebhook(send, config.webhook ?? '');
  },
});

/** Where a token is given, the other two are. */
function botOf({ url, token, channel }: Partial<Bot>): Bot | undefined {
  return token && url !== undefined && channel !== undefined ? { url, token, channel } : undefined;
}
