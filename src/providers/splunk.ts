import { logEntry } from '../message/render/log-entry.ts';
import type { Secret } from '../model/secret.ts';
import { authorization, defineProvider, endpoint, httpUrl, secret, string, uuidOf } from './kit.ts';
import type { SendRequest } from './provider.ts';
import { foundTokenGood, reading } from './splunk/answers.ts';

/** Splunk cuts a line at 10,000 bytes by default (TRUNCATE), which would leave half a JSON object. */
const maxEventBytes = 9_500;

/** Splunk HTTP Event Collector. Source: help.splunk.com, "HTTP Event Collector REST API endpoints", "Format events for HEC". */
export const splunk = defineProvider({
  type: 'splunk',
  product: 'Splunk HEC',
  family: 'log',
  description: 'Sends each notification as one event to a Splunk HTTP Event Collector.',
  behaviour: 'every act is a new event',
  credentials: [
    'Create an HTTP Event Collector token and, best, set its sourcetype to `_json`. `url` may be the collector (`https://splunk.example.com:8088`) or its whole endpoint (`…/services/collector/event`); the raw endpoint takes another format and is refused.',
  ],
  notes: [
    'All events of an incident have the same `incidentId`; `alertKey` is the same for every recurrence of one problem. `tocsin_action`, `tocsin_severity` and `tocsin_incident` are indexed fields, for `tstats`; the labels of the object are fields of the event (`label_app`).',
    'Without `source`, `sourcetype`, `index` and `host` those of the token apply. Whether the token may write to `index` shows only with a real event: use a test message.',
    'For a certificate of your own authority, give that in `spec.tls.caBundle`.',
  ],
  sample: {
    url: 'https://splunk.example.com:8088',
    token: { secretKeyRef: { name: 'splunk', key: 'token' } },
    sourcetype: '_json',
  },
  fields: {
    url: httpUrl({ required: true, description: 'Address of the HTTP Event Collector.' }),
    token: secret({ required: true, description: 'Token of the collector.' }),
    source: string({ description: 'Source of the events; by default that of the token.' }),
    sourcetype: string({ description: 'Sourcetype of the events; by default that of the token.' }),
    index: string({ description: 'Index of the events; by default that of the token.' }),
    host: string({ description: 'Host of the events; by default the name of the collector.' }),
  },
  rules: [
    {
      cel: "!self.url.contains('/services/collector/raw')",
      message: 'use the endpoint `/services/collector/event` in `url`: the raw one takes another format',
    },
  ],
  limits: { event: { bytes: maxEventBytes } },
  pacing: { perSecond: 20, burst: 100 }, // a collector takes thousands

  async deliver({ notification, delivery, config, send }) {
    const { source, sourcetype, index, host } = config;
    const { act, severity, incident, at } = notification;
    const answer = await send({
      ...requestTo(config),
      json: {
        time: at / 1000, // seconds: milliseconds would be a day in the far future
        ...{ ...(host && { host }), ...(source && { source }) },
        ...{ ...(sourcetype && { sourcetype }), ...(index && { index }) },
        event: logEntry(notification, delivery.alertKey, { max: maxEventBytes, quiet: withoutNul }),
        // Names of their own: a field that is extracted from the event as well would have every value twice.
        fields: {
          tocsin_action: act,
          tocsin_severity: severity,
          ...(incident && { tocsin_incident: incident.id }),
        },
      },
    });
    return answer.outcome(reading);
  },

  async check({ config, send }) {
    // The token is looked at before the event, which is missing: 400 with code 5 is a good token, 403 a bad one.
    const answer = await send({ ...requestTo(config), body: '' });
    return foundTokenGood(answer) ? { is: 'delivered' } : answer.outcome(reading);
  },
});

/** Where and as whom. The channel is asked for by tokens with acknowledgement and ignored by others. */
function requestTo({ url, token }: { readonly url: string; readonly token: Secret }): SendRequest {
  const { pathname } = new URL(url);
  const address = pathname === '/' ? endpoint(url, 'services/collector/event') : new URL(url);
  return {
    method: 'POST',
    url: address,
    headers: {
      ...authorization('Splunk', token),
      'content-type': 'application/json',
      'x-splunk-request-channel': uuidOf(`tocsin ${address.href}`),
    },
  };
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');
