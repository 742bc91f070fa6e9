import type { Reference } from '../../model/delivery.ts';
import { classes, failureOfCode, hasKey, notOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** The integration is looked up before anything else; its status differs between versions. */
const noIntegration = 'Invalid integration id or token provided.';
/** What a message with an alias, avatar or emoji is answered where its user may not have one. */
const noImpersonation = 'Not enough permission';
const known = classes({ credential: [noIntegration], refused: ['no success', noImpersonation] });
const advice: Readonly<Record<string, string>> = {
  [noIntegration]: 'the webhook was removed, or its token changed: copy its address again',
  [noImpersonation]:
    'give the user of the integration the role `bot`, or take alias, avatar and emoji out of the integration',
};

/** Success is said in the body, and of each channel. */
export const reading: Reading = {
  failure(answer) {
    const { success, error, responses } = bodyOf(answer);
    const failed = responses.find((each) => typeof each.error === 'string');
    const words = typeof error === 'string' ? error : String(failed?.error ?? '');
    if (words.includes('error-too-many-requests')) return { is: 'rateLimited', afterMs: waitMs(answer) ?? 60_000 };
    if (answer.status >= 300) return failureOfCode(answer, words, known, advice);
    if (!hasKey(answer, 'success')) return notOf(answer, 'Rocket.Chat', 'correct the address of the webhook');
    if (success !== true) return failureOfCode(answer, 'no success', known, advice);
    if (!failed) return undefined;
    const hint = Object.hasOwn(advice, words) ? ` (${advice[words]})` : '';
    const reason = `not posted to ${String(failed.channel)}: ${words}${hint}`;
    const mayHaveArrived = responses.some((each) => each.message !== undefined);
    return { is: 'permanent', reason, credential: false, code: 'Rejected', mayHaveArrived };
  },
  retryAfterMs: waitMs,
};

/** `must wait 52 seconds`, else the instant of the limit's reset by the clock of the server itself. */
export function waitMs({ body, headers: { 'x-ratelimit-reset': reset = '', date = '' } }: Answer): number | undefined {
  const seconds = /must wait (\d+) seconds/.exec(body)?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds), 900) * 1000;
  const wait = Number(reset) - Date.parse(date);
  return reset === '' || Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 1000), 900_000);
}

type Said = { readonly success?: unknown; readonly error?: unknown; readonly responses: readonly Posted[] };
type Posted = { readonly channel?: unknown; readonly error?: unknown; readonly message?: { readonly _id?: unknown } };
function bodyOf(answer: Answer): Said {
  const { success, error, responses }: { success?: unknown; error?: unknown; responses?: unknown } = Object(
    answer.json(),
  );
  return { success, error, responses: Array.isArray(responses) ? responses.map((each): Posted => Object(each)) : [] };
}

/**
 * The message a thread begins with, where the server is recent enough to name it. `undefined` for a webhook that posts to several
 * channels: a thread is of one, and its replies would be lost in the others.
 */
export function referenceOf(answer: Answer): Reference | undefined {
  const [first, ...others] = bodyOf(answer).responses;
  if (others.length > 0) return undefined;
  const { _id: message }: { _id?: unknown } = Object(first?.message);
  return typeof message === 'string' ? { message } : undefined;
}
