import type { Secret } from '../../model/secret.ts';
import { endpoint, untilUnixSecond } from '../kit.ts';
import type { Answer, Attempt, Reading, Send, SendRequest } from '../provider.ts';

/** The opened fields of one attempt. */
export type GitlabConfig = { readonly token: Secret; readonly projectId: string; readonly url?: string };

/** Issues come back with their whole text; bytes. */
const maxItemBytes = 512 * 1024;

/**
 * One call of the API, below the server's own path. Redirects are not followed: those of GitLab make a GET of everything, and the
 * address must be corrected anyway.
 */
export function callGitlab(
  { config, send }: { readonly config: GitlabConfig; readonly send: Send },
  method: SendRequest['method'],
  path: string,
  { json, query, maxAnswerBytes = maxItemBytes }: CallOptions = {},
): Promise<Answer> {
  const server = (config.url ?? 'https://gitlab.com').replace(/(?:\/api\/v4)?\/*$/, '');
  return send({
    method,
    url: endpoint(server, `api/v4/${path}`, query),
    headers: { 'private-token': config.token },
    maxAnswerBytes,
    ...(json !== undefined && { json }),
  });
}
type CallOptions = {
  readonly json?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly maxAnswerBytes?: number;
};

/** The path of the project in the API: its number, or its whole path as one part. */
export function projectPath({ projectId }: GitlabConfig): string {
  return `projects/${/%2f/i.test(projectId) ? projectId : encodeURIComponent(projectId)}`;
}

/** What answers mean at `now` (epoch milliseconds). Limits are per minute; those of the application do not say when they end. */
export function readingAt({ now }: Pick<Attempt<unknown>, 'now'>): Reading {
  return {
    retryAfterMs: ({ status, headers }) =>
      status === 429 && headers['retry-after'] === undefined
        ? (untilUnixSecond(headers, 'ratelimit-reset', now) ?? 60_000)
        : undefined,
    advice: {
      401: 'put a valid token into the Secret; tokens expire',
      403: 'the token needs the scope api, and its account the role Reporter or higher in the project',
      404: 'correct `projectId`, best as a number, give the account of the token access, and switch issues on in the project',
    },
  };
}
