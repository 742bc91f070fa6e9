import { webLinks } from '../message/render/kit/clip.ts';
import { detailsOf, labelKeys } from '../message/render/kit/details.ts';
import { headline, oneLine } from '../message/render/kit/headline.ts';
import { truncate } from '../message/render/kit/truncate.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import { nameOf, namespaceOf } from '../model/ref.ts';
import type { Secret } from '../model/secret.ts';
import { alertName, defineProvider, noAlert, placeOf, raiseOrClear, secret, string, wrongCredential } from './kit.ts';
import { pagerdutyActions, readBackPagerduty } from './pagerduty/read-back.ts';
import type { Answer, Reading, Send } from './provider.ts';

const hosts = { us: 'events.pagerduty.com', eu: 'events.eu.pagerduty.com' } as const;

/** PagerDuty's own words, lower case. */
const severities = { critical: 'critical', high: 'error', medium: 'warning', low: 'info' } as const;

/** The whole body may be 512 KB; bytes. */
const maxDetailsBytes = 64_000;
/** Of names in the columns of the list of alerts; characters. */
const maxName = 255;

/** PagerDuty: one alert per incident. Source: developer.pagerduty.com, Events API v2. */
export const pagerduty = defineProvider({
  type: 'pagerduty',
  product: 'PagerDuty',
  family: 'pager',
  plain: 'alert',
  description: 'Triggers and resolves alerts of a PagerDuty service.',
  behaviour: 'each incident is one alert: updates are added to it, its end resolves it, a relapse triggers a new one',
  supports: ['thread', 'close', 'dedup'],
  credentials: [
    'In PagerDuty add the integration *Events API v2* to a service (or take the key of an event orchestration) and put its integration key, 32 letters and digits, into a Secret.',
    'Accounts in the service region Europe need `region: eu`; there a key of the other region is refused as invalid.',
  ],
  notes: [
    'Severities become `critical`, `error`, `warning` and `info`. A service with *dynamic notifications* calls people for the first two only.',
    'Orchestrations and rules can choose by `component` (the name of the object), `group` (its namespace), `class` (the reason) and every key of the details; the labels of the object are keys of their own (`label_app`, `label_app_kubernetes_io_name`).',
    'An alert ends only with the key it was triggered with: after changing the key, resolve by hand what was open.',
    'With `actions.readBack`, an incident that somebody acknowledges is acknowledged here within a minute or two; Tocsin needs the role [`config/actions`](../../../config/actions).',
    'A test triggers an alert of severity `info` and resolves it at once.',
  ],
  sample: { integrationKey: { secretKeyRef: { name: 'pagerduty', key: 'integrationKey' } } },
  fields: {
    integrationKey: secret({ required: true, description: 'Integration key of the service (Events API v2).' }),
    region: string({ oneOf: ['us', 'eu'], default: 'us', description: 'Service region of the account.' }),
    actions: pagerdutyActions,
  },
  limits: { summary: { characters: 1_024 }, details: { bytes: maxDetailsBytes } },
  hosts: ['events.pagerduty.com', 'events.eu.pagerduty.com'],
  secretBehind: ['events\\.(?:eu\\.)?pagerduty\\.com/(?:integration|x-ere)/'],
  pacing: { perSecond: 2, burst: 20 }, // about 120 events a minute for each key

  readBack: readBackPagerduty,

  async deliver({ notification, delivery, config, send }) {
    const dedup_key = alertName(delivery);
    const tell = async (event: object): Promise<Outcome> =>
      (await enqueue(send, config, { ...event, dedup_key })).outcome(reading);
    return raiseOrClear(notification.act, {
      raise: () => tell({ event_action: 'trigger', ...alertOf(notification) }),
      clear: () => tell({ event_action: 'resolve' }),
    });
  },

  async check({ config, send }) {
    // There is no alert of this name: nothing is resolved and nobody is told, but a wrong key is refused.
    const answer = await enqueue(send, config, { event_action: 'resolve', dedup_key: noAlert });
    return answer.outcome(reading);
  },
});

type Config = { readonly integrationKey: Secret; readonly region: keyof typeof hosts };
function enqueue(send: Send, { integrationKey, region }: Config, event: object): Promise<Answer> {
  const url = `https://${hosts[region]}/v2/enqueue`;
  return send({ method: 'POST', url, json: { routing_key: integrationKey, ...event } });
}

/** What a trigger says; PagerDuty wants no empty texts. */
function alertOf(notification: Notification): object {
  const { severity, at, incident, links } = notification;
  const name = (text: string): string => truncate(oneLine(text), maxName, 'characters');
  const namespace = incident ? namespaceOf(incident.root) : '';
  const shown = webLinks(links, 8);
  const dashboard = shown.find(({ title }) => title === 'Dashboard');
  const { labels: _asOne, ...details } = detailsOf({ ...notification, links: [] }, { max: maxDetailsBytes });
  return {
    payload: {
      summary: headline(notification, 1_024, 'characters'),
      source: name(placeOf(notification)),
      severity: severities[severity],
      timestamp: new Date(at).toISOString(),
      ...(incident && { component: name(nameOf(incident.root)), class: incident.reason }),
      ...(namespace !== '' && { group: namespace }),
      custom_details: { ...details, ...labelKeys(notification) },
    },
    client: 'Tocsin',
    ...(dashboard && { client_url: new URL(dashboard.url).href }),
    ...(shown.length > 0 && { links: shown.map(({ title, url }) => ({ href: new URL(url).href, text: name(title) })) }),
  };
}

/** A key of another region, or one that is no more, is an invalid event to PagerDuty. */
const reading: Reading = {
  failure: (answer) =>
    answer.status === 400 && /routing[ _]key/i.test(answer.body)
      ? wrongCredential(answer, 'check `integrationKey`, and `region` for accounts in Europe')
      : undefined,
};
