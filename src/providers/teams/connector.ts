import { failureOfCode } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';
import { lostAddress, withAdvice } from './flow.ts';

/** Whether the answer to an empty message is that of a connector that lives. */
export function takesMessages({ status, body }: Answer): boolean {
  return status === 400 && body.includes('Summary or Text is required');
}

/**
 * Success is status 200 with the body `1`. Any other words in a 200 are a failure, with the status of Teams itself somewhere
 * within: `… Microsoft Teams endpoint returned HTTP error 429 with ContextId …`. `advice`: what explains a final failure.
 */
export const connectorReading = (advice: string | undefined): Reading => ({
  failure(answer) {
    if (answer.status < 300 && answer.body.trim() === '1') return undefined;
    const inner = /HTTP error (\d{3})/.exec(answer.body)?.[1] ?? '';
    const words = answer.body.trim() === '' ? 'an empty answer' : answer.body;
    const inside =
      answer.status < 300 ? failureOfCode(answer, words, new Map([[words, classOf(Number(inner))]])) : undefined;
    return withAdvice(inside ?? lostAddress(answer, 'the connector was removed'), advice);
  },
});

/** 412 is how Teams throttles a single connector. */
function classOf(inner: number): 'retryable' | 'rateLimited' | 'refused' {
  if (inner === 429 || inner === 412) return 'rateLimited';
  return inner >= 400 && inner < 500 ? 'refused' : 'retryable';
}
