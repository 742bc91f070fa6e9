import type { Reference } from '../../model/delivery.ts';
import type { Notification } from '../../model/notification.ts';
import { classes, failureOfCode, keptLog, notOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Codes of the API. */
const known = classes({
  credential: ['10015', '50027'],
  refused: ['10003', '40005', '50006', '50035', '220001', '220003', '240000'],
});
const advice: Readonly<Record<string, string>> = {
  10003: 'the channel or thread is gone: create a webhook elsewhere',
  10015: 'the webhook was removed: create another',
  50027: 'the token of the webhook is wrong: copy its address again',
  220003: 'remove `thread_id` from the address: only forums have posts',
};

/** What is wrong with the content itself: the text alone may still go. */
export const contentErrors: ReadonlySet<string> = new Set(['40005', '50035', '240000']);
/** The thread is gone, closed or locked. */
export const threadErrors: ReadonlySet<string> = new Set(['10003', '50083', '160005']);
/** The message is gone or was edited too often, or its thread is no more: what is told begins anew. */
export const editErrors: ReadonlySet<string> = new Set(['10008', '30046', ...threadErrors]);
/** A forum takes posts with a name only. */
export const needsName = '220001';

type Said = {
  readonly code?: unknown;
  readonly retry_after?: unknown;
  readonly id?: unknown;
  readonly channel_id?: unknown;
};
/** The body of an answer; empty when it is none of Discord's. */
export function bodyOf(answer: Answer): Said & { readonly type?: unknown } {
  return Object(answer.json());
}

/** The code of an error, `''` when there is none. */
export function errorCode(answer: Answer): string {
  const { code } = bodyOf(answer);
  return answer.status >= 300 && typeof code === 'number' ? String(code) : '';
}

/** A wait is in the body, in seconds with a fraction; the header is rounded. */
export const reading: Reading = {
  failure(answer) {
    if (answer.status >= 300) return failureOfCode(answer, errorCode(answer), known, advice);
    return answer.status === 204 || typeof bodyOf(answer).id === 'string' ? undefined : notOf(answer, 'Discord');
  },
  retryAfterMs(answer) {
    const { retry_after: seconds } = bodyOf(answer);
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  },
};

/** The channel, or the thread, that a message was put into. */
export function channelOf(answer: Answer): string | undefined {
  const { channel_id: channel } = bodyOf(answer);
  return typeof channel === 'string' ? channel : undefined;
}

/** What later acts find the message by. */
export function referenceOf(answer: Answer, thread: string | undefined, told: Notification): Reference | undefined {
  const { id } = bodyOf(answer);
  if (typeof id !== 'string') return undefined;
  return { message: id, ...(thread !== undefined && { thread }), ...keptLog(told) };
}
