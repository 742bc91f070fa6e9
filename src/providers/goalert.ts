import { type Details, identityOf, labelKeys } from '../message/render/kit/details.ts';
import { headline } from '../message/render/kit/headline.ts';
import { quietText } from '../message/render/kit/quiet.ts';
import { markdown } from '../message/render/markdown.ts';
import { mirroredMarkdown } from '../message/render/mirrored.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import { postGeneric } from './goalert/generic.ts';
import { document, runOperation } from './goalert/graphql.ts';
import { alertName, defineProvider, httpUrl, noAlert, raiseOrClear, secret, startsWith, string } from './kit.ts';
import type { Send } from './provider.ts';

/** Read out and sent in short messages; the server takes 1,024. Characters. */
const maxSummary = 160;
/** The server takes 6,144 characters. */
const dialect = mirroredMarkdown(6_144);

/**
 * GoAlert removes what is not printable, the zero-width spaces that take links, fences and mentions apart included. A combining
 * grapheme joiner is as invisible, and stays.
 */
const lasting = (text: string): string => text.replaceAll('\u200b', '\u034f');

/** GoAlert. Sources: github.com/target/goalert, genericapi/handler.go, alert/alert.go, apikey/middleware.go, graphql2. */
export const goalert = defineProvider({
  type: 'goalert',
  product: 'GoAlert',
  family: 'pager',
  plain: 'alert',
  description: 'Opens and closes alerts of a GoAlert service.',
  behaviour: 'each incident is one alert: updates do not change it, its end closes it, a relapse opens a new one',
  supports: ['close', 'dedup'],
  credentials: [
    'Best with the key of an integration: add a *Generic API* integration key to the service and put it into a Secret. The key decides about the service.',
    `A GraphQL API key (it begins with \`ey\`) works, too, for the service named by \`serviceId\`. An administrator makes it with exactly this document: \`${document}\`. It has an expiry date.`,
  ],
  notes: [
    'GoAlert knows no severities and cannot change an alert: the severity stands in the metadata and the details, and an update of an alert that is open calls nobody. One that somebody closed by hand is opened again by the next update.',
    'A service takes a limited number of unacknowledged alerts (200 unless configured); beyond it deliveries wait.',
    'A test opens an alert, which calls people, and closes it at once.',
  ],
  sample: {
    url: 'https://goalert.example.com',
    token: { secretKeyRef: { name: 'goalert', key: 'token' } },
    serviceId: '6d5f3f0c-7a2e-4b0a-9d55-0a9f0d4c1e7b',
  },
  fields: {
    url: httpUrl({ required: true, description: 'Address of the GoAlert server.' }),
    token: secret({ required: true, description: 'Generic API integration key, or a GraphQL API key.' }),
    serviceId: string({ required: true, pattern: '^[0-9A-Fa-f-]{36}$', description: 'Id of the service.' }),
  },
  limits: { summary: { characters: maxSummary }, details: { bytes: dialect.max } },
  pacing: { perSecond: 2, burst: 20 }, // requests of one key queue up, and more than 100 are refused

  async deliver({ notification, delivery, config, send }) {
    const summary = lasting(headline(notification, maxSummary, 'characters', quietText));
    return raiseOrClear(notification.act, {
      raise: () =>
        tell(send, config, {
          summary,
          details: lasting(markdown(notification, dialect, ['title'])),
          dedup: alertName(delivery),
          meta: metaOf(notification),
        }),
      clear: () => close(send, config, { summary, dedup: alertName(delivery) }),
    });
  },

  check({ config, send }) {
    // There is no alert of this name: nothing is closed and nobody is told.
    return close(send, config, { summary: 'Credential check of Tocsin', dedup: noAlert });
  },
});

/** Short texts by key, for whoever reads the alert by program. */
function metaOf(notification: Notification): Details {
  const quiet = (text: string): string => lasting(quietText(text));
  const { labels: _asOne, ...identity } = identityOf(notification, { max: 500, quiet });
  return { ...identity, ...labelKeys(notification, quiet) };
}

type Config = { readonly url: string; readonly token: Secret; readonly serviceId: string };
type Alert = { readonly summary: string; readonly dedup: string };
type Told = Alert & { readonly details: string; readonly meta: Readonly<Record<string, string>> };

/** Keys of the GraphQL API are JSON Web Tokens, those of integrations UUIDs. */
const isForGraphql = ({ token }: Config): boolean => startsWith(token, 'ey');

function tell(send: Send, config: Config, alert: Told): Promise<Outcome> {
  if (!isForGraphql(config)) return postGeneric(send, config, alert);
  const meta = Object.entries(alert.meta).map(([key, value]) => ({ key, value }));
  return runOperation(send, config, 'TocsinOpen', { serviceID: config.serviceId, ...alert, meta, sanitize: true });
}

function close(send: Send, config: Config, alert: Alert): Promise<Outcome> {
  if (!isForGraphql(config)) return postGeneric(send, config, { ...alert, action: 'close' });
  return runOperation(send, config, 'TocsinClose', { serviceID: config.serviceId, dedup: alert.dedup });
}
