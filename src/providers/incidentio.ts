import type { Outcome } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import { contentOf, maxDescriptionBytes } from './incidentio/alert.ts';
import {
  alertName,
  bearer,
  defineProvider,
  denied,
  hasParameter,
  raiseOrClear,
  readDestination,
  retryAfterMs,
  secret,
  wrongCredential,
} from './kit.ts';
import type { Answer, Reading, Send } from './provider.ts';

/** incident.io: one alert per incident, at an alert source of kind HTTP. Source: docs.incident.io, Alert Events V2. */
export const incidentio = defineProvider({
  type: 'incidentio',
  product: 'incident.io',
  family: 'pager',
  plain: 'alert',
  description: 'Fires and resolves alerts at an HTTP alert source of incident.io.',
  behaviour: 'each incident is one alert: updates fire it again, its end resolves it, a relapse fires it again',
  supports: ['close', 'dedup'],
  credentials: [
    'In incident.io add an alert source of kind *HTTP*. Put its address and its token into a Secret: the token of the source, not an API key of the organisation. An address that ends in `?token=…` needs no `apiKey`.',
  ],
  notes: [
    'Attributes of the source are read from the metadata: `severity`, `reason`, `kind`, `name`, `namespace`, `cluster`, `incidentId`, `runbook`, and the labels of the object below `labels`. Choose the priority by `severity` there.',
    'An alert becomes an incident, and people are called, only as the alert routes of incident.io say.',
    'A test fires one alert with severity `low` and resolves it at once.',
  ],
  sample: {
    url: { secretKeyRef: { name: 'incident-io', key: 'url' } },
    apiKey: { secretKeyRef: { name: 'incident-io', key: 'token' } },
  },
  fields: {
    url: secret({ required: true, holds: 'url', description: 'Address of the alert source.' }),
    apiKey: secret({ description: 'Token of the alert source, unless the address holds it.' }),
  },
  limits: { title: { characters: 256 }, description: { bytes: maxDescriptionBytes } },
  hosts: ['api.incident.io'],
  secretBehind: ['api\\.incident\\.io/v2/alert_events/http/'],
  pacing: { perSecond: 10, burst: 50 }, // 1,200 requests a minute for each key

  async deliver({ notification, delivery, config, send, now }) {
    const tell = (status: 'firing' | 'resolved'): Promise<Outcome> =>
      post(
        send,
        config,
        { ...contentOf(notification), status, deduplication_key: alertName(delivery) },
        readingAt(now),
      );
    return raiseOrClear(notification.act, { raise: () => tell('firing'), clear: () => tell('resolved') });
  },

  check({ config, send, now }) {
    // An alert without a title is no alert: whoever may send one is told what is missing.
    return post(send, config, {}, { ...readingAt(now), errors: { 400: 'delivered', 422: 'delivered' } });
  },
});

type Config = { readonly url: Secret; readonly apiKey?: Secret };

async function post(send: Send, { url, apiKey }: Config, json: object, reading: Reading): Promise<Outcome> {
  const destination = readDestination('url', url);
  if (!apiKey && !hasParameter(destination.url, 'token')) {
    return denied('set `apiKey` to the token of the alert source, or use the address that ends in ?token=…');
  }
  const answer = await send({ method: 'POST', url: destination.url, headers: apiKey ? bearer(apiKey) : {}, json });
  return answer.outcome(reading);
}

/** A 429 names the end of the wait as a date in its body. `now`: epoch milliseconds. */
function readingAt(now: number): Reading {
  return {
    failure(answer) {
      if (answer.status === 401) return wrongCredential(answer, 'check `apiKey`: the token of the alert source');
      return answer.status === 404 ? wrongCredential(answer, 'no such alert source; check `url`') : undefined;
    },
    retryAfterMs: (answer) =>
      answer.headers['retry-after'] === undefined
        ? retryAfterMs({ ...answer.headers, 'retry-after': namedEnd(answer) }, now)
        : undefined,
  };
}

function namedEnd(answer: Answer): string {
  const { retry_after }: { readonly retry_after?: unknown } = Object(Object(answer.json()).rate_limit);
  return typeof retry_after === 'string' ? retry_after : '';
}
