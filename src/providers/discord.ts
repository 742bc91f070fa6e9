import { type DiscordMessage, discordMessage, discordPost, discordText } from '../message/render/discord.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import {
  bodyOf,
  channelOf,
  contentErrors,
  editErrors,
  errorCode,
  needsName,
  reading,
  referenceOf,
  threadErrors,
} from './discord/answers.ts';
import { discordCalling } from './discord/people.ts';
import { defineProvider, editUrl, isLoud, mention, misdirected, readDestination, secret, withKeptLog } from './kit.ts';
import type { Answer, Send } from './provider.ts';

/** Also the addresses of older hosts and with a version; not the ones that imitate Slack and GitHub. */
const noWebhook = {
  path: /^(?!\/api\/(?:v\d+\/)?webhooks\/[^/]+\/[^/]+\/?$)/,
  remedy: 'is not the address of a Discord webhook; it is https://discord.com/api/webhooks/<id>/<token>',
};

/** Discord webhooks. Source: docs.discord.com, Webhook resource (execute, edit, get) and rate limits. */
export const discord = defineProvider({
  type: 'discord',
  product: 'Discord',
  family: 'chat',
  times: 'reader',
  description: 'Posts to a Discord channel through a webhook.',
  behaviour: 'the first is kept up to date; the end, a relapse and a rise of the severity are posted as well',
  supports: [{ can: 'thread', when: 'the channel is a forum' }, 'update'],
  credentials: [
    'In Discord, *Edit Channel* → *Integrations* → *Webhooks* → *New Webhook*, and put its address into a Secret. For a thread add `?thread_id=…`; in a forum each incident is a post of its own.',
  ],
  notes: [
    'Who edits a message notifies nobody, so updates are quiet; the end of an incident, a relapse and an incident that gets worse are posted as well.',
    'Discord takes about 30 messages a minute for each channel.',
    'Texts of the cluster are escaped and mention nobody.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'discord', key: 'webhook' } } },
  fields: {
    webhook: secret({ required: true, holds: 'url', unfit: noWebhook, description: 'Address of the webhook.' }),
  },
  reaches: { mentions: mention.discord },
  limits: { content: { utf16: 2_000 }, description: { utf16: 4_096 }, embed: { utf16: 6_000 } },
  hosts: ['discord.com', 'discordapp.com'],
  secretBehind: ['discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/(?:\\d{1,30}/)?'],
  pacing: { perSecond: 0.4, burst: 4 }, // 5 requests in 2 s and 30 messages a minute were seen; the headers are obeyed

  async deliver({ notification, config, send, ref, people, quiet }) {
    const destination = readDestination('webhook', config.webhook, noWebhook);
    const say = saying(send, destination.url);
    const content = discordCalling(discordMessage(notification), people);

    /** Posts in the thread of the incident if it has one; what Discord asks for besides follows from what it refuses. */
    async function post(): Promise<Outcome> {
      let thread = ref?.thread;
      let name = {};
      let answer = await say(content, { thread });
      if (thread !== undefined && threadErrors.has(errorCode(answer))) {
        thread = undefined;
        answer = await say(content, { thread });
      }
      if (errorCode(answer) === needsName) {
        name = { thread_name: discordPost(notification) };
        answer = await say({ ...content, ...name }, { thread });
        thread = channelOf(answer);
      }
      if (contentErrors.has(errorCode(answer)))
        answer = await say({ ...discordCalling(discordText(notification), people), ...name }, { thread });
      return answer.outcome(reading, notification.incident && referenceOf(answer, thread, notification));
    }

    if (ref?.message === undefined || notification.act === 'reopen') return post();
    const edited = await say(discordMessage(withKeptLog(notification, ref)), {
      message: ref.message,
      thread: ref.thread,
    });
    if (editErrors.has(errorCode(edited))) return quiet ? { is: 'delivered' } : post();
    const edit = edited.outcome(reading, ref);
    const visible = !quiet && (notification.act === 'resolve' || isLoud(notification));
    if (edit.is !== 'delivered' || !visible) return edit;
    return { ...(await post()), ref };
  },

  async check({ config, send }) {
    const destination = readDestination('webhook', config.webhook, noWebhook);
    const url = editUrl(destination.url, (address) => {
      address.search = '';
    });
    const answer = await send({ method: 'GET', url });
    const outcome = answer.outcome(reading);
    if (outcome.is !== 'delivered' || bodyOf(answer).type === 1) return outcome;
    return misdirected('the webhook follows another channel or belongs to an app; create one of the channel');
  },
});

type Where = { readonly message?: string; readonly thread: string | undefined };
type Say = (json: DiscordMessage & { readonly thread_name?: string }, where: Where) => Promise<Answer>;
/** Posts, or edits a message; in a thread, or where the address leads. */
function saying(send: Send, webhook: Secret): Say {
  return (json, { message, thread }) => {
    const url = editUrl(webhook, (address) => {
      // Webhooks of no app may show buttons that open links, when they are asked to.
      if (json.components) address.searchParams.set('with_components', 'true');
      if (message === undefined) address.searchParams.set('wait', 'true');
      else address.pathname = `${address.pathname.replace(/\/$/, '')}/messages/${message}`;
      if (thread !== undefined) address.searchParams.set('thread_id', thread);
    });
    return message === undefined
      ? send({ method: 'POST', url, json: { username: 'Tocsin', ...json } })
      : send({ method: 'PATCH', url, json });
  };
}
