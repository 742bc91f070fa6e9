import { mapTexts } from '../message/parts/texts.ts';
import { feishuCard } from '../message/render/feishu-card.ts';
import { fitted } from '../message/render/kit/fitted.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import { isRefusedCard, reading, takesMessages } from './feishu/answers.ts';
import { callOf, defineProvider, feishuSignature, mention, readDestination, secret, string } from './kit.ts';

/** Webhooks of the first generation take another body. */
const firstGeneration = {
  path: /^\/open-apis\/bot\/hook\//,
  remedy: 'is a webhook of the first generation; add a custom bot to the group and use its address (…/bot/v2/hook/…)',
};

/** Feishu and Lark: a custom bot of a group. Source: open.feishu.cn, custom bot guide. */
export const feishu = defineProvider({
  type: 'feishu',
  product: 'Feishu / Lark',
  family: 'chat',
  description: 'Posts cards to a Feishu or Lark group through a custom bot.',
  behaviour: 'every act is a new message',
  credentials: [
    'Add a custom bot to the group and put its address (`https://open.feishu.cn/open-apis/bot/v2/hook/…` or `https://open.larksuite.com/…`) into a Secret.',
    'With signature verification, put its secret into the Secret as well. With keywords, one of them must stand in every message: put it into `title`.',
  ],
  notes: ['Texts of the cluster stand where Feishu reads no markup: they mention nobody and make no links.'],
  sample: {
    webhook: { secretKeyRef: { name: 'feishu', key: 'webhook' } },
    secret: { secretKeyRef: { name: 'feishu', key: 'secret' } },
  },
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Address of the custom bot.' }),
    secret: secret({ description: 'Signing secret, where the bot verifies signatures.' }),
    title: string({ maxLength: 100, description: "Header of every card; by default the notification's title." }),
  },
  reaches: { mentions: mention.feishu },
  limits: { card: { bytes: 18_000 } },
  hosts: ['open.feishu.cn', 'open.larksuite.com'],
  secretBehind: ['open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/'],
  pacing: { perSecond: 1.5, burst: 5 }, // 100 messages a minute, 5 a second

  async deliver({ notification, config, send, now, people }) {
    const destination = readDestination('webhook', config.webhook, firstGeneration);
    const post = (message: object) =>
      send({ method: 'POST', ...destination, json: { ...signatureOf(config.secret, now), ...message } });
    const call = callOf(people, mention.feishu);
    const answer = await post({ msg_type: 'interactive', card: feishuCard(notification, config.title, call) });
    if (!isRefusedCard(answer)) return answer.outcome(reading);
    return (await post({ msg_type: 'text', content: { text: textOf(notification, config.title) } })).outcome(reading);
  },

  async check({ config, send, now }) {
    const destination = readDestination('webhook', config.webhook, firstGeneration);
    // A kind of message that does not exist is refused, after the bot and the signature were looked at.
    const json = { ...signatureOf(config.secret, now), msg_type: 'tocsin_check' };
    const answer = await send({ method: 'POST', ...destination, json });
    return takesMessages(answer) ? { is: 'delivered' } : answer.outcome(reading);
  },
});

/** Quotes take two bytes in JSON. */
const maxTextBytes = 8_000;

const withoutMentions = (text: string): string => text.replace(/<(?=\/?at\b)/gi, '<\u200b');

/** The message without a card. A text is looked through for mentions, which the texts of our cards are not. */
function textOf(notification: Notification, heading: string | undefined): string {
  const text = fitted(mapTexts(notification, withoutMentions), { max: maxTextBytes, unit: 'bytes' });
  return heading === undefined ? text : `${heading}\n${text}`;
}

/** Time and signature, where there is a signing secret. `now`: epoch milliseconds. */
function signatureOf(key: Secret | undefined, now: number): { timestamp?: string; sign?: string } {
  if (!key) return {};
  const timestamp = Math.floor(now / 1000);
  return { timestamp: String(timestamp), sign: feishuSignature(key, timestamp) };
}
