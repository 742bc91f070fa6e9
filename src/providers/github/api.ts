import type { Outcome } from '../../model/delivery.ts';
import {
  bearer,
  type ConfigOf,
  closeOnResolve,
  type ForgeCall,
  forgeCall,
  httpUrl,
  objectOf,
  refusal,
  repositoryFields,
  retryAfterMs,
  secret,
  untilUnixSecond,
} from '../kit.ts';
import type { Answer, Attempt, Reading } from '../provider.ts';

/** What is configured. */
export const fields = {
  token: secret({ required: true, description: 'Token that may write issues of the repository.' }),
  ...repositoryFields,
  url: httpUrl({
    description: 'Address of an enterprise server or of a tenant at ghe.com; by default https://api.github.com.',
  }),
  closeOnResolve,
};
export type GithubConfig = ConfigOf<typeof fields>;

/** How the REST API is called. A renamed repository and a moved issue are followed on the same host. */
export function githubCall({ config, send }: Pick<Attempt<GithubConfig>, 'config' | 'send'>): ForgeCall {
  // The version is understood by every server that is still supported; an unknown one would be refused.
  const version = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  return forgeCall(send, apiOf(config.url), { ...version, ...bearer(config.token) }, { follows: true });
}

/** The API behind the address of a server: people write either. */
function apiOf(url = 'https://api.github.com'): string {
  const { hostname, pathname } = new URL(url);
  if (hostname === 'github.com' || hostname === 'www.github.com') return 'https://api.github.com';
  // A tenant of GitHub Enterprise Cloud has its API beside it (go-gh, pkg/api).
  if (hostname.endsWith('.ghe.com')) return `https://${hostname.startsWith('api.') ? '' : 'api.'}${hostname}`;
  return pathname === '/' && !hostname.startsWith('api.') ? `${new URL(url).origin}/api/v3` : url;
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
