import { webLinks, withoutLinks } from '../message/render/kit/clip.ts';
import { pushOf } from '../message/render/push.ts';
import type { Secret } from '../model/secret.ts';
import { defineProvider, hasKey, notOf, objectOf, refusal, secret, untilUnixSecond, wrongCredential } from './kit.ts';
import type { Answer, Reading } from './provider.ts';

/** Pushbullet names no limits; more is not read on a phone. */
const room = { unit: 'characters', title: 250, text: 4_000 } as const;

/** Pushbullet. Source: docs.pushbullet.com (create push, users/me, errors, rate limiting). */
export const pushbullet = defineProvider({
  type: 'pushbullet',
  product: 'Pushbullet',
  family: 'chat',
  description: 'Pushes each notification to all devices of a Pushbullet account.',
  behaviour: 'every act is a new push',
  supports: ['dedup'],
  credentials: [
    'Create an access token (`o.…`) in the account settings of Pushbullet and put it into a Secret. All devices of that account get the pushes.',
  ],
  notes: [
    'An account without Pushbullet Pro takes 500 pushes a month; what comes after them is refused until the next month, so give this provider a `fallback`.',
    'Repeats of an interrupted attempt carry the same `guid`, so that none arrives twice.',
  ],
  sample: { accessToken: { secretKeyRef: { name: 'pushbullet', key: 'accessToken' } } },
  fields: { accessToken: secret({ required: true, description: 'Access token of the account.' }) },
  limits: { title: { characters: room.title }, body: { characters: room.text } },
  hosts: ['api.pushbullet.com'],
  pacing: { perSecond: 1, burst: 10 }, // the limits are budgets of a longer time, which no pace keeps

  async deliver({ notification, delivery, config, send, now }) {
    const [link] = webLinks(notification.links, 1);
    const { title, text } = pushOf(withoutLinks(notification, link ? [new URL(link.url).href] : []), room);
    const answer = await send({
      method: 'POST',
      url: 'https://api.pushbullet.com/v2/pushes',
      headers: token(config),
      json: {
        ...(link ? { type: 'link', url: new URL(link.url).href } : { type: 'note' }),
        title,
        body: text,
        guid: delivery.attemptKey,
      },
    });
    return answer.outcome(readingAt(now));
  },

  async check({ config, send, now }) {
    const url = 'https://api.pushbullet.com/v2/users/me';
    const answer = await send({ method: 'GET', url, headers: token(config) });
    return answer.outcome(readingAt(now));
  },
});

const token = ({ accessToken }: { readonly accessToken: Secret }) => ({ 'access-token': accessToken }) as const;

/** How an answer that came at this instant (epoch milliseconds) is read. */
function readingAt(now: number): Reading {
  return {
    failure(answer) {
      if (answer.status < 300) return hasKey(answer, 'iden') ? undefined : notOf(answer, 'Pushbullet');
      const code = codeOf(answer);
      if (code === 'invalid_access_token') return wrongCredential(answer, '`accessToken` is not valid; create another');
      if (code === 'pushbullet_pro_required') return refusal(answer, 'the free pushes of this month are used up');
      return undefined;
    },
    retryAfterMs: ({ status, headers }) =>
      status === 429 && headers['retry-after'] === undefined
        ? untilUnixSecond(headers, 'x-ratelimit-reset', now)
        : undefined,
  };
}

/** `error.code`, or `error_code` beside it. */
function codeOf(answer: Answer): unknown {
  const body = objectOf(answer.json());
  return objectOf(body?.error)?.code ?? body?.error_code;
}
