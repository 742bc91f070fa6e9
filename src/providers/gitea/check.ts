import type { Outcome } from '../../model/delivery.ts';
import { objectOf } from '../kit.ts';
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
  const repository = objectOf(answer.json());
  if (outcome.is !== 'delivered') return outcome;
  if (repository?.archived === true) return refused('the repository is archived: choose another, or unarchive it');
  if (repository?.has_issues === false) return refused('the repository has no issues: switch them on in its settings');
  return outcome;
}

function refused(reason: string): Outcome {
  return { is: 'permanent', reason, credential: false, code: 'Rejected' };
}
