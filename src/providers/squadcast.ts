import { identityOf, labelKeys } from '../message/render/kit/details.ts';
import { headline } from '../message/render/kit/headline.ts';
import { quietText } from '../message/render/kit/quiet.ts';
import { colours } from '../message/render/kit/state.ts';
import { markdown } from '../message/render/markdown.ts';
import { mirroredMarkdown } from '../message/render/mirrored.ts';
import type { Outcome } from '../model/delivery.ts';
import type { Notification } from '../model/notification.ts';
import type { Secret } from '../model/secret.ts';
import {
  alertName,
  defineProvider,
  isSilentUpdate,
  keyDestination,
  noAlert,
  raiseOrClear,
  secret,
  string,
  waitAfter429,
  wrongCredential,
} from './kit.ts';
import type { Reading, Send } from './provider.ts';

const hosts = { us: 'api.squadcast.com', eu: 'api.eu.squadcast.com' } as const;

/** P5 is left to tests. */
const priorities = { critical: 'P1', high: 'P2', medium: 'P3', low: 'P4' } as const;

/** A payload may be 30 KB; as JSON, a text takes up to twice its bytes. */
const dialect = mirroredMarkdown(12_000);

/** Squadcast, now SolarWinds Incident Response. Sources: support.squadcast.com, incident webhook and rate limiting. */
export const squadcast = defineProvider({
  type: 'squadcast',
  product: 'Squadcast',
  family: 'pager',
  plain: 'alert',
  description: 'Triggers and resolves incidents of a Squadcast service.',
  behaviour:
    'each incident is one incident there, triggered again only when it gets worse; its end resolves it, a relapse triggers a new one',
  supports: ['close'],
  credentials: [
    'Add the alert source *Incident Webhook* to a service and put the address it shows, or the key at its end, into a Secret. A key alone needs `region: eu` for accounts in Europe.',
  ],
  notes: [
    'Squadcast cannot change an incident: updates are not sent, except when the severity rises. That may be a second incident there; both are resolved together.',
    'Severities become P1 to P4. Rules can choose by the tags `severity`, `reason`, `root`, `namespace` and `cluster`; the labels of the object are tags of their own (`label_app`).',
    'Rules for deduplication and suppression may swallow what was accepted. A test triggers an incident of priority P5 and resolves it at once.',
  ],
  sample: { serviceKey: { secretKeyRef: { name: 'squadcast', key: 'serviceKey' } } },
  fields: {
    serviceKey: secret({ required: true, description: 'Key, or whole address, of the incident webhook of a service.' }),
    region: string({ oneOf: ['us', 'eu'], default: 'us', description: 'Where the account is, for a key alone.' }),
  },
  limits: { message: { characters: 255 }, description: { bytes: dialect.max } },
  hosts: ['api.squadcast.com', 'api.eu.squadcast.com'],
  secretBehind: ['api\\.(?:eu\\.)?squadcast\\.com/v\\d/incidents/\\w{1,30}/'],
  pacing: { perSecond: 1, burst: 15 }, // free accounts take 15 a minute and say so, others 300 and more
  settlesAfterMs: 2_000, // incidents are made after they were accepted; an end before that is lost

  async deliver({ notification, delivery, config, send }) {
    const event_id = alertName(delivery);
    if (isSilentUpdate(notification)) return { is: 'delivered' };
    const resolve = (): Promise<Outcome> => post(send, config, { status: 'resolve', event_id });
    return raiseOrClear(notification.act, {
      raise: () => post(send, config, { ...contentOf(notification), status: 'trigger', event_id }),
      async clear() {
        const outcome = await resolve();
        // Right after the trigger it may be looked at first, and is lost then.
        return notification.act === 'test' && outcome.is === 'delivered' ? resolve() : outcome;
      },
    });
  },

  check({ config, send }) {
    // There is no incident of this name: nothing is resolved and nobody is told.
    return post(send, config, { status: 'resolve', event_id: noAlert });
  },
});

type Config = { readonly serviceKey: Secret; readonly region: keyof typeof hosts };

async function post(send: Send, { serviceKey, region }: Config, json: object): Promise<Outcome> {
  const found = keyDestination('serviceKey', serviceKey, [`https://${hosts[region]}/v2/incidents/api/{}`]);
  return (await send({ method: 'POST', url: found.url, json })).outcome(reading);
}

function contentOf(notification: Notification): object {
  const { act, severity } = notification;
  const {
    startedAt: _,
    affectedCount: _count,
    labels: _asOne,
    ...tags
  } = identityOf(notification, {
    max: 100,
    unit: 'characters',
    quiet: quietText,
  });
  return {
    message: headline(notification, 255, 'characters', quietText),
    description: markdown(notification, dialect, ['title']),
    priority: act === 'test' ? 'P5' : priorities[severity],
    tags: {
      ...tags,
      ...labelKeys(notification, quietText),
      severity: { value: severity, color: colours[severity] },
      source: 'tocsin',
    },
  };
}

const reading: Reading = {
  failure: (answer) =>
    answer.status === 404 ? wrongCredential(answer, 'no such service; check `serviceKey` and `region`') : undefined,
  retryAfterMs: waitAfter429(60_000), // windows of a minute
};
