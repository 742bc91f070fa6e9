import type { Outcome } from '../model/delivery.ts';
import { openSecret, type Secret } from '../model/secret.ts';
import {
  alertName,
  defineProvider,
  httpUrl,
  isSilentUpdate,
  noAlert,
  raiseOrClear,
  readDestination,
  secret,
  secretEndpoint,
  string,
  waitAfter429,
  wrongCredential,
} from './kit.ts';
import type { Reading, Send } from './provider.ts';
import { contentOf, maxMessage, maxTitle } from './signl4/content.ts';

/** SIGNL4: one alert per incident. Sources: support.signl4.com, HTTP webhook and control parameters; update of July 2020. */
export const signl4 = defineProvider({
  type: 'signl4',
  product: 'SIGNL4',
  family: 'pager',
  plain: 'alert',
  description: 'Alerts the people on duty in a SIGNL4 team and ends the alert.',
  behaviour:
    'each incident is one alert, which alerts again only when it gets worse; its end resolves it, a relapse alerts again',
  supports: ['close'],
  credentials: [
    'The team secret is the last part of the address of the team’s webhook; the whole address is taken too. `url` is for another address in front of it; parameters of its own are kept.',
  ],
  notes: [
    'SIGNL4 cannot change an alert: updates are not sent, except when the severity rises, which alerts again.',
    'Severity, reason, object, namespace, cluster and labels are parameters of the alert, and the namespace its service: categories can choose by keywords in all of them.',
    'A test alerts the people on duty and is resolved at once.',
  ],
  sample: { teamSecret: { secretKeyRef: { name: 'signl4', key: 'teamSecret' } } },
  fields: {
    teamSecret: secret({
      required: true,
      description: 'Team secret: the last part of the address of the webhook, or the whole of it.',
    }),
    title: string({ maxLength: 60, description: 'Words in front of every title.' }),
    user: string({ maxLength: 100, description: 'Name that every alert shows as its `User`.' }),
    url: httpUrl({
      description: 'Address in front of the team secret; by default https://connect.signl4.com/webhook.',
    }),
  },
  limits: { title: { characters: maxTitle }, message: { characters: maxMessage } },
  hosts: ['connect.signl4.com'],
  secretBehind: ['connect\\.signl4\\.com/webhook/'],
  pacing: { perSecond: 0.5, burst: 10 }, // who sends too fast is blocked for a while; how fast is not published

  async deliver({ notification, delivery, config, send }) {
    const id = alertName(delivery);
    if (isSilentUpdate(notification)) return { is: 'delivered' };
    return raiseOrClear(notification.act, {
      raise: () => post(send, config, id, 'new', contentOf(notification, config)),
      clear: () => post(send, config, id, 'resolved', {}),
    });
  },

  check({ config, send }) {
    // Events of a status that does not exist are thrown away, but only behind a team secret that does.
    return post(send, config, noAlert, 'check', { Title: 'Credential check of Tocsin' });
  },
});

type Config = { readonly teamSecret: Secret; readonly url?: string; readonly title?: string; readonly user?: string };

async function post(send: Send, config: Config, id: string, status: string, content: object): Promise<Outcome> {
  const destination = destinationOf(config);
  const control = { 'X-S4-ExternalID': id, 'X-S4-Status': status, 'X-S4-SourceSystem': 'Tocsin' };
  return (await send({ method: 'POST', ...destination, json: { ...content, ...control } })).outcome(reading);
}

/** Where a team is told: behind `url`, or at the whole address of its webhook, which is pasted in place of its end. */
function destinationOf({ url, teamSecret }: Config): ReturnType<typeof readDestination> {
  const pasted = openSecret(teamSecret).trim();
  if (pasted.includes('://')) return readDestination('teamSecret', pasted);
  const address = secretEndpoint(url ?? 'https://connect.signl4.com/webhook', teamSecret);
  return readDestination('url', openSecret(address));
}

const reading: Reading = {
  failure: (answer) =>
    answer.status === 404 ? wrongCredential(answer, 'no such team; check `teamSecret` and `url`') : undefined,
  retryAfterMs: waitAfter429(60_000),
};
