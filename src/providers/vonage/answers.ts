import type { Outcome } from '../../model/delivery.ts';
import { notOf, objectOf, refusal, wrongCredential } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

type Failure = Exclude<Outcome, { is: 'delivered' }>;

/** Vonage names no wait; it takes 30 requests a second, fewer for some senders. Milliseconds. */
const throttledWaitMs = 2_000;

const unsigned = 'the account wants signed requests; switch that off in its API settings';
/** Statuses of a message (developer.vonage.com, errors of the SMS API) that are about the credentials. */
const credentials: Readonly<Record<string, string>> = {
  4: 'check `apiKey` and `apiSecret`',
  14: unsigned,
  32: unsigned,
};
/** What to do about other refusals that people can mend. */
const advice: Readonly<Record<string, string>> = {
  7: 'the number is barred from getting messages',
  8: 'the account is barred; write to Vonage',
  9: 'the account has no credit left',
  11: 'the account is not enabled for this API',
  15: '`from` is not allowed there; the United States and Canada want a number of the account',
  29: 'a demo account sends to the numbers on its list only',
};

const refused: ReadonlySet<string> = new Set(['2', '3', '6', '7', '8', '9', '11', '12', '15', '22', '23', '29', '33']);

/** Nearly everything is answered with 200: what became of each part of a message is in `messages`. */
export const reading: Reading = {
  failure(answer) {
    const { messages }: { readonly messages?: unknown } = Object(answer.json());
    const parts = Array.isArray(messages) ? messages.map(objectOf) : [];
    if (parts.length === 0) return answer.status < 300 ? notOf(answer, 'Vonage') : undefined;
    const failure = parts.map((part) => failureOf(answer, part)).find((each) => each !== undefined);
    return failure && parts.some((part) => part?.status === '0') ? { ...failure, mayHaveArrived: true } : failure;
  },
};

function failureOf(answer: Answer, part: ReturnType<typeof objectOf>): Failure | undefined {
  const status = String(part?.status);
  const words = part?.['error-text'];
  const said = typeof words === 'string' ? `status ${status}, ${words}` : `status ${status}`;
  if (status === '0') return undefined;
  if (status === '1') return { is: 'rateLimited', afterMs: throttledWaitMs };
  const credential = credentials[status];
  if (credential !== undefined) return wrongCredential(answer, credential);
  if (refused.has(status)) return refusal(answer, advice[status], said);
  // 5 and 10, and what nobody knows yet: an alert must survive it. Only 10, too many at once, was surely not sent.
  return { is: 'retryable', reason: said, code: 'ServerError', mayHaveArrived: status !== '10' };
}
