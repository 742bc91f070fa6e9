import { mapTexts } from '../message/parts/texts.ts';
import { flockml, quietForFlock } from '../message/render/flockml.ts';
import { fitted } from '../message/render/kit/fitted.ts';
import { headline } from '../message/render/kit/headline.ts';
import type { Notification } from '../model/notification.ts';
import {
  classes,
  defineProvider,
  failureOfCode,
  isPage,
  notOf,
  readDestination,
  secret,
  wrongCredential,
} from './kit.ts';
import type { Answer, Reading } from './provider.ts';

/** Shown where the markup is not; quotes take two bytes in JSON. */
const maxTextBytes = 4_000;
/** What pop-ups show; characters. */
const maxTitle = 150;

const gone = 'the webhook was removed: create another and put its address into the Secret';
const known = classes({ refused: ['InvalidParameter'] });
const reading: Reading = {
  failure(answer) {
    if (answer.status === 404) return wrongCredential(answer, gone);
    if (answer.status < 300 && isPage(answer)) return notOf(answer, 'Flock', 'correct the address of the webhook');
    const error = errorOf(answer);
    return answer.status < 300 && error === '' ? undefined : failureOfCode(answer, error, known);
  },
  advice: { 401: gone, 403: gone },
};

/** Name of the error in an answer, `''` when there is none. */
function errorOf(answer: Answer): string {
  const { error } = Object(answer.json());
  return typeof error === 'string' ? error : '';
}

/** Flock: an incoming webhook. Source: docs.flock.com, incoming webhooks, FlockML, Message and Attachment objects. */
export const flock = defineProvider({
  type: 'flock',
  product: 'Flock',
  family: 'chat',
  description: 'Posts to a Flock channel through an incoming webhook.',
  behaviour: 'every act is a new message',
  credentials: [
    'Add an incoming webhook to the channel at dev.flock.com and put its address (`https://api.flock.com/hooks/sendMessage/…`) into a Secret. Leave *JSON transformation* off.',
  ],
  notes: [
    'Texts of the cluster are escaped: they mention nobody and make no links. A message that Flock refuses goes once more without markup.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'flock', key: 'webhook' } } },
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Address of the incoming webhook.' }),
  },
  limits: { text: { bytes: maxTextBytes }, flockml: { bytes: 7_000 }, body: { bytes: 16_384 } },
  hosts: ['api.flock.com'],
  secretBehind: ['api\\.flock\\.com/hooks/sendMessage/'],
  pacing: { perSecond: 1, burst: 5 }, // not published

  async deliver({ notification, config, send }) {
    const destination = readDestination('webhook', config.webhook);
    const text = fitted(mapTexts(notification, quietForFlock), { max: maxTextBytes, unit: 'bytes' });
    const answer = await send({ method: 'POST', ...destination, json: { text, ...lookOf(notification) } });
    if (answer.status !== 400) return answer.outcome(reading);
    return (await send({ method: 'POST', ...destination, json: { text } })).outcome(reading);
  },

  async check({ config, send }) {
    const destination = readDestination('webhook', config.webhook);
    // A webhook that lives refuses a message without a text.
    const answer = await send({ method: 'POST', ...destination, json: {} });
    return answer.status === 400 ? { is: 'delivered' } : answer.outcome(reading);
  },
});

/** The message in markup, and what pop-ups show of it. */
function lookOf(notification: Notification) {
  return {
    flockml: flockml(notification),
    notification: headline(notification, maxTitle, 'characters', quietForFlock),
  };
}
