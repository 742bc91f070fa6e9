import { type Dialect, githubMarkdown, markdown } from '../message/render/markdown.ts';
import { calling, callOf, defineProvider, httpUrl, mention, secret, string } from './kit.ts';
import { bodyOf, isWebhookBot, reading } from './zulip/answers.ts';
import { callerOf, currentTopic, moveTopic } from './zulip/api.ts';
import { isResolved, resolved, topicOf, unresolved } from './zulip/topic.ts';

/** Longer messages than 10,000 code points are cut by the server, with fences left open. There are no escapes. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 9_500,
  unit: 'characters',
  fold: 'spoiler',
  fenceInfo: 'text', // an organisation may have a language for fences without one
  linksNames: true,
  names: ['`', '`'],
  escapes: { '*': '∗', '~': '∼', '`': "'" },
  silence: /<(?=time:)|\$(?=\$)|:(?=[\w+-]+:)/g,
};

/** Zulip. Source: zulip.com/api (send-message, update-message, get-message, get-own-user, get-stream-id). */
export const zulip = defineProvider({
  type: 'zulip',
  product: 'Zulip',
  family: 'chat',
  description: 'Posts to a Zulip channel as a bot.',
  behaviour: 'all are in one topic, which is marked as resolved when it is over',
  supports: ['thread', 'close', 'reopen'],
  credentials: [
    'In Zulip, *Personal settings* → *Bots* → *Add a new bot* of the type *Generic bot*; put its API key into a Secret, and subscribe the bot to the channel when it is private.',
  ],
  notes: [
    'The topic is made of the reason, the object and a short mark, so the same problem has a topic of the same name when it comes again. Startup summaries, digests and overviews go to one topic, named by `title`.',
    'At the end of an incident the topic is marked as resolved (✔), and no longer when it is back. Where the bot may not do that, only the messages say it. A topic that a person has renamed or resolved is followed.',
    'A bot of the type *Incoming webhook* may only post: its topics are never marked as resolved nor followed when people rename them, and its credentials cannot be checked.',
    'Texts of the cluster mention nobody and make no links.',
  ],
  sample: {
    url: 'https://your-organisation.zulipchat.com',
    email: 'tocsin-bot@your-organisation.zulipchat.com',
    token: { secretKeyRef: { name: 'zulip', key: 'token' } },
    channel: 'alerts',
  },
  fields: {
    email: string({ required: true, pattern: '^[^@:\\s]+@[^@:\\s]+$', description: 'Address of the bot.' }),
    token: secret({ required: true, description: 'API key of the bot.' }),
    channel: string({
      required: true,
      orNumber: true,
      description: 'Channel to post to, by its name or its numeric id.',
    }),
    url: httpUrl({ required: true, description: 'Address of the organisation.' }),
    title: string({
      description: 'What topics begin with; also the topic of messages that are about no incident (tocsin).',
    }),
  },
  rules: [
    {
      cel: "!self.url.lowerAscii().matches('^https?://([^/]*@)?(yourzulipdomain[.]|([^/]*[.])?example([.:][^/]*)?(/|$))')",
      message: 'set `url` to the address of your organisation: this one is an example',
    },
  ],
  reaches: { mentions: mention.zulip },
  limits: { content: { characters: dialect.max }, topic: { characters: 60 } },
  hosts: ['*.zulipchat.com'],
  pacing: { perSecond: 1, burst: 6 }, // 200 requests a minute for each user; an act is up to three

  async deliver(attempt) {
    const { notification, config, ref } = attempt;
    const ask = callerOf(attempt);
    const found = await currentTopic(ask, ref);
    const known = found ?? ref?.topic ?? topicOf(attempt, config.title);
    const move = (id: string, topic: string): Promise<boolean> => moveTopic(ask, id, topic);
    const back = notification.act === 'reopen' && isResolved(known) ? ref?.id : undefined;
    const topic = back !== undefined && (await move(back, unresolved(known))) ? unresolved(known) : known;
    const call = callOf(attempt.people, mention.zulip);
    const content = calling(markdown(notification, dialect), call, 10_000, '\n\n');
    const answer = await ask('POST', 'messages', { type: 'stream', to: config.channel, topic, content });
    const { id } = bodyOf(answer);
    const own = ref ?? (notification.incident && typeof id === 'number' ? { id: String(id), topic } : undefined);
    const outcome = answer.outcome(reading, own && { ...own, topic });
    if (outcome.is !== 'delivered' || notification.act !== 'resolve' || isResolved(topic)) return outcome;
    const done = await move(String(id), resolved(topic));
    return own && done ? { ...outcome, ref: { ...own, topic: resolved(topic) } } : outcome;
  },

  async check({ config, send }) {
    const call = callerOf({ config, send });
    const answer = await call('GET', 'users/me');
    // Who may only post may not be asked, and is known all the same.
    if (isWebhookBot(answer)) return { is: 'delivered' };
    const bot = answer.outcome(reading);
    // An id cannot be looked up on all versions.
    if (bot.is !== 'delivered' || /^\d+$/.test(config.channel)) return bot;
    return (await call('GET', `get_stream_id?stream=${encodeURIComponent(config.channel)}`)).outcome(reading);
  },
});
