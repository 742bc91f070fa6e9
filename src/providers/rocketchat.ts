import { attachmentMessage } from '../message/render/attachment.ts';
import { type Dialect, githubMarkdown } from '../message/render/markdown.ts';
import type { Outcome } from '../model/delivery.ts';
import { callOf, defineProvider, editUrl, isLoud, mention, readDestination, secret } from './kit.ts';
import { reading, referenceOf } from './rocketchat/answers.ts';

/** Old parsers know no escapes: what would be markup is written with a sign that looks like it, or taken apart. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 4_000,
  unit: 'characters',
  bold: '*',
  fence: 'three',
  linksNames: true,
  names: ['`', '`'],
  // A bracket opens a link whose name goes on to wherever the next one ends, beyond lines and fences.
  escapes: { '*': '∗', '~': '∼', '`': "'", '[': '(', ']': ')' },
  silence: /<(?=[!@#\w])|\|(?=\|)|:(?=[\w+-]+:)/g,
};

/** Rocket.Chat incoming webhooks. Source: Rocket.Chat server, integrations/server/api and processWebhookMessage. */
export const rocketchat = defineProvider({
  type: 'rocketchat',
  product: 'Rocket.Chat',
  family: 'chat',
  plain: 'native',
  description: 'Posts to a Rocket.Chat channel through an incoming webhook.',
  behaviour: 'all are one thread where the server names what it posted, else every act is a new message',
  supports: [{ can: 'thread', when: 'the server names the message it posted' }],
  credentials: [
    'In Rocket.Chat, *Workspace* → *Integrations* → *New* → *Incoming*, enable it, choose the channel and a user who is in it (*Post as*), and put the *Webhook URL* (`https://<server>/hooks/…`) into a Secret.',
  ],
  notes: [
    'What changes is posted in the thread of the first message; a relapse, and an incident that gets worse, are new messages in the channel.',
    'Messages come under the name of that user. An alias, avatar or emoji of the integration needs the permission `message-impersonate`, which only the role `bot` has by default: without it the server refuses every message, and no check can see it.',
    'A script of the integration sees the message first and may change it. When it returns nothing, nothing is posted although the server says that all is well.',
    'An integration that is disabled answers with status 503, like a server that is overloaded, so deliveries wait for it.',
    'The rate limiter of the server counts webhooks too: 10 calls a minute unless an administrator sets another number.',
    'Texts of the cluster mention nobody and make no links.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'rocketchat', key: 'webhook' } } },
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Address of the incoming webhook.' }),
  },
  reaches: { mentions: mention.rocketchat },
  limits: { text: { characters: 1_000 }, attachment: { characters: dialect.max } },
  pacing: { perSecond: 0.1, burst: 4 }, // the server's limiter: 10 calls in any 60 s

  async deliver({ notification, config, send, ref, people }): Promise<Outcome> {
    const destination = readDestination('webhook', config.webhook);
    if ('refused' in destination) return destination.refused;
    const { url, basic } = destination;
    const thread = ref?.message !== undefined && !isLoud(notification) ? { tmid: ref.message } : {};
    const json = {
      ...attachmentMessage(notification, dialect, { footer: false, call: callOf(people, mention.rocketchat) }),
      ...thread,
      parseUrls: false,
      separateResponse: true,
    };
    const answer = await send({ method: 'POST', url, ...(basic && { basic }), json });
    return answer.outcome(reading, ref ?? (notification.incident && referenceOf(answer)));
  },

  async check({ config, send }): Promise<Outcome> {
    const destination = readDestination('webhook', config.webhook);
    if ('refused' in destination) return destination.refused;
    const { url, basic } = destination;
    const info = editUrl(url, (address) => {
      address.pathname = address.pathname.replace(/\/hooks\//, '/hooks/info/');
    });
    return (await send({ method: 'GET', url: info, ...(basic && { basic }) })).outcome(reading);
  },
});
