import { webLinks } from '../message/render/kit/clip.ts';
import { identityOf, labelKeys } from '../message/render/kit/details.ts';
import { fitted } from '../message/render/kit/fitted.ts';
import { headline } from '../message/render/kit/headline.ts';
import { plainBody } from '../message/render/kit/plain-text.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import {
  alertName,
  defineProvider,
  failureOfCode,
  httpUrl,
  raiseOrClear,
  secret,
  secretEndpoint,
  wrongCredential,
} from './kit.ts';
import type { Reading } from './provider.ts';

/** What opens an incident, what does if the account says so, and what only adds a line to the timeline. */
const messageTypes = { critical: 'CRITICAL', high: 'CRITICAL', medium: 'WARNING', low: 'INFO' } as const;

/** Splunk On-Call, once VictorOps: one incident each. Source: help.splunk.com, REST endpoint integration. */
export const splunkoncall = defineProvider({
  type: 'splunkoncall',
  product: 'Splunk On-Call',
  family: 'pager',
  plain: 'alert',
  description: 'Opens and recovers incidents of Splunk On-Call (VictorOps).',
  behaviour: 'each incident is one incident there: updates are added to its timeline, a relapse opens a new one',
  supports: ['thread', 'close', 'dedup'],
  credentials: [
    'In Splunk On-Call enable the integration *REST – Generic*. Of the address it shows, `…/alert/<key>/$routing_key`, the key goes into a Secret as `apiKey`; `routingKey` chooses the escalation policy. A routing key that does not exist is no error there: the default policy is called.',
  ],
  notes: [
    '`critical` and `high` are sent as CRITICAL, `medium` as WARNING, which opens an incident only if the account is set so, `low` as INFO, which never does.',
    'Rules can choose by the fields `severity`, `reason`, `root`, `namespace` and `cluster`; the labels of the object are fields of their own (`label_app`).',
    'A test is a line in the timeline, of type INFO, and its recovery: nobody is called.',
    'An incident that was merged or closed by hand may not take its recovery.',
  ],
  sample: {
    apiKey: { secretKeyRef: { name: 'splunk-on-call', key: 'apiKey' } },
    routingKey: { secretKeyRef: { name: 'splunk-on-call', key: 'routingKey' } },
  },
  fields: {
    apiKey: secret({ required: true, description: 'API key of the REST integration.' }),
    routingKey: secret({ required: true, description: 'Routing key: which escalation policy is called.' }),
    url: httpUrl({ description: 'Address of the REST endpoint up to the key; by default that of Splunk.' }),
  },
  limits: { title: { characters: 255 }, text: { characters: 20_480 } },
  hosts: ['alert.victorops.com'],
  secretBehind: ['alert\\.victorops\\.com/integrations/generic/\\d{1,20}/alert/'],
  pacing: { perSecond: 2, burst: 20 }, // no published limit

  async deliver({ notification, delivery, config, send }) {
    const entity_id = alertName(delivery);
    const tell = async (message_type: string): Promise<Outcome> => {
      const json = { message_type, entity_id, ...contentOf(notification) };
      return (await send({ method: 'POST', url: addressOf(config), json })).outcome(reading);
    };
    return raiseOrClear(notification.act, {
      raise: () => tell(messageTypes[notification.severity]),
      clear: () => tell('RECOVERY'),
    });
  },
});

const splunk = 'https://alert.victorops.com/integrations/generic/20131114/alert';
type Config = { readonly apiKey: Secret; readonly routingKey: Secret; readonly url?: string };

/** An address copied from the product holds the key and a place for the routing key. */
function addressOf({ apiKey, routingKey, url = splunk }: Config): Secret {
  const [base = '', ...rest] = url.split(/\/\$routing_key/i);
  return rest.length > 0 ? secretEndpoint(base, routingKey) : secretEndpoint(url, apiKey, routingKey);
}

/** `@name` is a mention in timelines; addresses and digests of images (`a@b`) are none and stay. */
const quiet = (text: string): string => text.replace(/(?<!\w)@(?=\w)/g, '@\u200b');

function contentOf(notification: Notification): object {
  const { incident, at, links } = notification;
  const { labels: _asOne, ...identity } = identityOf(notification, { max: 500, unit: 'characters', quiet });
  return {
    entity_display_name: headline(notification, 255, 'characters', quiet),
    state_message: fitted(notification, { max: 20_480, unit: 'characters' }, (told) =>
      quiet(plainBody({ ...told, links: [] })),
    ),
    state_start_time: Math.floor((incident?.startedAt ?? at) / 1000),
    timestamp: Math.floor(at / 1000),
    monitoring_tool: 'Tocsin',
    ...identity,
    ...labelKeys(notification, quiet),
    ...Object.fromEntries(webLinks(links, 8).map(({ title, url }, at) => [annotation(title, at), new URL(url).href])),
  };
}

/** A key that shows a link; keys steer the product, so only a plain word becomes part of one. */
function annotation(title: string, index: number): string {
  return `vo_annotate.u.${/^[A-Za-z][A-Za-z ]{0,40}$/.test(title) ? title : `Link ${index + 1}`}`;
}

/** Status 200 may carry a failure. */
const reading: Reading = {
  failure(answer) {
    if (answer.status === 404)
      return wrongCredential(answer, 'check `apiKey`, and that the REST integration is enabled');
    const { result, message, messages }: Readonly<Record<string, unknown>> = Object(answer.json());
    if (answer.status >= 300 || result === undefined || result === 'success') return undefined;
    const said = String(message ?? messages ?? result);
    return failureOfCode(answer, said, new Map([[said, 'refused']]));
  },
};
