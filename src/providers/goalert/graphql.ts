import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer, endpoint, failureOfCode, hasKey, notOf, objectOf, wrongCredential } from '../kit.ts';
import type { Answer, Reading, Send } from '../provider.ts';

/** What an administrator pastes when making a key: it can run this document and nothing else. */
export const document = [
  'mutation TocsinOpen($i: CreateAlertInput!) { createAlert(input: $i) { alertID } }',
  'mutation TocsinClose($i: CloseMatchingAlertInput!) { closeMatchingAlert(input: $i) }',
].join(' ');

/** Runs one operation of the document that the key holds; the request names it and leaves the document out. */
export async function runOperation(
  send: Send,
  { url, token }: { readonly url: string; readonly token: Secret },
  operationName: 'TocsinOpen' | 'TocsinClose',
  i: object,
): Promise<Outcome> {
  const json = { operationName, variables: { i } };
  const answer = await send({ method: 'POST', url: endpoint(url, 'api/graphql'), headers: bearer(token), json });
  return answer.outcome(reading);
}

/** Errors stand in a 200. What the server does not name is its own trouble, and tried again. */
const reading: Reading = {
  failure(answer) {
    if (answer.status === 401)
      return wrongCredential(answer, 'the API key is unknown, revoked or expired; make another');
    const error = firstError(answer);
    if (!error && answer.status >= 300) return undefined;
    if (!error) return hasKey(answer, 'data') ? undefined : notOf(answer, 'GoAlert', 'correct `url`');
    const { message, extensions } = error;
    const { code, isFieldError, isMultiFieldError } = objectOf(extensions) ?? {};
    const said = String(message);
    // The alert of an opening that arrived before, or of an update, is there.
    if (answer.status === 200 && /duplicate alert/i.test(said)) return undefined;
    if (code === 'invalid_query' || /operation/i.test(said))
      return wrongCredential(
        answer,
        'the API key was made for another document; make one with that of the reference page',
      );
    const known = isFieldError || isMultiFieldError ? ([[said, 'refused']] as const) : [];
    return failureOfCode(answer, said, new Map(known));
  },
};

function firstError(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  const errors: unknown = objectOf(answer.json())?.errors;
  return Array.isArray(errors) && errors.length > 0 ? (objectOf(errors[0]) ?? {}) : undefined;
}
