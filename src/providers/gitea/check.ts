import type { Outcome } from '../../model/delivery.ts';
import { unfitRepository } from '../kit.ts';
import type { Send } from '../provider.ts';
import { callGitea, type GiteaConfig, reading, repositoryPath } from './api.ts';

/**
 * Whether the token sees the repository and issues can be made there. That it may write cannot be known without writing. A token
 * for issues alone may not see the repository itself; then its list of issues is asked for.
 */
export async function checkGitea(send: Send, config: GiteaConfig): Promise<Outcome> {
  const answer = await callGitea(send, config, 'GET', repositoryPath(config));
  if (answer.status === 403) {
    const query = { limit: '1' };
    const list = await callGitea(send, config, 'GET', `${repositoryPath(config)}/issues`, { query });
    return list.outcome(reading);
  }
  const outcome = answer.outcome(reading);
  return outcome.is === 'delivered' ? (unfitRepository(answer.json()) ?? outcome) : outcome;
}
