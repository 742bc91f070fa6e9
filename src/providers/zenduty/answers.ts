import { type Ending, waitAfter429, wrongCredential } from '../kit.ts';
import type { Reading } from '../provider.ts';

/** Zenduty's page on its API integration; the day was put off once. */
export const apiEnding: Ending = {
  what: 'the key of an *API* integration',
  day: '2025-05-15',
  instead: 'add the integration *Generic* and use its address, or `<account>/<key>`',
};

/** Whether a value, where it stands in the block, is a key without its account. */
export function isBareKey(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('/');
}

const generic: Reading = {
  failure(answer) {
    if (answer.status === 401) return wrongCredential(answer, 'the integration is disabled; enable it');
    if (answer.status === 404) return wrongCredential(answer, 'no such integration; check `integrationKey`');
    return undefined;
  },
  retryAfterMs: waitAfter429(60_000), // its limits count by the minute
};
/** The same of the older integration, whose addresses end. */
const older: Reading = {
  ...generic,
  failure(answer) {
    const gone = answer.status === 404 || answer.status === 410;
    const advice = `no such integration; Zenduty ended *API* integrations: ${apiEnding.instead}`;
    return gone ? wrongCredential(answer, advice) : generic.failure?.(answer);
  },
};

/** How answers are read to what was sent with this key or address. */
export function readingOf(key: string): Reading {
  return isBareKey(key.trim()) ? older : generic;
}
