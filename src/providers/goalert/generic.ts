import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer, endpoint, hasKey, notOf, wrongCredential } from '../kit.ts';
import type { Reading, Send } from '../provider.ts';

/** The limit of unacknowledged alerts; how long to wait for somebody to acknowledge some. */
const overLimit = 409;
const overLimitWaitMs = 300_000;

const reading: Reading = {
  errors: { [overLimit]: 'retryable', 499: 'retryable' },
  failure(answer) {
    if (answer.status === 401) return wrongCredential(answer, 'check `token`: the key of a Generic API integration');
    const isOurs = answer.status === 204 || answer.status >= 300 || hasKey(answer, 'AlertID');
    return isOurs ? undefined : notOf(answer, 'GoAlert', 'correct `url`');
  },
  retryAfterMs: ({ status }) => (status === overLimit ? overLimitWaitMs : undefined),
};

/** Raises or closes an alert with the key of a Generic API integration. */
export async function postGeneric(
  send: Send,
  { url, token }: { readonly url: string; readonly token: Secret },
  json: object,
): Promise<Outcome> {
  // With any other `accept` the answer has no body.
  const headers = { ...bearer(token), accept: 'application/json' };
  const answer = await send({ method: 'POST', url: endpoint(url, 'api/v2/generic/incoming'), headers, json });
  return answer.outcome(reading);
}
