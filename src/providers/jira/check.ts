import type { Outcome } from '../../model/delivery.ts';
import { denied, objectOf, rejected } from '../kit.ts';
import { type Jira, type JiraConfig, type JiraParts, reachJira } from './api.ts';

/** What the account must be allowed to do, in the words of Jira's permission schemes. */
const needed = {
  BROWSE_PROJECTS: 'Browse Projects',
  CREATE_ISSUES: 'Create Issues',
  ADD_COMMENTS: 'Add Comments',
} as const;
const neededToMove = { TRANSITION_ISSUES: 'Transition Issues' } as const;

/** Whether the account may do what will be asked, and the project has the issue type. Transitions show with an issue only. */
export async function checkJira(parts: JiraParts): Promise<Outcome> {
  const jira = await reachJira(parts);
  if ('failed' in jira) return jira.failed;
  const { config } = parts;
  const wanted = { ...needed, ...(config.closeTransition !== undefined && neededToMove) };
  const query = { projectKey: config.projectKey, permissions: Object.keys(wanted).join(',') };
  const answer = await jira.call('GET', 'mypermissions', { query });
  const outcome = answer.outcome({
    ...jira.reading,
    advice: { ...jira.reading.advice, 404: 'correct `projectKey`, or give the account access to the project' },
  });
  if (outcome.is !== 'delivered') return outcome;
  const permissions = objectOf(objectOf(answer.json())?.permissions);
  const missing = Object.entries(wanted).filter(([key]) => objectOf(permissions?.[key])?.havePermission === false);
  if (missing.length > 0) {
    return denied(`the account lacks permissions in the project: ${missing.map(([, name]) => name).join(', ')}`);
  }
  return checkIssueType(jira, config);
}

/** Old servers cannot be asked, and long lists come in pages: then the first delivery shows it. */
async function checkIssueType(jira: Jira, { projectKey, issueType }: JiraConfig): Promise<Outcome> {
  const query = { maxResults: '100' };
  const path = `issue/createmeta/${encodeURIComponent(projectKey)}/issuetypes`;
  const answer = await jira.call('GET', path, { query });
  const { issueTypes, values } = objectOf(answer.json()) ?? {};
  const list = issueTypes ?? values;
  const names = Array.isArray(list) ? list.map((each) => String(objectOf(each)?.name)) : [];
  const there = names.some((name) => name.toLowerCase() === issueType.toLowerCase());
  if (answer.status !== 200 || there || names.length === 0 || names.length >= 50) return { is: 'delivered' };
  return rejected(
    `the project has no issue type "${issueType}" that the account may create; it has ${names.map((name) => `"${name}"`).join(', ')}`,
  );
}
