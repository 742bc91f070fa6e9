import { refusal, waitAfter429 } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** While n8n starts, or a workflow is published again, its addresses are unknown for a moment; milliseconds. */
const restartMs = 5 * 60_000;

const publish = 'publish the workflow, or correct the path of the address';

/** `unknownMs`: for how long the address has been unknown, so that this is final when no restart can be its reason. */
export function readingAfter(unknownMs: number): Reading {
  return {
    failure(answer) {
      if (wantedMethods(answer)) return refusal(answer, 'set the method of the Webhook node to POST');
      if (isUnknown(answer)) {
        const { reason, ...final } = refusal(answer, publish);
        if (unknownMs >= restartMs) return { reason, ...final };
        return { is: 'retryable', reason, code: 'ServerError', mayHaveArrived: false };
      }
      if (answer.status === 500 && /no authentication data/i.test(answer.body))
        return refusal(answer, 'choose a credential in the Webhook node');
      return undefined;
    },
    retryAfterMs: waitAfter429(60_000), // of a proxy or n8n Cloud
  };
}

/** GET at an address that takes POST is refused by naming POST: the workflow is there and has not run. */
export const checkReading: Reading = {
  failure(answer) {
    const methods = wantedMethods(answer);
    if (methods?.includes('POST')) return undefined;
    if (methods) return refusal(answer, 'set the method of the Webhook node to POST');
    return answer.status === 404 ? refusal(answer, publish) : undefined;
  },
  errors: { 404: 'delivered' },
};

/** Whether n8n says that it does not know the address. */
export function isUnknown(answer: Answer): boolean {
  return answer.status === 404 && /is not registered/i.test(answer.body);
}

/** The methods that an address takes, where the answer says that it does not take this one. */
function wantedMethods(answer: Answer): string | undefined {
  return answer.status === 404 ? /did you mean to make an? (.{1,60}?) request/i.exec(answer.body)?.[1] : undefined;
}
