import type { Secret } from '../../model/secret.ts';
import { authorization, endpoint, sendFollowing, waitAfter429 } from '../kit.ts';
import type { Answer, Reading, Send, SendRequest } from '../provider.ts';

/** The opened fields of one attempt. */
export type GiteaConfig = {
  readonly token: Secret;
  readonly owner: string;
  readonly repo: string;
  readonly url?: string;
};

/** Without `url`. */
const publicServer = 'https://gitea.com';
/** Items come back with their whole text; bytes. */
const maxItemBytes = 512 * 1024;

/** What answers mean. Proxies in front of public servers limit requests, mostly without saying for how long. */
export const reading: Reading = {
  retryAfterMs: waitAfter429(60_000),
  advice: {
    401: 'put a valid access token into the Secret',
    403: 'the token needs the scopes write:issue and read:repository, and its account access to the repository',
    404: 'correct `owner` and `repo`, give the account of the token access, and switch issues on in the repository',
    423: 'the repository is archived',
  },
};

/** One call of the API of Gitea or Forgejo, below the server's own path. A renamed repository answers 307, which is followed. */
export function callGitea(
  send: Send,
  config: GiteaConfig,
  method: SendRequest['method'],
  path: string,
  { json, query, maxAnswerBytes = maxItemBytes }: CallOptions = {},
): Promise<Answer> {
  const server = (config.url ?? publicServer).replace(/(?:\/api\/v1)?\/*$/, '');
  return sendFollowing(send, {
    method,
    url: endpoint(server, `api/v1/${path}`, query),
    headers: { accept: 'application/json', ...authorization('token', config.token) },
    maxAnswerBytes,
    ...(json !== undefined && { json }),
  });
}
type CallOptions = {
  readonly json?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly maxAnswerBytes?: number;
};

/** The path of the repository in the API. */
export function repositoryPath({ owner, repo }: GiteaConfig): string {
  return `repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
}
