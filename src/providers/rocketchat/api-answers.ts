import { classes, failureOfCode, notOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';
import { waitMs } from './answers.ts';

/** Codes of the API that its statuses do not tell: it answers most with 400. */
const known = classes({
  refused: [
    ...['invalid-channel', 'error-invalid-room', 'error-room-not-found', 'error-not-allowed', 'error-unauthorized'],
    ...['error-room-archived', 'room_is_archived', 'error-message-size-exceeded', 'error-user-not-in-room'],
  ],
});
const advice: Readonly<Record<string, string>> = {
  'invalid-channel': 'correct `channel`, or add the account to it',
  'error-invalid-room': 'correct `channel`, or add the account to it',
  'error-room-not-found': 'correct `channel`, or add the account to it',
  'error-not-allowed': 'add the account to the channel',
  'error-unauthorized': 'give the account the role `bot`',
  'error-room-archived': 'unarchive the channel or choose another',
};

/** The code of an error (`errorType`, or in brackets at the end of its words), else its words; `''` when there is none. */
function codeOf(answer: Answer): string {
  const { error, errorType }: { error?: unknown; errorType?: unknown } = Object(answer.json());
  if (typeof errorType === 'string') return errorType;
  if (typeof error !== 'string') return '';
  return /\[([a-z_-]{3,60})\]\s*$/.exec(error)?.[1] ?? error;
}

/** Success is said in the body; a token that is not valid is answered in another form. */
export const apiReading: Reading = {
  failure(answer) {
    const { success }: { success?: unknown } = Object(answer.json());
    const code = codeOf(answer);
    if (code === 'error-too-many-requests') return { is: 'rateLimited', afterMs: waitMs(answer) ?? 60_000 };
    if (answer.status >= 300) return code === '' ? undefined : failureOfCode(answer, code, known, advice);
    if (success === true) return undefined;
    return code === '' ? notOf(answer, 'Rocket.Chat', 'correct `url`') : failureOfCode(answer, code, known, advice);
  },
  retryAfterMs: waitMs,
  advice: {
    401: 'the token is not one of the account `userId`: create a personal access token for it, with *Ignore Two Factor Authentication*',
    404: 'correct `url`',
  },
};

/** The server refuses just this: editing is switched off or over, or there is nothing to edit. */
export function isRefusal({ status }: Answer): boolean {
  return status === 400 || status === 403;
}

/** The first message is not there any more, or not there. */
export function isGone(answer: Answer): boolean {
  const said = codeOf(answer);
  return answer.status === 400 && (said.startsWith('No message found') || said.includes('does not match where'));
}

/** There is no such channel for the account: it is gone, archived, or the account has left it. */
export function isElsewhere(answer: Answer): boolean {
  return (
    (answer.status === 400 || answer.status === 403) &&
    known.get(codeOf(answer)) === 'refused' &&
    codeOf(answer) !== 'error-message-size-exceeded'
  );
}
