import {
  type ConfigOf,
  closeOnResolve,
  endpoint,
  type ForgeCall,
  forgeCall,
  httpUrl,
  secret,
  string,
  untilUnixSecond,
} from '../kit.ts';
import type { Attempt, Reading } from '../provider.ts';

/** What is configured. */
export const fields = {
  token: secret({ required: true, description: 'Project, group or personal access token with the scope api.' }),
  projectId: string({
    required: true,
    orNumber: true,
    description: 'Number or path (group/project) of the project.',
  }),
  url: httpUrl({ description: 'Address of a self-hosted server; by default https://gitlab.com.' }),
  closeOnResolve,
};
export type GitlabConfig = ConfigOf<typeof fields>;

/**
 * How the API is called, below the server's own path. Redirects are not followed: those of GitLab make a GET of everything, and the
 * address must be corrected anyway.
 */
export function gitlabCall({ config, send }: Pick<Attempt<GitlabConfig>, 'config' | 'send'>): ForgeCall {
  const server = (config.url ?? 'https://gitlab.com').replace(/(?:\/api\/v4)?\/*$/, '');
  return forgeCall(send, endpoint(server, 'api/v4').href, { 'private-token': config.token }, { follows: false });
}

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
