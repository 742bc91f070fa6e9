import type { Outcome } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import { defineProvider, denied, failureOfCode, Refused, secret, startsWith, string, uuidOf } from './kit.ts';
import { eventOf } from './newrelic/event.ts';
import type { Reading, SendRequest } from './provider.ts';

const hosts = { us: 'insights-collector.newrelic.com', eu: 'insights-collector.eu01.nr-data.net' } as const;

/** New Relic Event API. Sources: docs.newrelic.com, "Introduction to the Event API", "Data requirements and limits". */
export const newrelic = defineProvider({
  type: 'newrelic',
  product: 'New Relic',
  family: 'log',
  description: 'Sends each notification as one custom event to New Relic.',
  behaviour: 'every act is a new event',
  credentials: [
    'Use a license key (ingest) of the account; an insert key (`NRII-…`) works as well, a user key (`NRAK-…`) does not. `region` must be that of the account.',
  ],
  notes: [
    'Acts of incidents are events of the type `TocsinIncident`, everything else is `TocsinMessage`. Open problems, for an alert condition: `SELECT latest(status) FROM TocsinIncident FACET alertKey`, which is the same for every recurrence of one problem, also after a restart. The labels of the object are attributes of their own (`label_app`).',
    'New Relic checks events after it has taken them: what it drops shows in `SELECT * FROM NrIntegrationError`. Events that arrive more than 23 hours late carry the time of the delivery; the true time is always in `occurredAt`.',
  ],
  sample: { apiKey: { secretKeyRef: { name: 'newrelic', key: 'apiKey' } }, accountId: '1234567' },
  fields: {
    apiKey: secret({ required: true, description: 'License key (ingest) of the account.' }),
    accountId: string({
      required: true,
      orNumber: true,
      pattern: '^[0-9]+$',
      maxLength: 20,
      description: 'Number of the account.',
    }),
    region: string({ oneOf: ['us', 'eu'], default: 'us', description: 'Region of the account.' }),
  },
  limits: { value: { utf16: 4_000 }, event: { bytes: 30_000 } },
  hosts: ['insights-collector.newrelic.com', 'insights-collector.eu01.nr-data.net'],
  pacing: { perSecond: 20, burst: 100 }, // 100,000 requests a minute and account

  async deliver({ notification, delivery, config, send, now }) {
    const answer = await send({
      ...requestTo(config, uuidOf(delivery.attemptKey)),
      json: [eventOf(notification, delivery.alertKey, now)],
    });
    return answer.outcome(reading);
  },

  async check({ config, send }) {
    // The key is looked at before the events, of which there are none: nothing is stored.
    const answer = await send({ ...requestTo(config), json: [] });
    return answer.outcome({ ...reading, errors: { 400: 'delivered' } });
  },
});

type Access = { readonly apiKey: Secret; readonly accountId: string; readonly region: keyof typeof hosts };
/** Throws `Refused`. `id`: the same for every attempt of one delivery. */
function requestTo({ apiKey, accountId, region }: Access, id?: string): SendRequest {
  if (startsWith(apiKey, 'NRAK-')) throw new Refused(userKey);
  const name = startsWith(apiKey, 'NRII-') ? 'x-insert-key' : 'api-key';
  const url = `https://${hosts[region]}/v1/accounts/${encodeURIComponent(accountId)}/events`;
  return { method: 'POST', url, headers: { [name]: apiKey, ...(id !== undefined && { 'x-request-id': id }) } };
}

/** What New Relic would only answer 403 to. */
const userKey: Outcome = denied(
  '`apiKey` is a user key (NRAK-…), which may not send events; use a license key (ingest)',
);

/** A 2xx with `"success": false` is none. */
const reading: Reading = {
  advice: { 403: 'the key must be a license key of this account, and `region` that of the account' },
  failure(answer) {
    const failed = answer.status < 300 && Object(answer.json()).success === false;
    return failed ? failureOfCode(answer, answer.body, new Map()) : undefined;
  },
};
