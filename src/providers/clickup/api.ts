import type { Secret } from '../../model/secret.ts';
import { bearer, endpoint, objectOf, startsWith, untilUnixSecond } from '../kit.ts';
import type { Answer, Attempt, Reading, Send, SendRequest } from '../provider.ts';

/** The opened fields of one attempt. */
export type ClickupConfig = {
  readonly token: Secret;
  readonly listId: string;
  readonly priority?: number;
  readonly closeStatus?: string;
  readonly reopenStatus?: string;
};

/** Tasks come back with their whole text, formatted and plain; bytes. */
const maxItemBytes = 512 * 1024;

/** One call of API 2; tasks exist in no other. Personal tokens go without a scheme, those of apps with one. */
export function callClickup(
  { config, send }: { readonly config: ClickupConfig; readonly send: Send },
  method: SendRequest['method'],
  path: string,
  { json, query, maxAnswerBytes = maxItemBytes }: CallOptions = {},
): Promise<Answer> {
  const bare = ['pk_', 'Bearer '].some((prefix) => startsWith(config.token, prefix));
  return send({
    method,
    url: endpoint('https://api.clickup.com/api/v2', path, query),
    headers: bare ? { authorization: config.token } : bearer(config.token),
    maxAnswerBytes,
    ...(json !== undefined && { json }),
  });
}
type CallOptions = {
  readonly json?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly maxAnswerBytes?: number;
};

/** What answers mean at `now` (epoch milliseconds). The limit is per token and minute. */
export function readingAt({ now }: Pick<Attempt<unknown>, 'now'>): Reading {
  return {
    retryAfterMs: ({ status, headers }) =>
      status === 429 && headers['retry-after'] === undefined
        ? (untilUnixSecond(headers, 'x-ratelimit-reset', now) ?? 60_000)
        : undefined,
    advice: {
      401: 'put a valid token into the Secret, of an account in the workspace of the list',
      403: 'give the account of the token access to the list',
      404: 'correct `listId`: it is the number in the address of the list',
    },
  };
}

/** A status of a list. `type`: `open`, `custom`, `done` or `closed`. */
export type ListStatus = { readonly status: string; readonly type: string };

/** The statuses of a list as `GET /list` returns them. */
export function statusesOf(list: unknown): readonly ListStatus[] {
  const { statuses } = objectOf(list) ?? {};
  return Array.isArray(statuses) ? statuses.map(statusOf).filter((status) => status !== undefined) : [];
}

/** A status as the API returns it. */
export function statusOf(value: unknown): ListStatus | undefined {
  const { status, type } = objectOf(value) ?? {};
  return typeof status === 'string' && typeof type === 'string' ? { status, type } : undefined;
}
