import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import { bearer, endpoint, objectOf, refusal, retryAfterMs, sendFollowing, untilUnixSecond } from '../kit.ts';
import type { Answer, Attempt, Reading, Send, SendRequest } from '../provider.ts';

/** The opened fields of one attempt. */
export type GithubConfig = {
  readonly token: Secret;
  readonly owner: string;
  readonly repo: string;
  readonly url?: string;
};

/** Issues come back with their whole text and many addresses; bytes. */
const maxItemBytes = 512 * 1024;

/** One call of the REST API. A renamed repository and a moved issue are followed on the same host. */
export function callGithub(
  { config, send }: { readonly config: GithubConfig; readonly send: Send },
  method: SendRequest['method'],
  path: string,
  { json, query, maxAnswerBytes = maxItemBytes }: CallOptions = {},
): Promise<Answer> {
  return sendFollowing(send, {
    method,
    url: endpoint(apiOf(config.url), path, query),
    // The version is understood by every server that is still supported; an unknown one would be refused.
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', ...bearer(config.token) },
    maxAnswerBytes,
    ...(json !== undefined && { json }),
  });
}
type CallOptions = {
  readonly json?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly maxAnswerBytes?: number;
};

/** The API behind the address of a server: people write either. */
function apiOf(url = 'https://api.github.com'): string {
  const { hostname, pathname } = new URL(url);
  if (hostname === 'github.com' || hostname === 'www.github.com') return 'https://api.github.com';
  // A tenant of GitHub Enterprise Cloud has its API beside it (go-gh, pkg/api).
  if (hostname.endsWith('.ghe.com')) return `https://${hostname.startsWith('api.') ? '' : 'api.'}${hostname}`;
  return pathname === '/' && !hostname.startsWith('api.') ? `${new URL(url).origin}/api/v3` : url;
}

/** The path of the repository in the API. */
export function repositoryPath({ owner, repo }: GithubConfig): string {
  return `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
}

const advice = {
  401: 'put a valid token into the Secret',
  403: 'the token needs write access to issues of this repository; where the organization uses SSO, authorize it there',
  404: 'correct `owner` and `repo`, or give the token access to the repository',
  410: 'switch issues on in the settings of the repository',
};

/** What answers mean at `now` (epoch milliseconds). */
export function readingAt({ now }: Pick<Attempt<unknown>, 'now'>): Reading {
  return { failure: (answer) => limited(answer, now) ?? refused(answer), advice };
}

/** Limits come with 403 as well as 429: by the hour, told in headers, or by GitHub's own judgement, told in words. */
function limited(answer: Answer, now: number): Exclude<Outcome, { is: 'delivered' }> | undefined {
  const { status, headers, body } = answer;
  if (status !== 403 && status !== 429) return undefined;
  const spent = headers['x-ratelimit-remaining'] === '0';
  const reset = spent ? untilUnixSecond(headers, 'x-ratelimit-reset', now) : undefined;
  const asked = retryAfterMs(headers, now) ?? (reset === undefined ? undefined : reset + 1000);
  const named = asked !== undefined || spent || /secondary rate limit|abuse/i.test(body);
  return named || status === 429 ? { is: 'rateLimited', afterMs: asked ?? 60_000 } : undefined;
}

/** Refusals of one issue or repository, although the status speaks of the token. */
const notTheToken: readonly { readonly says: RegExp; readonly advice: string }[] = [
  { says: /archived/i, advice: 'unarchive the repository or choose another' },
  { says: /locked/i, advice: 'unlock the conversation or give the token write access' },
];
function refused(answer: Answer): Exclude<Outcome, { is: 'delivered' }> | undefined {
  // GitHub takes many writes in a short time for spam, and takes more later.
  if (answer.status === 422 && /spammed/i.test(answer.body))
    return { is: 'retryable', reason: 'HTTP 422: taken for spam', code: 'ServerError', mayHaveArrived: false };
  if (answer.status !== 403) return undefined;
  const found = notTheToken.find(({ says }) => says.test(String(objectOf(answer.json())?.message)));
  return found && refusal(answer, found.advice);
}
