import type { Outcome } from '../../model/delivery.ts';
import { denied, objectOf, rejected } from '../kit.ts';
import type { Attempt } from '../provider.ts';
import { type GitlabConfig, gitlabCall, projectPath, readingAt } from './api.ts';

/**
 * Whether the token sees the project, issues can be made there, and the token says of itself that it may. Servers and tokens that
 * say nothing of themselves are believed: what is missing then shows in the first delivery.
 */
export async function checkGitlab(parts: Pick<Attempt<GitlabConfig>, 'config' | 'send' | 'now'>): Promise<Outcome> {
  const call = gitlabCall(parts);
  const answer = await call('GET', projectPath(parts.config));
  const outcome = answer.outcome(readingAt(parts));
  if (outcome.is !== 'delivered') return outcome;
  const { archived, issues_access_level, issues_enabled } = objectOf(answer.json()) ?? {};
  if (archived === true) return rejected('the project is archived: choose another, or unarchive it');
  if (issues_access_level === 'disabled' || issues_enabled === false)
    return rejected('the project has no issues: switch them on in its settings');
  const itself = await call('GET', 'personal_access_tokens/self');
  const { scopes, active } = objectOf(itself.json()) ?? {};
  if (itself.status !== 200) return outcome;
  if (active === false) return denied('the token is revoked or has expired: create another');
  if (Array.isArray(scopes) && !scopes.includes('api')) return denied('the token lacks the scope api: create another');
  return outcome;
}
