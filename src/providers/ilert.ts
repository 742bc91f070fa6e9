import { webLinks } from '../message/render/kit/clip.ts';
import { identityOf, labelKeys } from '../message/render/kit/details.ts';
import { headline } from '../message/render/kit/headline.ts';
import { quietText } from '../message/render/kit/quiet.ts';
import { truncate } from '../message/render/kit/truncate.ts';
import { markdown } from '../message/render/markdown.ts';
import { mirroredMarkdown } from '../message/render/mirrored.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import { alertName, defineProvider, noAlert, raiseOrClear, secret, string, wrongCredential } from './kit.ts';
import type { Reading, Send } from './provider.ts';

/** What the API knows: HIGH escalates, LOW does not. */
const priorities = { LOW: 'LOW', HIGH: 'HIGH', CRITICAL: 'HIGH' } as const;

/** Bytes; field lengths are not published. */
const dialect = mirroredMarkdown(8_192);

/** ilert: one alert per incident. Sources: docs.ilert.com, creating alerts through events; api.ilert.com, OpenAPI (Events). */
export const ilert = defineProvider({
  type: 'ilert',
  product: 'ilert',
  family: 'pager',
  plain: 'alert',
  description: 'Raises and resolves alerts of an ilert alert source.',
  behaviour: 'each incident is one alert: updates go to its event log, its end resolves it, a relapse raises a new one',
  supports: ['thread', 'close', 'dedup'],
  credentials: [
    'In ilert add an alert source of type *API* and put its integration key into a Secret. Keys of sources of other types take other bodies.',
  ],
  notes: [
    'Every alert has the configured `priority`, whatever the severity of the incident. ilert knows two: `HIGH` calls people by the escalation policy, `LOW` does not; `CRITICAL` is sent as `HIGH`.',
    'Rules can choose by the labels `severity`, `reason`, `root`, `namespace` and `cluster`, and by the labels of the object (`label_app`).',
    'A test raises one alert of priority `LOW` and resolves it at once.',
  ],
  sample: { integrationKey: { secretKeyRef: { name: 'ilert', key: 'integrationKey' } } },
  fields: {
    integrationKey: secret({ required: true, description: 'Integration key of an alert source of type API.' }),
    priority: string({
      oneOf: ['LOW', 'HIGH', 'CRITICAL'],
      default: 'HIGH',
      description: 'Priority of every alert; `CRITICAL` is sent as `HIGH`, the highest there is.',
    }),
  },
  limits: { summary: { characters: 255 }, details: { bytes: dialect.max } },
  hosts: ['api.ilert.com'],
  pacing: { perSecond: 0.8, burst: 10 }, // 50 requests a minute for each key

  async deliver({ notification, delivery, config, send }) {
    const { act } = notification;
    const alertKey = alertName(delivery);
    const tell = (event: object): Promise<Outcome> =>
      post(send, config.integrationKey, { ...event, alertKey, ...contentOf(notification) });
    return raiseOrClear(act, {
      raise: () => tell({ eventType: 'ALERT', priority: act === 'test' ? 'LOW' : priorities[config.priority] }),
      clear: () => tell({ eventType: 'RESOLVE' }),
    });
  },

  check({ config, send }) {
    // There is no alert of this name: nothing is resolved and nobody is told.
    const json = { eventType: 'RESOLVE', alertKey: noAlert, summary: 'Credential check of Tocsin' };
    return post(send, config.integrationKey, json);
  },
});

async function post(send: Send, integrationKey: Secret, event: object): Promise<Outcome> {
  const headers = { accept: 'application/json' };
  const json = { integrationKey, ...event };
  return (await send({ method: 'POST', url: 'https://api.ilert.com/api/events', headers, json })).outcome(reading);
}

function contentOf(notification: Notification): object {
  const quiet = { max: 255, unit: 'characters', quiet: quietText } as const;
  const { incidentId, startedAt, affectedCount, labels: _asOne, ...choosing } = identityOf(notification, quiet);
  const shown = webLinks(notification.links, 8);
  return {
    summary: headline(notification, 255, 'characters', quietText),
    details: markdown(notification, dialect, ['title']),
    labels: { ...choosing, ...labelKeys(notification, quietText) },
    ...(incidentId !== undefined && { customDetails: { incidentId, startedAt, affectedCount } }),
    ...(shown.length > 0 && {
      links: shown.map(({ title, url }) => ({
        href: new URL(url).href,
        text: truncate(quietText(title), 255, 'characters'),
      })),
    }),
  };
}

/** An unknown or disabled key is a bad request to ilert. */
const reading: Reading = {
  failure: (answer) =>
    answer.status === 400 && /(?:integration|api)[ _-]?key|alert source/i.test(answer.body)
      ? wrongCredential(answer, 'check `integrationKey`, and that its alert source is enabled')
      : undefined,
};
