import type { Outcome } from '../../model/delivery.ts';
import { refusal, waitAfter429 } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** How long an hourly limit is waited for before it is asked again; milliseconds. */
const hourlyWaitMs = 5 * 60_000;

/** Refusals whose words say more than their status: what they are, and what to do. */
const rows: readonly { readonly words: RegExp; readonly what: 'limit' | 'refused'; readonly advice?: string }[] = [
  { words: /limit.{0,40}exceeded|exceeded.{0,40}limit/i, what: 'limit' },
  { words: /domain not found/i, what: 'refused', advice: 'correct `domain`, or set `url` for the EU region' },
  {
    words: /sandbox (?:sub)?domain/i,
    what: 'refused',
    advice: 'authorise the recipients in Mailgun or use another domain',
  },
  { words: /not allowed to send/i, what: 'refused', advice: 'verify or enable the domain in Mailgun' },
];

/**
 * A wrong path is answered with 200 and a greeting, so only an answer with an id is a success. Troubles of a domain have the
 * statuses of a bad key.
 */
export const reading: Reading = {
  failure(answer) {
    if (answer.status === 200) return withoutId(answer);
    const row = answer.status < 500 ? rows.find(({ words }) => words.test(answer.body)) : undefined;
    if (!row) return undefined;
    // A 429 says itself how long.
    if (row.what === 'limit') return answer.status === 429 ? undefined : { is: 'rateLimited', afterMs: hourlyWaitMs };
    return refusal(answer, row.advice);
  },
  retryAfterMs: waitAfter429(60_000),
};

function withoutId(answer: Answer): Exclude<Outcome, { is: 'delivered' }> | undefined {
  const { id }: { readonly id?: unknown } = Object(answer.json());
  if (typeof id === 'string') return undefined;
  if (!/magnificent/i.test(answer.body))
    return {
      is: 'retryable',
      reason: 'HTTP 200: the answer is not one of Mailgun',
      code: 'ServerError',
      mayHaveArrived: false,
    };
  return refusal(answer, 'nothing is there; correct `domain` or `url`');
}
