import { type AdfDocument, adf } from '../../message/render/adf.ts';
import { jiraWiki, storable } from '../../message/render/jira-wiki.ts';
import type { Block } from '../../message/render/kit/rich.ts';
import type { Notification } from '../../model/notification.ts';
import { type AnyConfig, doneIfGone, type Item, issueTitle, type Tracker, withoutLogIfTooLarge } from '../kit.ts';
import type { Answer, Attempt } from '../provider.ts';
import { itemOf, type Jira, type JiraConfig, refusedFields, siteOf } from './api.ts';
import { openFields } from './fields.ts';
import { findJiraIssue, labelsOf, markerWords } from './find.ts';
import { endIssue, issuePath, moveIssue } from './move.ts';

/** A summary may have 255, a text 32,767 unless Data Center is told otherwise, a document perhaps with its JSON; UTF-16 units. */
export const maxSummary = 250;
export const maxText = 32_000;

/** The names of the default scheme; where there is no such name, the issue gets the priority of the project. */
const priorities = { critical: 'Highest', high: 'High', medium: 'Medium', low: 'Low' } as const;

/** How an incident is told as an issue. */
export function jiraIssues(attempt: Attempt<JiraConfig>, jira: Jira): Tracker {
  const { config, notification, delivery } = attempt;
  const { projectKey, issueType, closeTransition, reopenTransition } = config;
  const { reading } = jira;
  const title = issueTitle(notification, maxSummary, 'utf16');
  const summary = jira.api === '3' ? title : storable(title);
  const priority = { name: priorities[notification.severity] };
  const close =
    closeTransition === undefined
      ? undefined
      : ({ to: 'done', transition: closeTransition, closing: closeTransition, projectKey } as const);
  const reopen =
    closeTransition === undefined || reopenTransition === undefined
      ? undefined
      : ({ to: 'open', transition: reopenTransition, closing: closeTransition, projectKey } as const);

  return {
    async create(before) {
      const project = { key: projectKey };
      const own = openFields(config.fields);
      const labels = [...labelsOf(delivery), ...textsOf(own.labels)];
      const link = before ? [linkTo(before, config)] : [];
      const answer = await withoutLogIfTooLarge(notification, (told) =>
        save(
          { priority, ...assigneeOf(attempt, jira), ...own, project, issuetype: { name: issueType }, summary, labels },
          (fields) => {
            // Without labels it is found by words of its text.
            const marker = fields.labels === undefined ? [markerWords(delivery)] : [];
            const description = textOf(jira, told, false, [...link, ...marker]);
            return jira.call('POST', 'issue', { json: { fields: { ...fields, description } } });
          },
        ),
      );
      return answer.outcome(reading, itemOf(answer.json(), jira));
    },

    async comment(item) {
      const answer = await withoutLogIfTooLarge(notification, (told) =>
        jira.call('POST', `${issuePath(item)}/comment`, { json: { body: textOf(jira, told, true) } }),
      );
      const outcome = answer.outcome(reading, item);
      const refused = outcome.is === 'permanent' && outcome.credential;
      return answer.status === 404 && !refused ? 'gone' : outcome;
    },

    async restate(item) {
      const answer = await save({ summary, priority }, (fields) =>
        jira.call('PUT', issuePath(item), { json: { fields } }),
      );
      return answer.outcome(reading, item);
    },

    ...(close && { close: async (item: Item) => doneIfGone(await moveIssue(jira, item, close)) }),
    ...(reopen && { reopen: (item: Item) => moveIssue(jira, item, reopen) }),
    /** With the configured transition, so that a test shows whether it works; else with one that ends the issue. */
    endTest: async (item) => (close ? doneIfGone(await moveIssue(jira, item, close)) : endIssue(jira, item)),
    find: (sought) => findJiraIssue(attempt, jira, sought),
  };
}

/** An account of the Cloud has an id, one of Data Center a name. */
function assigneeOf({ people }: Pick<Attempt<JiraConfig>, 'people'>, { api }: Jira): AnyConfig {
  const [who] = people?.assignees ?? [];
  if (who === undefined) return {};
  return { assignee: api === '3' ? { accountId: who } : { name: who } };
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

/** Fields that the project may not have on its screen, or not with this value. An issue without them tells the same. */
const optional = ['priority', 'labels', 'assignee'];

/** Saves fields, and again without the optional ones that Jira refuses. */
async function save<F extends AnyConfig>(fields: F, send: (fields: Partial<F>) => Promise<Answer>): Promise<Answer> {
  let left: Partial<F> = fields;
  for (;;) {
    const answer = await send(left);
    const refused = refusedFields(answer).filter((name) => optional.includes(name) && left[name] !== undefined);
    if (refused.length === 0) return answer;
    left = { ...left, ...Object.fromEntries(refused.map((name) => [name, undefined])) };
  }
}

/** A text as the site reads it. */
function textOf(jira: Jira, told: Notification, title: boolean, after: readonly Block[] = []): AdfDocument | string {
  const options = { max: maxText, title, after };
  return jira.api === '3' ? adf(told, options) : jiraWiki(told, options);
}

/** The issue it goes on from. Through the gateway of Atlassian the address of the site is not known. */
function linkTo(before: Item, config: JiraConfig): Block {
  const key = before.key ?? before.item;
  const site = siteOf(config);
  const known = !site.startsWith('https://api.atlassian.com/');
  const link = { text: key, ...(known && { url: `${site}/browse/${encodeURIComponent(key)}` }) };
  return { is: 'paragraph', runs: [{ text: 'The same problem had issue ' }, link, { text: ' before.' }] };
}
