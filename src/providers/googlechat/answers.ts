import { hasKey, notOf, objectOf, wrongCredential } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** What Google says of a webhook. Source: developers.google.com/workspace/chat, google.rpc.ErrorInfo. */
export const reading: Reading = {
  failure(answer) {
    // A wrong key is an invalid argument too.
    if (reasonOf(answer) === 'API_KEY_INVALID')
      return wrongCredential(answer, 'the key in the address is wrong: copy it again');
    return answer.status < 300 && !hasKey(answer, 'name') ? notOf(answer, 'Google Chat') : undefined;
  },
  advice: {
    401: 'the webhook was removed: create another',
    403: 'the webhook was removed, or the organisation allows none: create another',
    404: 'the space is gone: create a webhook in another',
  },
};

/** The machine-readable reason in an error of Google, `''` without one. */
function reasonOf(answer: Answer): unknown {
  const { details } = objectOf(objectOf(answer.json())?.error) ?? {};
  return Array.isArray(details)
    ? details.map((each) => objectOf(each)?.reason).find((reason) => reason !== undefined)
    : '';
}
