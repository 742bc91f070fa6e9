import type { Outcome } from '../../model/delivery.ts';
import { notOf, objectOf, refusal, waitAfter429 } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Statuses that mean something else than usual: no credit left, and places or numbers that the account may not send to. */
const advice: Readonly<Record<number, string>> = {
  402: 'the account has no credit left',
  403: 'allow the country in the geo permissions; a trial account sends to verified numbers only',
};

/** Messages that Plivo took have ids. Which recipients it did not take is said beside them. */
export const reading: Reading = {
  failure(answer) {
    if (answer.status < 300) return untaken(answer);
    const remedy = advice[answer.status];
    return remedy === undefined ? undefined : refusal(answer, remedy, wordsOf(answer));
  },
  // It names no wait: 300 requests in 5 s are allowed.
  retryAfterMs: waitAfter429(5_000),
};

function untaken(answer: Answer): Exclude<Outcome, { is: 'delivered' }> | undefined {
  const { message_uuid: ids, invalid_number: invalid } = objectOf(answer.json()) ?? {};
  if (!Array.isArray(ids)) return notOf(answer, 'Plivo');
  const refused = Array.isArray(invalid) ? invalid.join(', ') : '';
  if (refused === '') return ids.length > 0 ? undefined : notOf(answer, 'Plivo');
  return { ...refusal(answer, 'correct `to`', `refused ${refused}`), ...(ids.length > 0 && { mayHaveArrived: true }) };
}

/** What `{ "error": … }` says; it may be an object by itself. */
function wordsOf(answer: Answer): string {
  const error = objectOf(answer.json())?.error;
  return typeof error === 'string' ? error : answer.body;
}
