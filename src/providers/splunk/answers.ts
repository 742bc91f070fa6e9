import { type CodeClass, failureOfCode } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Code in the body → what it means. 0 and 17 are well; 24 and 25 as well, with queues that fill up. */
const codes: Readonly<Record<number, CodeClass | 'well'>> = {
  0: 'well',
  1: 'credential', // token disabled
  2: 'credential', // token required
  3: 'credential', // invalid authorization
  4: 'credential', // invalid token
  5: 'refused', // no data
  6: 'refused', // invalid data format
  7: 'refused', // incorrect index
  8: 'retryable', // internal server error
  9: 'retryable', // server busy
  10: 'refused', // data channel missing
  11: 'refused', // invalid data channel
  12: 'refused', // event field required
  13: 'refused', // event field blank
  14: 'refused', // acknowledgement disabled
  15: 'refused', // error in indexed fields
  16: 'refused', // query string authorization
  17: 'well',
  18: 'retryable', // queues full
  19: 'retryable', // acknowledgement unavailable
  20: 'retryable', // both
  21: 'credential', // invalid token
  22: 'credential', // token disabled
  23: 'retryable', // shutting down
  24: 'well',
  25: 'well',
  26: 'rateLimited', // queue at capacity
  27: 'rateLimited', // acknowledgement channel at capacity
};

/** What to do about the commonest. */
const advice: Readonly<Record<number, string>> = {
  1: 'enable the token in Splunk',
  7: 'let the token write to `index`, or leave `index` out',
  22: 'enable the token in Splunk',
};

/** Codes that come after the token was found good, for a request without an event. */
const afterTheToken: ReadonlySet<number | undefined> = new Set([0, 5, 6, 12, 13]);

/** Status 200 alone says nothing: the collector must answer a code. */
export const reading: Reading = {
  failure(answer) {
    const { code, text } = collectorAnswer(answer);
    const is = code === undefined ? undefined : codes[code];
    if (is === 'well') return undefined;
    if (code === undefined)
      return answer.status < 300 ? failureOfCode(answer, 'the answer is not one of a collector', new Map()) : undefined;
    const name = `code ${code}, ${text}`;
    const known = new Map(is === undefined ? [] : [[name, is] as const]);
    return failureOfCode(answer, name, known, { ...(advice[code] !== undefined && { [name]: advice[code] }) });
  },
};

/** Whether a collector found the token good, in its answer to a request with nothing in it. */
export function foundTokenGood(answer: Answer): boolean {
  return afterTheToken.has(collectorAnswer(answer).code);
}

function collectorAnswer(answer: Answer): { readonly code: number | undefined; readonly text: string } {
  const { code, text }: Readonly<Record<string, unknown>> = Object(answer.json());
  return { code: typeof code === 'number' ? code : undefined, text: typeof text === 'string' ? text : '' };
}
