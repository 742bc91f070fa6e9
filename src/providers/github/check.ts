import type { Outcome } from '../../model/delivery.ts';
import { objectOf, repositoryPath, unfitRepository } from '../kit.ts';
import type { Attempt } from '../provider.ts';
import { type GithubConfig, githubCall, readingAt } from './api.ts';

const wrongToken = { credential: true, code: 'AuthFailed' } as const;

/**
 * Whether the token sees the repository and issues can be made there. Scopes are told of classic tokens only; that another may
 * write cannot be known without writing.
 */
export async function checkGithub(parts: Pick<Attempt<GithubConfig>, 'config' | 'send' | 'now'>): Promise<Outcome> {
  const answer = await githubCall(parts)('GET', repositoryPath(parts.config));
  const outcome = answer.outcome(readingAt(parts));
  if (outcome.is !== 'delivered') return outcome;
  const scopes = answer.headers['x-oauth-scopes']?.split(/[\s,]+/);
  const needed = objectOf(answer.json())?.private === false ? ['repo', 'public_repo'] : ['repo'];
  if (scopes && !needed.some((scope) => scopes.includes(scope)))
    return { is: 'permanent', reason: `the token lacks the scope ${needed.join(' or ')}`, ...wrongToken };
  return unfitRepository(answer.json()) ?? outcome;
}
