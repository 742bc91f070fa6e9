import { untilUnixSecond } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Answers that are read otherwise than their status says. `now`: epoch milliseconds. */
export function readingAt(now: number): Reading {
  return {
    failure(answer) {
      const said = firstError(answer);
      const reason = `HTTP ${answer.status}: ${said}`;
      // A quota that is used up has the status of a bad key; a sender that is not verified that of a missing right.
      const refused =
        (answer.status === 401 && /credits exceeded/i.test(said)) ||
        (answer.status === 403 && /sender identity|from address/i.test(said));
      return refused ? { is: 'permanent', reason, credential: false, code: 'Rejected' } : undefined;
    },
    // One that is over says nothing.
    retryAfterMs: ({ status, headers }) =>
      status === 429 ? untilUnixSecond(headers, 'x-ratelimit-reset', now) || undefined : undefined,
  };
}

/** The first message of `{ errors: [{ message, field, help }] }`. */
function firstError(answer: Answer): string {
  const { errors }: { readonly errors?: unknown } = Object(answer.json());
  const { message }: { readonly message?: unknown } = Object(Array.isArray(errors) ? errors[0] : undefined);
  return typeof message === 'string' ? message : '';
}
