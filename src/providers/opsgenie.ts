import type { Outcome } from '../model/delivery.ts';
import { alertName, defineProvider, raiseOrClear, secret, string } from './kit.ts';
import { alertOf, messageOf, noteOf, priorities, responder, respondersOf } from './opsgenie/alert.ts';
import { caller, canChange, failureOf, harmless, onCheck, onOpenAlert, reading } from './opsgenie/api.ts';
import { opsgenieActions, readBackOpsgenie } from './opsgenie/read-back.ts';
import type { SendRequest } from './provider.ts';

/** Opsgenie and its successor, Jira Service Management. Sources: docs.opsgenie.com, Alert API; Atlassian's pages on migration. */
export const opsgenie = defineProvider({
  type: 'opsgenie',
  product: 'Opsgenie',
  family: 'pager',
  plain: 'alert',
  description: 'Creates and closes alerts of Opsgenie or Jira Service Management.',
  behaviour: 'each incident is one alert: updates are notes on it, its end closes it, a relapse creates a new one',
  supports: [
    'thread',
    { can: 'update', when: 'the severity changes (not in Jira Service Management)' },
    'close',
    'dedup',
  ],
  credentials: [
    'Add an integration of type *API* with the right to create and update, and put its key into a Secret. The key of a team integration calls that team.',
  ],
  notes: [
    'Atlassian ends Opsgenie on 2027-04-05, and an account at most 120 days after it was migrated. Jira Service Management takes the same keys, and creates, notes and closes alerts alike: set `region: jsm` when you migrate.',
    'Severities become P1 to P4. When the severity of an open alert changes, its priority and message follow; Jira Service Management takes no such change, so there the note says it and the priority stays.',
    'Rules can choose by the tags (`tocsin`, the severity, the reason), `entity` and the details; the labels of the object are keys of their own (`label_app`).',
    'With `actions.readBack`, an alert that somebody acknowledges is acknowledged here within a minute or two; the key needs the right to read, and Tocsin the role [`config/actions`](../../../config/actions). Jira Service Management lets the key of an integration read no alert.',
    'A test creates an alert of priority P5, waits until it is there, and closes it. With the right to read, its result is looked up as well, and credentials can be checked without an alert.',
  ],
  sample: { apiKey: { secretKeyRef: { name: 'opsgenie', key: 'apiKey' } }, region: 'jsm' },
  ending: ({ region }) =>
    region === 'jsm'
      ? undefined
      : { what: 'Opsgenie', day: '2027-04-05', instead: 'migrate to Jira Service Management, then set `region: jsm`' },
  fields: {
    apiKey: secret({ required: true, description: 'Key of an integration of type API.' }),
    region: string({
      oneOf: ['us', 'eu', 'jsm'],
      default: 'us',
      description: 'Where the account is: `us` or `eu`, or `jsm` for Jira Service Management.',
    }),
    actions: opsgenieActions,
  },
  rules: [
    {
      cel: "!has(self.region) || self.region != 'jsm' || !has(self.actions) || !has(self.actions.readBack) || !self.actions.readBack",
      message:
        'Jira Service Management lets the key of an integration read no alert: leave `actions.readBack` out with `region: jsm`',
    },
  ],
  reaches: { responders: responder },
  limits: { message: { characters: 130 }, description: { characters: 15_000 } },
  hosts: ['api.opsgenie.com', 'api.eu.opsgenie.com', 'api.atlassian.com'],
  pacing: { perSecond: 2, burst: 10 }, // a bucket for each account, its size not published
  settlesAfterMs: 3_000, // alerts are made after they were accepted; an end or a change before that is lost

  async deliver({ notification, delivery, config, send, people }) {
    const { act, severity, incident } = notification;
    const alias = alertName(delivery);
    const say = caller(config, send);
    const at = (what: string): string => `alerts/${encodeURIComponent(alias)}/${what}?identifierType=alias`;
    const tell = async (method: SendRequest['method'], path: string, json: object): Promise<Outcome> =>
      (await say(method, path, json)).outcome(onOpenAlert);

    return raiseOrClear(act, {
      async raise() {
        // First what may be repeated without a trace: a note that fails is tried again together with it.
        if (act === 'update' && incident?.previousSeverity !== undefined && canChange(config))
          for (const [what, json] of [
            ['priority', { priority: priorities[severity] }],
            ['message', { message: messageOf(notification) }],
          ] as const) {
            const changed = await tell('PUT', at(what), json);
            // A key without this right must not keep the note back.
            if (changed.is === 'retryable' || changed.is === 'rateLimited') return changed;
          }
        // While an alert of this alias is open, that is a note on it; when somebody closed it, a new one.
        const responders = act === 'update' ? [] : respondersOf(people?.responders ?? []);
        const answer = await say('POST', 'alerts', alertOf(notification, alias, config, responders));
        const outcome = answer.outcome(reading);
        // Whether they are there is found out once the alert is made: one that nobody is called for is better than none.
        if (responders.length > 0 && (outcome.is === 'permanent' || (await failureOf(answer, say))))
          return (await say('POST', 'alerts', alertOf(notification, alias, config))).outcome(reading);
        return act === 'test' && outcome.is === 'delivered' ? ((await failureOf(answer, say)) ?? outcome) : outcome;
      },
      clear: () => tell('POST', at('close'), { source: 'Tocsin', user: 'Tocsin', note: noteOf(notification) }),
    });
  },

  readBack: readBackOpsgenie,

  async check({ config, send }) {
    return (await caller(config, send)('GET', harmless(config))).outcome(onCheck);
  },
});
