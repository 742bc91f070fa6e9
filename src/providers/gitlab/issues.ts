import { type Dialect, githubMarkdown, markdown } from '../../message/render/markdown.ts';
import type { Outcome } from '../../model/delivery.ts';
import { severities } from '../../model/severity.ts';
import {
  endsByMoving,
  type Item,
  isMarked,
  issueBody,
  issueNumber,
  issueTitle,
  lookThrough,
  objectOf,
  orWithout,
  rejected,
  type Sought,
  type Tracker,
} from '../kit.ts';
import type { Answer, Attempt } from '../provider.ts';
import { type GitlabConfig, gitlabCall, projectPath, readingAt } from './api.ts';

/**
 * GitLab's Markdown. References begin with more characters than elsewhere and are looked for after escapes were taken away. A line
 * that begins with a slash may be a command (`/close`), which GitLab obeys even in code whose fence is longer than three.
 */
export const dialect: Dialect = {
  ...githubMarkdown,
  fold: 'details',
  fence: 'three',
  silence: /[!$%&~^](?=[\w"])|:(?=[\w+-]{1,50}:)|\[(?=\[|\w{1,50}:)|\*(?=iteration)/g,
  silenceInCode: /^\s*(?=\/)/g,
};
/** A title may have 255; Unicode characters. */
export const maxTitle = 250;
/** The label of every issue of ours. */
const label = 'tocsin';
/** Two colons make labels of one kind exclude each other where the edition knows that. */
const labelOf = (severity: string): string => `severity::${severity}`;

/** How an incident is told as an issue. */
export function gitlabIssues(attempt: Attempt<GitlabConfig>): Tracker {
  const { config, notification } = attempt;
  const { severity } = notification;
  const call = gitlabCall(attempt);
  const reading = readingAt(attempt);
  const issues = `${projectPath(config)}/issues`;
  const issue = ({ item }: Item): string => `${issues}/${encodeURIComponent(item)}`;
  const title = issueTitle(notification, maxTitle, 'characters');
  const edit = (item: Item, json: unknown): Promise<Answer> => call('PUT', issue(item), { json });

  /** What is so already stays as it is. An issue that stays closed, since its discussion is locked or it was moved, is out of reach. */
  async function move(item: Item, event: 'close' | 'reopen'): Promise<Outcome | 'gone'> {
    const answer = await edit(item, { state_event: event });
    const isLeft = event === 'reopen' && objectOf(answer.json())?.state === 'closed';
    return answer.status === 404 || isLeft ? 'gone' : answer.outcome(reading, item);
  }

  return {
    async create(before) {
      const description = issueBody(attempt, dialect, before && `#${before.item}`);
      const json = { title, description, labels: `${label},${labelOf(severity)}` };
      const assignees = attempt.people?.assignees ?? [];
      const answer = await orWithout(
        assignees.length > 0 ? { assignee_ids: assignees.map(Number) } : {},
        [400],
        (whose) => call('POST', issues, { json: { ...json, ...whose } }),
      );
      return answer.outcome(reading, issueNumber(answer.json(), 'iid'));
    },

    /** An issue that was moved to another project stays behind, closed, and takes notes that nobody reads. */
    async comment(item) {
      const looked = await call('GET', issue(item));
      if (looked.status === 404 || isMoved(looked.json())) return 'gone';
      const seen = looked.outcome(reading, item);
      if (seen.is !== 'delivered') return seen;
      const json = { body: markdown(notification, dialect) };
      const answer = await call('POST', `${issue(item)}/notes`, { json });
      if (answer.status !== 202) return answer.outcome(reading, item);
      return rejected('GitLab took the whole text for commands, and no note was made');
    },

    async restate(item) {
      const others = severities.filter((other) => other !== severity).map(labelOf);
      const json = { title, add_labels: labelOf(severity), remove_labels: others.join(',') };
      return (await edit(item, json)).outcome(reading, item);
    },

    ...endsByMoving((item, to) => move(item, to === 'closed' ? 'close' : 'reopen'), config),
    find: (sought) => findGitlabIssue(attempt, sought),
  };
}

/**
 * Looks through the issues with our label, newest first, and where the label is nowhere, since guests may not set any, through
 * those of the token's account. The search of GitLab does not index what is not shown.
 */
async function findGitlabIssue(attempt: Attempt<GitlabConfig>, sought: Sought): Promise<Item | undefined> {
  const { config, delivery } = attempt;
  const call = gitlabCall(attempt);
  const newest = { order_by: 'created_at', sort: 'desc', per_page: '100' };
  const isLast = ({ headers }: Answer): boolean => (headers['x-next-page'] ?? '') === '';
  const shelf = { call, path: `${projectPath(config)}/issues`, open: 'opened', isLast, reading: readingAt(attempt) };
  const look = (narrow: Readonly<Record<string, string>>) =>
    lookThrough(
      { ...shelf, query: { ...narrow, ...newest } },
      sought,
      attempt,
      (issue) => !isMoved(issue) && isMarked(issue.description, delivery, sought),
    );
  const labelled = await look({ scope: 'all', labels: label });
  return issueNumber(labelled.seen > 0 ? labelled.found : (await look({ scope: 'created_by_me' })).found, 'iid');
}

function isMoved(issue: unknown): boolean {
  const to = objectOf(issue)?.moved_to_id;
  return to !== undefined && to !== null;
}
