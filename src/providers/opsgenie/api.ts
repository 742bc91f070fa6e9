import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { authorization, failureOfCode, uuidOf, wrongCredential } from '../kit.ts';
import type { Answer, Reading, Send, SendRequest } from '../provider.ts';

const bases = {
  us: 'https://api.opsgenie.com',
  eu: 'https://api.eu.opsgenie.com',
  jsm: 'https://api.atlassian.com/jsm/ops/integration',
} as const;

/** The opened fields of one attempt. */
export type OpsgenieConfig = { readonly apiKey: Secret; readonly region: keyof typeof bases };

/**
 * Whether an alert that is there can be changed. The integration events of Jira Service Management are create, acknowledge, close and
 * add note alone (developer.atlassian.com, service-desk-ops, api-group-integration-events).
 */
export const canChange = ({ region }: Pick<OpsgenieConfig, 'region'>): boolean => region !== 'jsm';

/** A question that changes nothing: how many alerts there are, or in Jira Service Management what became of a request nobody made. */
export function harmless({ region }: Pick<OpsgenieConfig, 'region'>): string {
  return region === 'jsm' ? `alerts/requests/${uuidOf('credential check of Tocsin')}` : 'alerts/count';
}

/** An alert comes with its description, details and responders. */
const maxAnswerBytes = 256 * 1024;

/** One call, by its path below the version. */
export type Caller = (method: SendRequest['method'], path: string, json?: object) => Promise<Answer>;
/** Calls with this key, in this region. */
export function caller({ apiKey, region }: OpsgenieConfig, send: Send): Caller {
  return (method, path, json) =>
    send({
      method,
      url: `${bases[region]}/v2/${path}`,
      headers: authorization('GenieKey', apiKey),
      ...(method === 'GET' && { maxAnswerBytes }),
      ...(json && { json }),
    });
}

/** Alerts are created later; what came of it is asked for so often, since a close that overtakes the creation is lost. */
const maxLooks = 4;

/** Why an accepted alert was not created, as far as the key may know. */
export async function failureOf(accepted: Answer, say: Caller): Promise<Outcome | undefined> {
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

/** How any call is answered. */
export const reading: Reading = {
  failure: (answer) =>
    answer.status === 401
      ? wrongCredential(answer, 'unknown key or disabled integration; check `apiKey` and `region`')
      : undefined,
  retryAfterMs({ status, headers: { 'x-ratelimit-period-in-sec': seconds = '' } }) {
    return status === 429 && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  },
};
/** An alert that somebody deleted meanwhile needs neither changes nor an end. */
export const onOpenAlert: Reading = { ...reading, errors: { 404: 'delivered' } };
/** An alert that is not there yet, or not any more, is acknowledged by nobody. */
export const onRead: Reading = {
  ...onOpenAlert,
  advice: { 403: 'give the integration the right to read, or leave `actions.readBack` out' },
};
/** A key that may create but not read is a good one, and so is one that is told that there is no such request. */
export const onCheck: Reading = { ...reading, errors: { 403: 'delivered', 404: 'delivered' } };
