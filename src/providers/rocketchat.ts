import { defineProvider, httpUrl, mention, secret, string } from './kit.ts';
import { type Bot, checkBot, tellThread } from './rocketchat/bot.ts';
import { dialect } from './rocketchat/dialect.ts';
import { checkWebhook, tellWebhook } from './rocketchat/webhook.ts';

/** Rocket.Chat: an incoming webhook, or an account with threads. Source: developer.rocket.chat (chat.postMessage, chat.update, rooms.info), Rocket.Chat server, integrations/server/api and processWebhookMessage. */
export const rocketchat = defineProvider({
  type: 'rocketchat',
  product: 'Rocket.Chat',
  family: 'chat',
  description: 'Posts to a Rocket.Chat channel through an account or an incoming webhook.',
  behaviour:
    'with a token each incident is one thread; with an incoming webhook, too, where the server names what it posted, else every act is a new message',
  supports: [
    { can: 'thread', when: 'there is a token, or the server names the message that a webhook posted' },
    { can: 'update', with: ['token'] },
  ],
  credentials: [
    'With an account: create a user with the role `bot`, log in as it and make a personal access token (*Profile* → *Personal Access Tokens*, with *Ignore Two Factor Authentication*); put the token into a Secret and the user ID that is shown with it into `userId`. Add the account to the channel when it is private. The first message of an incident is kept up to date, as text without a box.',
    'With an incoming webhook: *Workspace* → *Integrations* → *New* → *Incoming*, enable it, choose the channel and a user who is in it (*Post as*), and put the *Webhook URL* (`https://<server>/hooks/…`) into a Secret.',
    'When both are given, the token is used.',
  ],
  notes: [
    'What changes is posted in the thread of the first message; a relapse, and an incident that gets worse, are new messages in the channel.',
    'Messages of a webhook come under the name of its user. An alias, avatar or emoji of the integration needs the permission `message-impersonate`, which only the role `bot` has by default: without it the server refuses every message, and no check can see it.',
    'A script of the integration sees the message first and may change it. When it returns nothing, nothing is posted although the server says that all is well.',
    'An integration that is disabled answers with status 503, like a server that is overloaded, so deliveries wait for it.',
    'The rate limiter of the server counts all of them: 10 calls a minute unless an administrator sets another number.',
    'Texts of the cluster mention nobody and make no links.',
  ],
  sample: {
    url: 'https://chat.example.com',
    userId: 'rbAXPnMktTFbNpwtJ',
    token: { secretKeyRef: { name: 'rocketchat', key: 'token' } },
    channel: '#alerts',
  },
  fields: {
    url: httpUrl({ description: 'Address of the server, with a token.' }),
    userId: string({ pattern: '^[A-Za-z0-9]{1,64}$', description: 'ID of the account that the token is of.' }),
    token: secret({ description: 'Personal access token; needs `url`, `userId` and `channel`.' }),
    channel: string({
      pattern: '^[#@]?[^#@\\s]+$',
      description: 'Channel to post to (#alerts) or its id, with a token.',
    }),
    webhook: secret({ holds: 'url', description: 'Address of an incoming webhook, instead of a token.' }),
  },
  rules: [
    {
      cel: 'has(self.webhook) || has(self.token)',
      message: 'set `token` with `url`, `userId` and `channel`, or `webhook`',
    },
    {
      cel: '!has(self.token) || (has(self.url) && has(self.userId) && has(self.channel))',
      message: 'set `url`, `userId` and `channel` with `token`',
    },
  ],
  reaches: {
    mentions: mention.rocketchat,
    channel: {
      pattern: '^#?[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'Channel (#alerts) or its id, with a token.',
    },
  },
  limits: { text: { characters: 1_000 }, attachment: { characters: dialect.max } },
  pacing: { perSecond: 0.1, burst: 4 }, // the server's limiter: 10 calls in any 60 s

  async deliver(attempt) {
    const bot = botOf(attempt.config);
    return bot ? tellThread(attempt, bot) : tellWebhook(attempt, attempt.config.webhook ?? '');
  },

  async check({ config, send }) {
    const bot = botOf(config);
    return bot ? checkBot(send, bot) : checkWebhook(send, config.webhook ?? '');
  },
});

type Config = Partial<Omit<Bot, 'user'>> & { readonly userId?: string };
/** Where a token is given, the others are. */
function botOf({ url, userId: user, token, channel }: Config): Bot | undefined {
  return token && url !== undefined && user !== undefined && channel !== undefined
    ? { url, user, token, channel }
    : undefined;
}
