import { withoutLinks } from '../message/render/kit/clip.ts';
import { stateOf } from '../message/render/kit/state.ts';
import { pushOf } from '../message/render/push.ts';
import {
  alertName,
  bearer,
  defineProvider,
  endpoint,
  httpUrl,
  integer,
  keptLog,
  priorityOf,
  secret,
  string,
  withKeptLog,
} from './kit.ts';
import { isSequenceRefused, readingOf } from './ntfy/answers.ts';
import { buttonsOf, prioritiesAround } from './ntfy/look.ts';
import type { Answer } from './provider.ts';

/** The server takes 4,096 bytes of text and keeps more as a file; twice that of JSON. Titles may have 1 kB. */
const room = { unit: 'bytes', title: 500, text: 4_000, asJson: true } as const;
/** Short codes that ntfy shows as emoji. */
const tags = {
  critical: 'rotating_light',
  high: 'warning',
  medium: 'large_orange_diamond',
  low: 'information_source',
  resolved: 'white_check_mark',
} as const;

/** ntfy. Source: docs.ntfy.sh/publish (JSON, sequence ids), server/server.go, server/errors.go. */
export const ntfy = defineProvider({
  type: 'ntfy',
  product: 'ntfy',
  family: 'chat',
  description: 'Pushes each notification to the subscribers of an ntfy topic.',
  behaviour:
    'later messages of an incident take the place of its first one (Android and web, server 2.16 or newer), elsewhere every act is a new message',
  supports: [
    { can: 'update', when: 'the client is Android or the web and the server 2.16 or newer' },
    { can: 'dedup', when: 'the client is Android or the web and the server 2.16 or newer' },
  ],
  credentials: [
    'Choose a topic and put its name into a Secret. On ntfy.sh whoever knows the name reads the topic and writes to it: take a long random one, or reserve it and set an access token (`tk_…`).',
  ],
  notes: [
    '`priority` is for high problems, 4 unless set. Critical ones are one level louder (5, which phones let through *Do not disturb*), medium ones one level quieter; low ones, ends, and updates of a problem that has not got worse are 2.',
    'ntfy.sh takes 250 messages a day for nothing; what is over is refused until the next day.',
    'Clients on iOS need `upstream-base-url` on a server of your own.',
  ],
  sample: { topic: { secretKeyRef: { name: 'ntfy', key: 'topic' } } },
  fields: {
    topic: secret({ required: true, description: 'Topic: up to 64 letters, digits, hyphens and underscores.' }),
    url: httpUrl({
      default: 'https://ntfy.sh',
      unfit: { path: /[^/]/, remedy: 'has a path; give the server alone, and the topic as `topic`' },
      description: 'Address of the server, without the topic.',
    }),
    token: secret({ description: 'Access token (tk_…); absent where everybody may write to the topic.' }),
    title: string({ description: 'Title of every message, instead of one that names the problem.' }),
    priority: integer({
      min: 1,
      max: 5,
      default: 4,
      description: 'Priority of high problems; critical ones are one level louder, milder ones quieter.',
    }),
  },
  limits: { title: { bytes: room.title }, message: { bytes: room.text } },
  hosts: ['ntfy.sh'],
  pacing: { perSecond: 0.2, burst: 60 }, // 60 requests at once, then one every 5 s

  async deliver({ notification: told, delivery, config, send, ref }) {
    // It takes the place of the message that showed the log.
    const notification = withKeptLog(told, ref);
    const { url, token, topic, priority, title: fixedTitle } = config;
    const actions = buttonsOf(notification);
    const shown = actions.map((button) => button.url);
    const { title, text } = pushOf(withoutLinks(notification, shown), room, fixedTitle);
    const message = {
      topic,
      title,
      message: text,
      priority: priorityOf(notification, prioritiesAround(priority)),
      tags: [tags[stateOf(notification)]],
      markdown: false,
      ...(actions.length > 0 && { actions }),
    };
    const post = (json: object): Promise<Answer> =>
      send({ method: 'POST', url: endpoint(url, ''), ...(token && { headers: bearer(token) }), json });
    const replacing = notification.incident && { sequence_id: alertName(delivery) };
    const answer = await post({ ...message, ...replacing });
    // What takes the place of an earlier message is worth less than the message.
    const last = replacing && isSequenceRefused(answer) ? await post(message) : answer;
    return last.outcome(readingOf('id'), notification.excerpt && replacing && keptLog(notification));
  },

  async check({ config: { url, token }, send }) {
    if (token) {
      const answer = await send({ method: 'GET', url: endpoint(url, 'v1/account'), headers: bearer(token) });
      // Servers from before there were accounts know no such place.
      if (answer.status !== 404) return answer.outcome(readingOf('username'));
    }
    return (await send({ method: 'GET', url: endpoint(url, 'v1/health') })).outcome(readingOf('healthy'));
  },
});
