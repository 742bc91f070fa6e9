import { classes, failureOfCode, hasKey, notOf } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** Names of errors (resend.com/docs/api-reference/errors). What is not named here goes by its status. */
const known = classes({
  // The first request with this key is still running; the rest are troubles of theirs.
  retryable: ['concurrent_idempotent_requests', 'application_error', 'internal_server_error'],
  rateLimited: ['rate_limit_exceeded'],
  credential: ['missing_api_key', 'invalid_api_key', 'restricted_api_key'],
  refused: [
    ...['validation_error', 'not_found', 'method_not_allowed', 'invalid_idempotency_key'],
    ...['invalid_idempotent_request', 'invalid_attachment', 'invalid_from_address', 'invalid_parameter'],
    ...['invalid_access', 'invalid_region', 'missing_required_field', 'security_error'],
    // A short wait does not help, so the fallback should not wait either.
    ...['daily_quota_exceeded', 'monthly_quota_exceeded'],
  ],
});

/** The name of the error in an answer, `''` when there is none. */
export function errorName(answer: Answer): string {
  const { name }: { readonly name?: unknown } = Object(answer.json());
  return typeof name === 'string' ? name : '';
}

/** The name of the error decides, since invalid keys and unverified domains share statuses; its message is for people. */
export const reading: Reading = {
  failure(answer) {
    const name = errorName(answer);
    if (answer.status < 300 || name === '') return undefined;
    const { message }: { readonly message?: unknown } = Object(answer.json());
    return failureOfCode(answer, name, known, typeof message === 'string' ? { [name]: message } : {});
  },
};

/** The same of a mail, which is taken in only when it has got an id. */
export const mailReading: Reading = {
  failure: (answer) =>
    answer.status < 300 && !hasKey(answer, 'id') ? notOf(answer, 'Resend') : reading.failure?.(answer),
};
