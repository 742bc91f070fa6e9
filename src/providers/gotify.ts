import { pushOf } from '../message/render/push.ts';
import type { Secret } from '../model/secret.ts';
import {
  defineProvider,
  endpoint,
  hasKey,
  httpUrl,
  integer,
  notOf,
  priorityOf,
  secret,
  string,
  wrongCredential,
} from './kit.ts';
import type { Answer, Reading, Send } from './provider.ts';

/** The server sets no limits; more is not read on a phone. */
const room = { unit: 'characters', title: 250, text: 16_000 } as const;

/** The Android client: 0 nothing, 1 to 3 an icon, 4 to 7 a sound, 8 to 10 sound and vibration. */
const priorities = { critical: 10, high: 8, medium: 5, low: 2, resolved: 2 } as const;

/** Gotify. Source: gotify/server 2 and 3, POST /message (docs/spec.json, api/message.go). */
export const gotify = defineProvider({
  type: 'gotify',
  product: 'Gotify',
  family: 'chat',
  description: 'Pushes each notification to the clients of a Gotify server.',
  behaviour: 'every act is a new message',
  credentials: [
    'Create an application in Gotify and put its token (it begins with `A`) into a Secret; the token of a client does not work.',
  ],
  notes: [
    'Without `priority`, critical is 10, high 8, medium 5, low and ends 2: on Android, from 8 on the phone vibrates, from 4 on it sounds. `priority` replaces this for open problems. Digests and ends are never louder, and an update is as quiet as low unless the problem has got worse.',
    'A server with a certificate of your own authority: give that in `spec.tls.caBundle`.',
  ],
  sample: { url: 'https://gotify.example.com', token: { secretKeyRef: { name: 'gotify', key: 'token' } } },
  fields: {
    url: httpUrl({ required: true, description: 'Address of the server, with its path where it has one.' }),
    token: secret({ required: true, description: 'Token of the application.' }),
    priority: integer({ description: 'Priority of open problems; by default it follows the severity.' }),
    title: string({ description: 'Title of every message, instead of one that names the problem.' }),
  },
  limits: { title: { characters: room.title }, message: { characters: room.text } },
  pacing: { perSecond: 5, burst: 20 }, // the server has no limit; a phone is at the other end

  async deliver({ notification, config, send }) {
    const { title, text } = pushOf(notification, room, config.title);
    const { incident } = notification;
    const answer = await postMessage(send, config, {
      title,
      message: text,
      priority: priorityOf(notification, priorities, config.priority),
      extras: {
        // As Markdown it would load images of whoever writes a log line.
        'client::display': { contentType: 'text/plain' },
        ...(incident && { 'tocsin::incident': { id: incident.id, status: incident.status } }),
      },
    });
    return answer.outcome(reading);
  },

  async check({ config, send }) {
    // The token is looked at before the message, which is missing: a good one is told so.
    const answer = await postMessage(send, config, {});
    return answer.outcome(hasKey(answer, 'errorCode') ? { ...reading, errors: { 400: 'delivered' } } : reading);
  },
});

const reading: Reading = {
  failure(answer) {
    if (answer.status < 300) return hasKey(answer, 'id') ? undefined : notOf(answer, 'Gotify', 'correct `url`');
    const ofClient = answer.status === 400 && /\bappid\b/i.test(answer.body);
    return ofClient ? wrongCredential(answer, '`token` is that of a client; use that of an application') : undefined;
  },
  advice: { 404: 'correct `url`: the server, with its path where it has one, without /message' },
};

type Config = { readonly url: string; readonly token: Secret };
function postMessage(send: Send, { url, token }: Config, json: object): Promise<Answer> {
  return send({ method: 'POST', url: endpoint(url, 'message'), headers: { 'x-gotify-key': token }, json });
}
