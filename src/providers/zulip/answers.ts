import { classes, failureOfCode, notOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Codes of the server; its messages are in the language of the organisation. */
const known = classes({
  credential: ['UNAUTHORIZED', 'INVALID_API_KEY', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
  refused: ['STREAM_DOES_NOT_EXIST', 'CHANNEL_DOES_NOT_EXIST'],
});
const advice: Readonly<Record<string, string>> = {
  INVALID_API_KEY: 'copy `email` and `token` of the bot again',
  UNAUTHORIZED: 'copy `email` and `token` of the bot again',
  USER_DEACTIVATED: 'the bot is deactivated',
  STREAM_DOES_NOT_EXIST: 'correct `channel`, or subscribe the bot to the private channel',
  CHANNEL_DOES_NOT_EXIST: 'correct `channel`, or subscribe the bot to the private channel',
};

type Said = {
  readonly result?: unknown;
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly id?: unknown;
  readonly message?: unknown;
};
/** The body of an answer; empty when it is none of Zulip's. */
export function bodyOf(answer: Answer): Said {
  return Object(answer.json());
}

/**
 * Whether a call was refused because the bot is an incoming webhook, whose key is good for posting (zerver/decorator.py): `This API is
 * not available to incoming webhook bots.`, in the language of the organisation.
 */
export function isWebhookBot(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500 && /webhook/i.test(String(bodyOf(answer).msg ?? ''));
}

/** Success is said in the body too; a wait is in seconds with a fraction. */
export const reading: Reading = {
  failure(answer) {
    const { result, code } = bodyOf(answer);
    if (answer.status >= 300) return failureOfCode(answer, String(code ?? ''), known, advice);
    return result === 'success' ? undefined : notOf(answer, 'Zulip', 'correct `url`');
  },
  retryAfterMs(answer) {
    const { 'retry-after': seconds }: { 'retry-after'?: unknown } = Object(answer.json());
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  },
};
