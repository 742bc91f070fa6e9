import { type Dialect, githubMarkdown, markdown } from '../../message/render/markdown.ts';
import type { Outcome } from '../../model/delivery.ts';
import { severities } from '../../model/severity.ts';
import {
  endsByMoving,
  hasNoNextLink,
  type Item,
  isMarked,
  issueBody,
  issueNumber,
  issueTitle,
  loginOf,
  lookThrough,
  objectOf,
  orWithout,
  repositoryPath,
  type Sought,
  type Tracker,
  unlessRefused,
} from '../kit.ts';
import type { Attempt } from '../provider.ts';
import { type GithubConfig, githubCall, readingAt } from './api.ts';

/** GitHub's Markdown, where `GH-12` is a reference too. */
export const dialect: Dialect = { ...githubMarkdown, fold: 'details', silence: /\bGH-(?=\d)/gi };
/** Servers of some age refuse titles over 256 characters; UTF-16 units. */
export const maxTitle = 250;
/** The label of every issue of ours. */
const label = 'tocsin';
const labelOf = (severity: string): string => `severity:${severity}`;

/** Why an issue comes to be open or closed. */
const reasons = { closed: 'completed', open: 'reopened' } as const;

/** How an incident is told as an issue. */
export function githubIssues(attempt: Attempt<GithubConfig>): Tracker {
  const { config, notification } = attempt;
  const { severity } = notification;
  const call = githubCall(attempt);
  const reading = readingAt(attempt);
  const issues = `${repositoryPath(config)}/issues`;
  const issue = ({ item }: Item): string => `${issues}/${encodeURIComponent(item)}`;
  const title = issueTitle(notification, maxTitle, 'utf16');

  /** What is so already stays as it is: the reason counts only where the state changes. */
  async function move(item: Item, state: keyof typeof reasons): Promise<Outcome | 'gone'> {
    const answer = await call('PATCH', issue(item), { json: { state, state_reason: reasons[state] } });
    return answer.status === 404 || answer.status === 410 ? 'gone' : answer.outcome(reading, item);
  }

  return {
    async create(before) {
      const body = issueBody(attempt, dialect, before && `#${before.item}`);
      const json = { title, body, labels: [label, labelOf(severity)] };
      const assignees = attempt.people?.assignees ?? [];
      const answer = await orWithout(assignees.length > 0 ? { assignees } : {}, [422], (whose) =>
        call('POST', issues, { json: { ...json, ...whose } }),
      );
      return answer.outcome(reading, issueNumber(answer.json()));
    },

    async comment(item) {
      const json = { body: markdown(notification, dialect) };
      const answer = await call('POST', `${issue(item)}/comments`, { json });
      return answer.status === 404 || answer.status === 410 ? 'gone' : answer.outcome(reading, item);
    },

    /** Labels that people added stay: an edit would replace them all. */
    async restate(item) {
      const edited = await call('PATCH', issue(item), { json: { title } });
      const stale = labelsOf(edited.json()).filter((name) => isSeverity(name) && name !== labelOf(severity));
      let outcome = edited.outcome(reading, item);
      if (outcome.is !== 'delivered') return outcome;
      const json = { labels: [labelOf(severity)] };
      outcome = (await call('POST', `${issue(item)}/labels`, { json })).outcome(reading, item);
      for (const name of stale) {
        if (outcome.is !== 'delivered') break;
        const removed = await call('DELETE', `${issue(item)}/labels/${encodeURIComponent(name)}`);
        outcome = unlessRefused(removed.outcome(reading, item));
      }
      return outcome;
    },

    ...endsByMoving(move, config),

    find: (sought) => findGithubIssue(attempt, sought),
  };
}

/**
 * Looks through the issues with our label, newest first, and where the label is nowhere, since the token may not set any, through
 * those of the token's account. The search of GitHub lags behind and may miss what is not shown.
 */
async function findGithubIssue(attempt: Attempt<GithubConfig>, sought: Sought): Promise<Item | undefined> {
  const { config, delivery } = attempt;
  const call = githubCall(attempt);
  const shelf = { call, path: `${repositoryPath(config)}/issues`, open: 'open', isLast: hasNoNextLink };
  const look = (narrow: Readonly<Record<string, string>>) =>
    lookThrough(
      {
        ...shelf,
        reading: readingAt(attempt),
        query: { ...narrow, sort: 'created', direction: 'desc', per_page: '100' },
      },
      sought,
      attempt,
      ({ body, pull_request }) => pull_request === undefined && isMarked(body, delivery, sought),
    );
  const labelled = await look({ labels: label });
  if (labelled.found || labelled.seen > 0) return issueNumber(labelled.found);
  // An app may not ask who it is, but apps can set labels.
  const login = await loginOf(call);
  return login === undefined ? undefined : issueNumber((await look({ creator: login })).found);
}

function labelsOf(issue: unknown): readonly string[] {
  const labels = objectOf(issue)?.labels;
  const names = Array.isArray(labels)
    ? labels.map((each) => (typeof each === 'string' ? each : objectOf(each)?.name))
    : [];
  return names.filter((name) => typeof name === 'string');
}

function isSeverity(name: string): boolean {
  return severities.some((severity) => name === labelOf(severity));
}
