import { googleChatMessage } from '../message/render/google-chat.ts';
import type { Reference } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import { reading } from './googlechat/answers.ts';
import { calling, callOf, defineProvider, editUrl, isLoud, mention, readDestination, secret } from './kit.ts';
import type { Answer, Attempt, Send } from './provider.ts';

/** A mangled `&` (`&amp;`) loses the token as well. */
const noWebhook = {
  path: /^(?!\/v1\/spaces\/[^/]+\/messages$)/,
  query: /^(?!.*[?&]key=.*)|^(?!.*[?&]token=.*)/,
  remedy:
    'is not the address of a Google Chat webhook; copy it again: https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
};

/** Google Chat webhooks. Source: developers.google.com/workspace/chat, spaces.messages.create with a key and a token. */
export const googlechat = defineProvider({
  type: 'googlechat',
  product: 'Google Chat',
  family: 'chat',
  description: 'Posts to a Google Chat space through a webhook.',
  behaviour: 'all are one thread; a relapse and a rise of the severity begin a new one',
  supports: ['thread', 'dedup'],
  credentials: [
    'In the space, *Apps & integrations* → *Webhooks* → *Add webhook*, and put the whole address, with its key and token, into a Secret. Webhooks need Google Workspace.',
  ],
  notes: [
    'A webhook cannot edit, so every act is a message. Readers of a space are not notified of replies in a thread that they do not follow: what they must see begins a thread of its own.',
    'A `threadKey` in the address is kept: then everything goes to that thread.',
    'Google takes one message a second for each space, from all webhooks together.',
    'Texts of the cluster are escaped and mention nobody.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'googlechat', key: 'webhook' } } },
  fields: {
    webhook: secret({
      required: true,
      holds: 'url',
      unfit: noWebhook,
      description: 'Address of the webhook, with its key and token.',
    }),
  },
  reaches: { mentions: mention.googlechat },
  limits: { text: { characters: 4_096 }, message: { bytes: 32_000 } },
  hosts: ['chat.googleapis.com'],
  pacing: { perSecond: 0.8, burst: 3 }, // 60 writes a minute for each space

  async deliver(attempt) {
    const { notification, delivery, config, send, ref, people } = attempt;
    const destination = readDestination('webhook', config.webhook, noWebhook);
    const thread = threadOf(attempt);
    let ownThread = false;
    const url = editUrl(destination.url, ({ searchParams: query }) => {
      ownThread = query.has('threadKey');
      // Without the option the thread is ignored.
      if ((thread || ownThread) && !query.has('messageReplyOption'))
        query.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    });
    const unrepeated = editUrl(url, ({ searchParams }) => searchParams.set('requestId', delivery.attemptKey));
    const message = googleChatMessage(notification);
    const json = {
      ...{ ...message, text: calling(message.text, callOf(people, mention.googlechat), 4_096) },
      ...(thread && !ownThread && { thread: { threadKey: thread.key } }),
    };
    const first = await post(send, unrepeated, json);
    // The method has the parameter; that webhooks take it is in no sample of Google's, and the message is worth more.
    const answer = isContentRefused(first) ? await post(send, url, json) : first;
    const outcome = answer.outcome(reading);
    const known = outcome.is === 'delivered' ? thread : ref;
    return known ? { ...outcome, ref: known } : outcome;
  },

  async check({ config, send }) {
    const destination = readDestination('webhook', config.webhook, noWebhook);
    // Nothing to say: a webhook that lives answers that the message is empty.
    const answer = await post(send, destination.url, {});
    return answer.outcome({ ...reading, errors: { 400: 'delivered' } });
  },
});

/** A 400 that is not about the key: what was sent is refused, or a part of it. */
function isContentRefused(answer: Answer): boolean {
  const outcome = answer.outcome(reading);
  return answer.status === 400 && outcome.is === 'permanent' && !outcome.credential;
}

function post(send: Send, url: Secret, json: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return send({ method: 'POST', url, headers, json });
}

/** The thread of an act: the one of the incident, or a new one for what everybody must see. Messages about no incident have none. */
function threadOf({
  notification,
  delivery,
  ref,
}: Attempt<unknown>): (Reference & { readonly key: string }) | undefined {
  if (!notification.incident) return undefined;
  if (isLoud(notification)) return { key: `tocsin-${delivery.attemptKey}` };
  return { key: ref?.key ?? `tocsin-${delivery.stream}` };
}
