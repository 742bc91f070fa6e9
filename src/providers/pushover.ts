import { webLinks, withoutLinks } from '../message/render/kit/clip.ts';
import { oneLine } from '../message/render/kit/headline.ts';
import { stateOf } from '../message/render/kit/state.ts';
import { truncate } from '../message/render/kit/truncate.ts';
import { pushOf } from '../message/render/push.ts';
import type { Notification } from '../model/notification.ts';
import { alertName, defineProvider, integer, priorityOf, secret, splitSecret, string, tidySecretList } from './kit.ts';
import type { MaybeSecret, Send, SendRequest } from './provider.ts';
import { reading } from './pushover/answers.ts';

/** pushover.net/api: 1,024 characters of text, 250 of a title, 512 and 100 of an address and its title. */
const room = { unit: 'characters', title: 250, text: 1_024 } as const;
const maxUrl = 512;
const maxUrlTitle = 100;

/** 2 rings until somebody confirms, 1 passes quiet hours, -1 makes no sound. */
const priorities = { critical: 2, high: 1, medium: 0, low: -1, resolved: -1 } as const;
const emergency = 2;
/** An emergency rings every minute for an hour; seconds. */
const usualRetry = 60;
const usualExpire = 3_600;

/** Pushover. Source: pushover.net/api, pushover.net/api/receipts. */
export const pushover = defineProvider({
  type: 'pushover',
  product: 'Pushover',
  family: 'chat',
  description: 'Pushes each notification to the devices of Pushover users or groups.',
  behaviour: 'every act is a new message; the end of an incident stops its alarm',
  supports: [{ can: 'close', when: 'the alarm rings as an emergency' }],
  credentials: [
    'Create an application at pushover.net and put its API token and the key of the user or group (both 30 letters and digits) into a Secret. `user` may hold up to 50 keys, separated by commas.',
  ],
  notes: [
    'Without `priority`, critical is an emergency (2): it rings every `retry` seconds, through quiet hours, until somebody confirms it, `expire` seconds have passed or the incident is over. High is 1, medium 0; low and ends (-1) make no sound. With `priority: 1`, critical rings once.',
    'An update rings again only when the incident has got worse or much wider, or as a reminder; any other makes no sound.',
    'An application may send 10,000 messages a month for nothing, each key counting.',
  ],
  sample: {
    token: { secretKeyRef: { name: 'pushover', key: 'token' } },
    user: { secretKeyRef: { name: 'pushover', key: 'user' } },
  },
  fields: {
    token: secret({ required: true, description: 'API token of the application.' }),
    user: secret({ required: true, description: 'Key of the user or group; several separated by commas.' }),
    priority: integer({ min: -2, max: 2, description: 'Priority of open problems; by default by severity.' }),
    retry: integer({ min: 30, max: 10_800, description: 'Seconds between rings of an emergency; 60 unless set.' }),
    expire: integer({
      min: 30,
      max: 10_800,
      description: 'Seconds until an emergency stops ringing by itself; 3600 unless set.',
    }),
    title: string({ description: 'Title of every message, instead of one that names the problem.' }),
  },
  limits: { title: { characters: room.title }, message: { characters: room.text } },
  hosts: ['api.pushover.net'],
  pacing: { perSecond: 1, burst: 5 }, // at most two connections at a time are asked for

  async deliver({ notification, delivery, config, send }) {
    const { token, user, retry = usualRetry, expire = usualExpire } = config;
    const tag = alertName(delivery);
    if (stateOf(notification) === 'resolved') {
      // First of all the phone must stop ringing, for an overview too. That there is nothing to stop is no failure.
      const stopped = (await post(send, `receipts/cancel_by_tag/${tag}`, { token })).outcome(reading);
      if (stopped.is !== 'delivered' && stopped.is !== 'permanent') return stopped;
    }
    const link = linkOf(notification);
    const { title, text } = pushOf(
      withoutLinks(notification, link.url === undefined ? [] : [link.url]),
      room,
      config.title,
    );
    const priority = loudness(notification, config.priority);
    const answer = await post(send, 'messages', {
      token,
      user: tidySecretList(user),
      title,
      message: text,
      priority: String(priority),
      ...(priority === emergency && { retry: String(retry), expire: String(expire), tags: tag }),
      timestamp: String(Math.floor(notification.at / 1000)),
      ...link,
    });
    return answer.outcome(reading);
  },

  async check({ config: { token, user }, send }) {
    for (const key of splitSecret(user)) {
      const outcome = (await post(send, 'users/validate', { token, user: key })).outcome(reading);
      if (outcome.is !== 'delivered') return outcome;
    }
    return { is: 'delivered' };
  },
});

function post(send: Send, method: string, form: Readonly<Record<string, MaybeSecret>>): ReturnType<Send> {
  const request: SendRequest = { method: 'POST', url: `https://api.pushover.net/1/${method}.json`, form };
  return send(request);
}

/** An alarm wakes people for what is there: nobody has to confirm a summary. */
function loudness(notification: Notification, fixed: number | undefined): number {
  const { act, incident } = notification;
  const own = priorityOf(notification, priorities, fixed);
  return incident || act === 'overview' ? own : Math.min(own, emergency - 1);
}

function linkOf({ links }: Notification): { readonly url?: string; readonly url_title?: string } {
  const [link] = webLinks(links, 1);
  const url = link && new URL(link.url).href;
  if (!link || url === undefined || url.length > maxUrl) return {};
  return { url, url_title: truncate(oneLine(link.title), maxUrlTitle, 'characters') };
}
