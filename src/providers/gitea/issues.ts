import { type Dialect, githubMarkdown, markdown } from '../../message/render/markdown.ts';
import type { Outcome } from '../../model/delivery.ts';
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
  orWithout,
  repositoryPath,
  type Sought,
  type Tracker,
  withoutLogIfTooLarge,
} from '../kit.ts';
import type { Answer, Attempt } from '../provider.ts';
import { type GiteaConfig, giteaCall, reading } from './api.ts';

/** Gitea's Markdown: what GitHub has, and `!12` for pull requests. */
export const dialect: Dialect = { ...githubMarkdown, fold: 'details', silence: /!(?=\d)/g };

/** A column of 255; older servers cut it in the middle of a character. Bytes. */
export const maxTitleBytes = 250;

/** How an incident is told as an issue. */
export function giteaIssues(attempt: Attempt<GiteaConfig>): Tracker {
  const { config, notification, delivery, people } = attempt;
  const call = giteaCall(attempt);
  const assignees = people?.assignees ?? [];
  const repository = repositoryPath(config);
  const issue = ({ item }: Item): string => `${repository}/issues/${encodeURIComponent(item)}`;
  const title = issueTitle(notification, maxTitleBytes, 'bytes');
  const edit = async (item: Item, json: unknown): Promise<Outcome> =>
    (await call('PATCH', issue(item), { json })).outcome(reading, item);

  /** To a comment on an issue that is not there, servers answer 500 (CreateIssueComment of Gitea 1.26); to a question for it, 404. */
  async function isGone({ status }: Answer, item: Item): Promise<boolean> {
    if (status !== 500) return status === 404;
    return (await call('GET', issue(item))).status === 404;
  }

  /** What is so already stays as it is, and so does what people let depend on other issues that are open (412). */
  async function move(item: Item, state: 'closed' | 'open'): Promise<Outcome | 'gone'> {
    const answer = await call('PATCH', issue(item), { json: { state } });
    if (answer.status === 412) return { is: 'delivered', ref: item };
    return answer.status === 404 ? 'gone' : answer.outcome(reading, item);
  }

  return {
    async create(before) {
      const answer = await withoutLogIfTooLarge(notification, (told) => {
        const body = issueBody({ notification: told, delivery }, dialect, before && `#${before.item}`);
        return orWithout(assignees.length > 0 ? { assignees } : {}, [404, 422], (whose) =>
          call('POST', `${repository}/issues`, { json: { title, body, ...whose } }),
        );
      });
      return answer.outcome(reading, issueNumber(answer.json()));
    },

    async comment(item) {
      const answer = await withoutLogIfTooLarge(notification, (told) =>
        call('POST', `${issue(item)}/comments`, { json: { body: markdown(told, dialect) } }),
      );
      return (await isGone(answer, item)) ? 'gone' : answer.outcome(reading, item);
    },

    restate: (item) => edit(item, { title }),
    ...endsByMoving(move, config),
    find: (sought) => findGiteaIssue(attempt, sought),
  };
}

/** Looks through the issues of the token's account, newest first. Labels and the search index of the server promise nothing. */
async function findGiteaIssue(attempt: Attempt<GiteaConfig>, sought: Sought): Promise<Item | undefined> {
  const { config, delivery } = attempt;
  const call = giteaCall(attempt);
  const login = await loginOf(call);
  const query = { type: 'issues', ...(login !== undefined && { created_by: login }), limit: '50' };
  const { found } = await lookThrough(
    { call, path: `${repositoryPath(config)}/issues`, open: 'open', query, isLast: isLastPage, reading },
    sought,
    attempt,
    ({ body }) => isMarked(body, delivery, sought),
  );
  return issueNumber(found);
}

/** `Link` is there on every page but that of proxies that drop it: then the empty page is the last. */
function isLastPage(answer: Answer): boolean {
  return answer.headers.link !== undefined && hasNoNextLink(answer);
}
