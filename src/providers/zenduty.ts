import { webLinks } from '../message/render/kit/clip.ts';
import { identityOf, labelKeys } from '../message/render/kit/details.ts';
import { fitted } from '../message/render/kit/fitted.ts';
import { headline } from '../message/render/kit/headline.ts';
import { plainBody } from '../message/render/kit/plain-text.ts';
import { quietText } from '../message/render/kit/quiet.ts';
import { truncate } from '../message/render/kit/truncate.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import { openSecret, type Secret } from '../model/secret.ts';
import {
  alertName,
  defineProvider,
  editUrl,
  keyDestination,
  noAlert,
  objectOf,
  raiseOrClear,
  secret,
  string,
} from './kit.ts';
import type { Send } from './provider.ts';
import { apiEnding, isBareKey, readingOf } from './zenduty/answers.ts';

/** Bytes; no published limit, and nobody reads more on a phone. */
const maxSummaryBytes = 10_000;

/** Zenduty, now Xurrent IMR. Sources: apidocs.zenduty.com (events), xurrent.com/imr-help (generic integration, rate limits). */
export const zenduty = defineProvider({
  type: 'zenduty',
  product: 'Zenduty',
  family: 'pager',
  plain: 'alert',
  description: 'Opens and resolves incidents of Zenduty (Xurrent IMR).',
  behaviour: 'each incident is one incident there: updates are added as alerts, a relapse opens a new one',
  supports: ['thread', 'close', 'dedup'],
  credentials: [
    'Add the integration *Generic* to a service and put the address it shows, or `<account>/<key>` of it, into a Secret. The key alone is that of the older *API* integration, which Zenduty ends: it takes no new ones since October 2024, and had announced 2025-05-15 as the last day.',
  ],
  notes: [
    'Every incident is opened with `alertType`, whatever its severity; rules can choose by `severity`, `reason`, `root`, `namespace` and `cluster` in the payload, and by the labels of the object, keys of their own (`label_app`). By default `warning` and `info` open no incident.',
    'A test sends one alert of type `info` and resolves it.',
  ],
  ending: ({ integrationKey }) => (isBareKey(objectOf(integrationKey)?.value) ? apiEnding : undefined),
  sample: { integrationKey: { secretKeyRef: { name: 'zenduty', key: 'integrationKey' } } },
  fields: {
    integrationKey: secret({
      required: true,
      description: 'Key, `<account>/<key>` or whole address of the integration.',
    }),
    alertType: string({
      oneOf: ['critical', 'error', 'warning', 'info'],
      default: 'critical',
      description: 'Type of every alert that opens an incident.',
    }),
  },
  limits: { message: { characters: 255 }, summary: { bytes: maxSummaryBytes } },
  hosts: ['events.zenduty.com'],
  secretBehind: ['events\\.zenduty\\.com/(?:api/)?integration/[\\w-]{1,64}/[\\w-]{1,40}/'],
  pacing: { perSecond: 1, burst: 10 }, // 60 incidents and 100 alerts a minute for each integration

  async deliver({ notification, delivery, config, send }) {
    const { act } = notification;
    const entity_id = alertName(delivery);
    const tell = (alert_type: string): Promise<Outcome> =>
      post(send, config.integrationKey, { alert_type, entity_id, ...contentOf(notification) });
    return raiseOrClear(act, {
      raise: () => tell(act === 'test' ? 'info' : config.alertType),
      clear: () => tell('resolved'),
    });
  },

  check({ config, send }) {
    // Nothing of this name is open, so nothing is resolved and nobody is told; an unknown key is refused.
    const words = 'Credential check of Tocsin';
    const json = { alert_type: 'resolved', entity_id: noAlert, message: words, summary: words };
    return post(send, config.integrationKey, json);
  },
});

/** The older integration knows its key alone, the generic one is below an account. */
const addresses = [
  'https://events.zenduty.com/api/events/{}/',
  'https://events.zenduty.com/integration/{}/generic/{}/',
] as const;

async function post(send: Send, key: Secret, json: object): Promise<Outcome> {
  const destination = keyDestination('integrationKey', key, addresses);
  // Without the slash at the end Zenduty redirects, and redirects are not followed.
  const url = editUrl(destination.url, (address) => {
    address.pathname = address.pathname.replace(/\/*$/, '/');
  });
  return (await send({ method: 'POST', url, json })).outcome(readingOf(openSecret(key)));
}

/** Incidents are mirrored to chat products. */
function contentOf(notification: Notification): object {
  const shown = webLinks(notification.links, 8);
  const { labels: _asOne, ...identity } = identityOf(notification, { max: 500, quiet: quietText });
  return {
    message: headline(notification, 255, 'characters', quietText),
    summary: fitted(notification, { max: maxSummaryBytes, unit: 'bytes' }, (told) =>
      quietText(plainBody({ ...told, links: [] })),
    ),
    payload: { ...identity, ...labelKeys(notification, quietText) },
    ...(shown.length > 0 && {
      urls: shown.map(({ title, url }) => ({
        link_url: new URL(url).href,
        link_text: truncate(quietText(title), 100, 'characters'),
      })),
    }),
  };
}
