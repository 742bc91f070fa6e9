import {
  authorization,
  type ConfigOf,
  closeOnResolve,
  endpoint,
  type ForgeCall,
  forgeCall,
  httpUrl,
  repositoryFields,
  secret,
  waitAfter429,
} from '../kit.ts';
import type { Attempt, Reading } from '../provider.ts';

/** What is configured. */
export const fields = {
  token: secret({ required: true, description: 'Access token with the scope write:issue.' }),
  ...repositoryFields,
  url: httpUrl({ description: 'Address of the server; by default https://gitea.com.' }),
  closeOnResolve,
};
export type GiteaConfig = ConfigOf<typeof fields>;

/** Without `url`. */
const publicServer = 'https://gitea.com';

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

/** How the API of Gitea or Forgejo is called, below the server's own path. A renamed repository answers 307, which is followed. */
export function giteaCall({ config, send }: Pick<Attempt<GiteaConfig>, 'config' | 'send'>): ForgeCall {
  const server = (config.url ?? publicServer).replace(/(?:\/api\/v1)?\/*$/, '');
  const headers = { accept: 'application/json', ...authorization('token', config.token) };
  return forgeCall(send, endpoint(server, 'api/v1').href, headers, { follows: true });
}
