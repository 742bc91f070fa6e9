import type { Block } from '../../message/render/kit/rich.ts';
import { type Item, markerParts, objectOf, type Sought } from '../kit.ts';
import { type Attempt, LookUpFailed } from '../provider.ts';
import { itemOf, type Jira, type JiraConfig } from './api.ts';

type Keys = Attempt<unknown>['delivery'];

/** The labels of an issue of ours: which problem it is of, and which delivery made it. */
export function labelsOf(delivery: Keys): readonly string[] {
  const { alert, opening } = markerParts(delivery);
  return ['tocsin', `tocsin-${alert}`, `tocsin-${opening}`];
}

/** The same as words of a text, for projects without labels: a search for words takes letters and digits together. */
export function markerWords(delivery: Keys): Block {
  const { alert, opening } = wordsOf(delivery);
  return { is: 'paragraph', runs: [{ text: `Tocsin finds this issue by: ${alert} ${opening}` }] };
}

function wordsOf(delivery: Keys): Readonly<Record<Sought, string>> {
  const { alert, opening } = markerParts(delivery);
  return { alert: `tocsin${alert.replaceAll('-', 'x')}`, opening: `tocsin${opening}` };
}

/** Asks for the newest issue. The index of Cloud is some seconds late, so a repeat right after a time-out may find nothing. */
export async function findJiraIssue(
  { config, delivery }: Pick<Attempt<JiraConfig>, 'config' | 'delivery'>,
  jira: Jira,
  sought: Sought,
): Promise<Item | undefined> {
  const open = sought === 'alert' && delivery.act !== 'reopen';
  const clauses = [
    `project = ${quoted(config.projectKey)}`,
    `(labels = ${quoted(`tocsin-${markerParts(delivery)[sought]}`)} OR description ~ ${quoted(`"${wordsOf(delivery)[sought]}"`)})`,
    ...(open ? ['statusCategory != Done'] : []),
  ];
  const json = { jql: `${clauses.join(' AND ')} ORDER BY created DESC`, maxResults: 2, fields: ['status'] };
  const answer = await jira.call('POST', jira.api === '3' ? 'search/jql' : 'search', { json });
  const outcome = answer.outcome(jira.reading);
  if (outcome.is !== 'delivered') throw new LookUpFailed(outcome);
  const issues = objectOf(answer.json())?.issues;
  return itemOf(Array.isArray(issues) ? issues[0] : undefined, jira);
}

/** A text within a JQL query. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
