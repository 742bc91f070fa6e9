import { webLinks } from '../message/render/clip.ts';
import { oneLine } from '../message/render/headline.ts';
import { pushOf } from '../message/render/push.ts';
import { stateOf } from '../message/render/state.ts';
import { truncate } from '../message/render/truncate.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import { alertName, bearer, defineProvider, endpoint, httpUrl, integer, priorityOf, secret, string } from './kit.ts';
import { isSequenceRefused, readingOf } from './ntfy/answers.ts';
import type { Answer } from './provider.ts';

/** The server takes 4,096 bytes of text and keeps more as a file; twice that of JSON. Titles may have 1 kB. */
const room = { unit: 'bytes', title: 500, text: 4_000, asJson: true } as const;
/** Buttons of a message, and bytes of the address of each. */
const maxButtons = 3;
const maxUrlBytes = 500;

/** 1 least, 5 most: from 4 on it pops up, 5 vibrates long. */
const priorities = { critical: 5, high: 4, medium: 3, low: 2, resolved: 2 } as const;
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
  plain: 'native',
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
    '`priority` is the highest that is used, 4 unless set: with 5, critical problems get what phones let through *Do not disturb*. High is 4, medium 3; low, ends, and updates of what has not got worse are 2.',
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
      description: 'Highest priority used; lesser severities get less.',
    }),
  },
  limits: { title: { bytes: room.title }, message: { bytes: room.text } },
  pacing: { perSecond: 0.2, burst: 60 }, // 60 requests at once, then one every 5 s

  async deliver({ notification, delivery, config, send }): Promise<Outcome> {
    const { url, token, topic, priority, title: fixedTitle } = config;
    const { title, text } = pushOf(notification, room, fixedTitle);
    const message = {
      topic,
      title,
      message: text,
      priority: Math.min(priority, priorityOf(notification, priorities)),
      tags: [tags[stateOf(notification)]],
      markdown: false,
      ...linksOf(notification),
    };
    const post = (json: object): Promise<Answer> =>
      send({ method: 'POST', url: endpoint(url, ''), ...(token && { headers: bearer(token) }), json });
    const replacing = notification.incident && { sequence_id: alertName(delivery) };
    const answer = await post({ ...message, ...replacing });
    // What takes the place of an earlier message is worth less than the message.
    const told = replacing && isSequenceRefused(answer) ? await post(message) : answer;
    return told.outcome(readingOf('id'));
  },

  async check({ config: { url, token }, send }): Promise<Outcome> {
    if (token) {
      const answer = await send({ method: 'GET', url: endpoint(url, 'v1/account'), headers: bearer(token) });
      // Servers from before there were accounts know no such place.
      if (answer.status !== 404) return answer.outcome(readingOf('username'));
    }
    return (await send({ method: 'GET', url: endpoint(url, 'v1/health') })).outcome(readingOf('healthy'));
  },
});

/** Buttons for what the message links to; a tap on the message itself opens the first. */
function linksOf({ links }: Notification): object {
  const shown = webLinks(links, maxButtons)
    .map(({ title, url }) => ({ label: truncate(oneLine(title), 40, 'characters'), url: new URL(url).href }))
    .filter(({ url }) => Buffer.byteLength(url) <= maxUrlBytes);
  const [first] = shown;
  return first ? { click: first.url, actions: shown.map((link) => ({ action: 'view', ...link })) } : {};
}
