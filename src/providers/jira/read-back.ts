import { group, objectOf, readBackSwitch, takenBy } from '../kit.ts';
import type { Look, Seen } from '../provider.ts';
import { type JiraConfig, reachJira } from './api.ts';
import { issuePath } from './move.ts';

/** What is read back. */
export const jiraActions = group(
  {
    description:
      'Whether an issue that is in progress acknowledges its incident here; only for an AlertProvider in the namespace of Tocsin.',
  },
  { readBack: readBackSwitch('has an issue in progress (by the category of its status)') },
);

/** When the status went to another category: Cloud alone says so. */
const since = 'statuscategorychangedate';

/**
 * Asks whether somebody works on an issue: by the category of its status, which every workflow has. An assignee alone tells nothing, since
 * projects give every issue one. Source: developer.atlassian.com, get issue, status category.
 */
export async function readBackJira({ config, send, ref, now }: Look<JiraConfig>): Promise<Seen> {
  if (ref?.item === undefined) return { outcome: { is: 'delivered' } };
  const jira = await reachJira({ config, send, now }, ref.api);
  if ('failed' in jira) return { outcome: jira.failed };
  const query = { fields: `status,assignee,${since}` };
  const answer = await jira.call('GET', issuePath({ item: ref.item }), { query });
  // Somebody may have deleted it.
  const outcome = answer.outcome({ ...jira.reading, errors: { ...jira.reading.errors, 404: 'delivered' } });
  const fields = objectOf(objectOf(answer.json())?.fields);
  const { key } = objectOf(objectOf(fields?.status)?.statusCategory) ?? {};
  if (outcome.is !== 'delivered' || key !== 'indeterminate') return { outcome };
  const { displayName, name } = objectOf(fields?.assignee) ?? {};
  return { outcome, taken: takenBy([displayName, name], Date.parse(String(fields?.[since])), now) };
}
