import { notOf, objectOf, refusal, wrongCredential } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Error codes (twilio.com/docs/api/errors) of credentials: 20003 not authenticated, 20005 not active, 20404 no such account. */
const credentialCodes: ReadonlySet<unknown> = new Set([20_003, 20_005, 20_404]);
/** What clears by itself although the status says refused: 21611 the sender's queue is full, 14107 it sends too fast. Milliseconds. */
const waits: ReadonlyMap<unknown, number> = new Map([
  [21_611, 60_000],
  [14_107, 5_000],
]);
/** What to do about refusals that people can mend. */
const advice: Readonly<Record<string, string>> = {
  21211: 'correct `to`',
  21212: 'correct `from`',
  21408: 'allow the country in the geographic permissions of the account',
  21606: '`from` is not a number of this account that sends SMS',
  21608: 'a trial account sends to verified numbers only',
  21610: 'the recipient has replied STOP and must reply START',
  21612: 'this sender cannot reach this recipient; use another `from`',
  21614: '`to` is no mobile number',
  21659: '`from` is not a number of this account',
  21660: '`from` is a number of another account',
};

/** A message that Twilio took has an id; every error has a code of its own. */
export const reading: Reading = {
  failure(answer) {
    const body = objectOf(answer.json());
    if (answer.status < 300) return typeof body?.sid === 'string' ? stillborn(answer, body) : notOf(answer, 'Twilio');
    const code = body?.code;
    if (credentialCodes.has(code)) return wrongCredential(answer, 'check `accountSid` and `authToken`');
    const afterMs = waits.get(code);
    if (afterMs !== undefined) return { is: 'rateLimited', afterMs };
    const remedy = typeof code === 'number' ? advice[code] : undefined;
    return remedy === undefined ? undefined : refusal(answer, remedy);
  },
};

type AnyMessage = Readonly<Record<string, unknown>>;
/** It has an id and will not be sent. */
function stillborn(answer: Answer, { status, error_code: code }: AnyMessage): ReturnType<typeof refusal> | undefined {
  if (status !== 'failed' && status !== 'undelivered' && status !== 'canceled') return undefined;
  const error = typeof code === 'number' ? `, error ${code}` : '';
  return refusal(
    answer,
    typeof code === 'number' ? advice[code] : undefined,
    `the message has the status ${status}${error}`,
  );
}
