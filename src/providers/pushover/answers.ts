import type { Outcome } from '../../model/delivery.ts';
import { notOf, refusal, wrongCredential } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** pushover.net/api#friendly asks for no less after an error of its servers; milliseconds. */
const leastWaitMs = 5_000;

type Failure = Exclude<Outcome, { is: 'delivered' }>;

/** Every answer says `status`: 1 for a success. Which credential is wrong is said by a key of its name. */
export const reading: Reading = {
  failure(answer) {
    const { status, token, user, info }: Readonly<Record<string, unknown>> = Object(answer.json());
    if (answer.status < 300 && status === 1) return withoutDevice(answer, info);
    if (answer.status === 429) return withoutQuota(answer);
    if (token === 'invalid')
      return wrongCredential(answer, '`token` is not the API token of an application (or the two keys are swapped)');
    if (user === 'invalid')
      return wrongCredential(answer, '`user` is not the key of an active user or group (or the two keys are swapped)');
    if (answer.status >= 300) return undefined;
    return status === 0 ? refusal(answer) : notOf(answer, 'Pushover');
  },
  retryAfterMs: ({ status, headers }) =>
    status >= 500 && headers['retry-after'] === undefined ? leastWaitMs : undefined,
};

/** It was taken and is on no phone: somebody has to know. */
function withoutDevice(answer: Answer, info: unknown): Failure | undefined {
  if (typeof info !== 'string' || !/no active devices/i.test(info)) return undefined;
  return refusal(answer, 'the user has no device that is switched on in Pushover');
}

/** The quota is that of a month, so no wait within reason helps. */
function withoutQuota(answer: Answer): Failure | undefined {
  const left = answer.headers['x-limit-app-remaining'];
  return left === '0' ? refusal(answer, 'the application has no messages left this month') : undefined;
}
