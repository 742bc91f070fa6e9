import type { Outcome } from '../../model/delivery.ts';
import { repositoryPath, unfitRepository } from '../kit.ts';
import type { Attempt } from '../provider.ts';
import { type GiteaConfig, giteaCall, reading } from './api.ts';

/**
 * Whether the token sees the repository and issues can be made there. That it may write cannot be known without writing. A token
 * for issues alone may not see the repository itself; then its list of issues is asked for.
 */
export async function checkGitea(parts: Pick<Attempt<GiteaConfig>, 'config' | 'send'>): Promise<Outcome> {
  const call = giteaCall(parts);
  const repository = repositoryPath(parts.config);
  const answer = await call('GET', repository);
  if (answer.status === 403) {
    const list = await call('GET', `${repository}/issues`, { query: { limit: '1' } });
    return list.outcome(reading);
  }
  const outcome = answer.outcome(reading);
  return outcome.is === 'delivered' ? (unfitRepository(answer.json()) ?? outcome) : outcome;
}
