import { failureOfCode } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';
import { lostAddress, withAdvice } from './flow.ts';

/** What to do about every final failure: most of them have this one cause. */
const retired = 'Microsoft took Office 365 connectors down in May 2026: make a flow (Workflows) and use its address';

/** Whether a host is one of Office 365 connectors; everything else is a flow. */
export function isConnector(host: string): boolean {
  return /(?:^|\.)webhook\.office\.com$|^outlook\.office\.com$|^outlook\.office365\.(?:com|us)$/.test(host);
}

/** Whether the answer to an empty message is that of a connector that lives. */
export function takesMessages({ status, body }: Answer): boolean {
  return status === 400 && body.includes('Summary or Text is required');
}

/**
 * Success is status 200 with the body `1`. Any other words in a 200 are a failure, with the status of Teams itself somewhere
 * within: `… Microsoft Teams endpoint returned HTTP error 429 with ContextId …`.
 */
export const connectorReading: Reading = {
  failure(answer) {
    if (answer.status < 300 && answer.body.trim() === '1') return undefined;
    const inner = /HTTP error (\d{3})/.exec(answer.body)?.[1] ?? '';
    const words = answer.body.trim() === '' ? 'an empty answer' : answer.body;
    const inside =
      answer.status < 300 ? failureOfCode(answer, words, new Map([[words, classOf(Number(inner))]])) : undefined;
    return withAdvice(inside ?? lostAddress(answer, 'the connector was removed'), retired);
  },
};

/** 412 is how Teams throttles a single connector. */
function classOf(inner: number): 'retryable' | 'rateLimited' | 'refused' {
  if (inner === 429 || inner === 412) return 'rateLimited';
  return inner >= 400 && inner < 500 ? 'refused' : 'retryable';
}
