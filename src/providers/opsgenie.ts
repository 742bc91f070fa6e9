import type { Outcome } from '../model/delivery.ts';
import type { Secret } from '../model/secret.ts';
import {
  alertName,
  authorization,
  defineProvider,
  failureOfCode,
  raiseOrClear,
  secret,
  string,
  wrongCredential,
} from './kit.ts';
import { alertOf, messageOf, noteOf, priorities } from './opsgenie/alert.ts';
import type { Answer, Reading, Send, SendRequest } from './provider.ts';

const bases = {
  us: 'https://api.opsgenie.com',
  eu: 'https://api.eu.opsgenie.com',
  jsm: 'https://api.atlassian.com/jsm/ops/integration',
} as const;

/** Opsgenie and its successor, Jira Service Management. Sources: docs.opsgenie.com, Alert API; Atlassian's pages on migration. */
export const opsgenie = defineProvider({
  type: 'opsgenie',
  product: 'Opsgenie',
  family: 'pager',
  plain: 'alert',
  description: 'Creates and closes alerts of Opsgenie or Jira Service Management.',
  acts: 'each incident is one alert: updates are notes on it, its end closes it, a relapse creates a new one',
  notes: [
    'Atlassian ends Opsgenie on 2027-04-05, and an account at most 120 days after it was migrated. Jira Service Management takes the same keys and alerts: set `region: jsm` when you migrate.',
    'Add an integration of type *API* with the right to create and update, and put its key into a Secret. The key of a team integration calls that team.',
    'Severities become P1 to P4. When the severity of an open alert changes, its priority and message follow.',
    'Rules can choose by the tags (`tocsin`, the severity, the reason), `entity` and the details, the labels of the object included.',
    'A test creates an alert of priority P5, waits until it is there, and closes it. With the right to read, its result is looked up as well, and credentials can be checked without an alert.',
  ],
  sample: { apiKey: { secretKeyRef: { name: 'opsgenie', key: 'apiKey' } }, region: 'jsm' },
  ending: ({ region }) =>
    region === 'jsm'
      ? undefined
      : { day: '2027-04-05', instead: 'migrate to Jira Service Management, then set `region: jsm`' },
  fields: {
    apiKey: secret({ required: true, description: 'Key of an integration of type API.' }),
    region: string({
      oneOf: ['us', 'eu', 'jsm'],
      default: 'us',
      description: 'Where the account is: `us` or `eu`, or `jsm` for Jira Service Management.',
    }),
  },
  limits: { message: { characters: 130 }, description: { characters: 15_000 } },
  pacing: { perSecond: 2, burst: 10 }, // a bucket for each account, its size not published

  async deliver({ notification, delivery, config, send }): Promise<Outcome> {
    const { act, severity, incident } = notification;
    const alias = alertName(delivery);
    const say = caller(config, send);
    const at = (what: string): string => `alerts/${encodeURIComponent(alias)}/${what}?identifierType=alias`;
    const tell = async (method: SendRequest['method'], path: string, json: object): Promise<Outcome> =>
      (await say(method, path, json)).outcome(onOpenAlert);

    return raiseOrClear(act, {
      async raise() {
        // First what may be repeated without a trace: a note that fails is tried again together with it.
        if (act === 'update' && incident?.previousSeverity !== undefined) {
          const first = await tell('PUT', at('priority'), { priority: priorities[severity] });
          if (first.is !== 'delivered') return first;
          const second = await tell('PUT', at('message'), { message: messageOf(notification) });
          if (second.is !== 'delivered') return second;
        }
        // While an alert of this alias is open, that is a note on it; when somebody closed it, a new one.
        const answer = await say('POST', 'alerts', alertOf(notification, alias));
        const outcome = answer.outcome(reading);
        return act === 'test' && outcome.is === 'delivered' ? ((await failureOf(answer, say)) ?? outcome) : outcome;
      },
      clear: () => tell('POST', at('close'), { source: 'Tocsin', user: 'Tocsin', note: noteOf(notification) }),
    });
  },

  async check({ config, send }): Promise<Outcome> {
    // A key that may create but not read is a good one.
    return (await caller(config, send)('GET', 'alerts/count')).outcome({ ...reading, errors: { 403: 'delivered' } });
  },
});

type Caller = (method: SendRequest['method'], path: string, json?: object) => Promise<Answer>;
function caller({ apiKey, region }: { apiKey: Secret; region: keyof typeof bases }, send: Send): Caller {
  return (method, path, json) =>
    send({
      method,
      url: `${bases[region]}/v2/${path}`,
      headers: authorization('GenieKey', apiKey),
      ...(json && { json }),
    });
}

/** Alerts are created later; what came of it is asked for so often, since a close that overtakes the creation is lost. */
const maxLooks = 4;

/** Why an accepted alert was not created, as far as the key may know. */
async function failureOf(accepted: Answer, say: Caller): Promise<Outcome | undefined> {
  const { requestId } = Object(accepted.json());
  for (let look = 0; typeof requestId === 'string' && look < maxLooks; look += 1) {
    const answer = await say('GET', `alerts/requests/${encodeURIComponent(requestId)}`);
    const { isSuccess, status } = Object(Object(answer.json()).data);
    const said = String(status);
    if (answer.status === 200 && isSuccess === false) return failureOfCode(answer, said, new Map([[said, 'refused']]));
    if (answer.status !== 404) return undefined;
  }
  return undefined;
}

const reading: Reading = {
  failure: (answer) =>
    answer.status === 401
      ? wrongCredential(answer, 'unknown key or disabled integration; check `apiKey` and `region`')
      : undefined,
  retryAfterMs({ status, headers }) {
    const seconds = Number(headers['x-ratelimit-period-in-sec'] ?? Number.NaN);
    return status === 429 && seconds >= 0 ? seconds * 1000 : undefined;
  },
};
/** An alert that somebody deleted meanwhile needs neither changes nor an end. */
const onOpenAlert: Reading = { ...reading, errors: { 404: 'delivered' } };
