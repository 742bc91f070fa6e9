import { classes, failureOfCode, notOf, objectOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Codes of the specification; what is not here goes by its status. */
const known = classes({
  credential: ['M_UNKNOWN_TOKEN', 'M_MISSING_TOKEN', 'M_USER_LOCKED', 'M_USER_DEACTIVATED', 'M_USER_SUSPENDED'],
  retryable: ['M_RESOURCE_LIMIT_EXCEEDED'],
  refused: ['M_FORBIDDEN', 'M_TOO_LARGE', 'M_NOT_FOUND', 'M_UNRECOGNIZED'],
});
const advice: Readonly<Record<string, string>> = {
  M_UNKNOWN_TOKEN: 'the token has ended: log the bot in again, and never log it out',
  M_FORBIDDEN: 'invite the bot to the room, let it join, and let it write',
  M_RESOURCE_LIMIT_EXCEEDED: 'the server is full',
  M_NOT_FOUND: 'correct `homeServer` and `internalRoomId`',
  M_UNRECOGNIZED: 'correct `homeServer`: it is no Matrix server',
};

/** The id of the event that was sent. */
export function eventOf(answer: Answer): string | undefined {
  const { event_id: id } = objectOf(answer.json()) ?? {};
  return typeof id === 'string' ? id : undefined;
}

/** `Retry-After` is the newer way to say how long to wait. */
export const reading: Reading = {
  failure(answer) {
    const { errcode } = objectOf(answer.json()) ?? {};
    if (answer.status >= 300) return failureOfCode(answer, String(errcode ?? ''), known, advice);
    return objectOf(answer.json()) ? undefined : notOf(answer, 'Matrix', 'correct `homeServer`');
  },
  retryAfterMs(answer) {
    const { retry_after_ms: wait } = objectOf(answer.json()) ?? {};
    return answer.headers['retry-after'] === undefined && typeof wait === 'number' ? wait : undefined;
  },
};

/** What was sent is refused for what it refers to: the first message is gone. */
export const cannotRelate = ({ status }: Pick<Answer, 'status'>): boolean => status === 400;
