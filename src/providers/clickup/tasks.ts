import { clickupComment } from '../../message/render/clickup-comment.ts';
import { type Dialect, githubMarkdown, linkTo, markdown } from '../../message/render/markdown.ts';
import type { Outcome } from '../../model/delivery.ts';
import { doneIfGone, type Item, issueTitle, marker, objectOf, orWithout, type Tracker } from '../kit.ts';
import type { Answer, Attempt, Reading } from '../provider.ts';
import { type ClickupConfig, callClickup, type ListStatus, readingAt, statusesOf, statusOf } from './api.ts';
import { findClickupTask, itemOf } from './find.ts';

/** Lengths are not published; both in UTF-16 units. */
export const dialect: Dialect = { ...githubMarkdown, max: 20_000 };
export const maxName = 250;

/** ClickUp: 1 urgent, 2 high, 3 normal, 4 low. */
const priorities = { critical: 1, high: 2, medium: 3, low: 4 } as const;

/** How an incident is told as a task. */
export function clickupTasks(attempt: Attempt<ClickupConfig>): Tracker {
  const { config, notification } = attempt;
  const { closeStatus, reopenStatus } = config;
  const reading = readingAt(attempt);
  const name = issueTitle(notification, maxName, 'utf16');
  const priority = config.priority ?? priorities[notification.severity];
  const task = ({ item }: Item): string => `task/${encodeURIComponent(item)}`;
  const edit = (item: Item, json: unknown): Promise<Answer> => callClickup(attempt, 'PUT', task(item), { json });
  const list = `list/${encodeURIComponent(config.listId)}`;

  /** Where the task is, and in which status. */
  async function look(item: Item): Promise<{
    readonly answer: Answer;
    readonly moved: boolean;
    readonly status: ListStatus | undefined;
  }> {
    const answer = await callClickup(attempt, 'GET', task(item));
    const { list: place, status } = objectOf(answer.json()) ?? {};
    const listId = objectOf(place)?.id;
    return { answer, moved: listId !== undefined && String(listId) !== config.listId, status: statusOf(status) };
  }

  /** Closes the task, unless a person was there first: closed it, in whatever status, or moved it to a list without this one. */
  async function close(item: Item, to: string): Promise<Outcome | 'gone'> {
    const { answer, moved, status } = await look(item);
    const seen = answer.outcome(reading, item);
    if (answer.status === 404) return 'gone';
    if (seen.is !== 'delivered' || isOver(status)) return seen;
    const edited = await edit(item, { status: to });
    return edited.status === 400 && moved ? seen : edited.outcome(wrongStatus(to), item);
  }

  /** Opens the task again, unless a person has done so. `gone`: it is closed in a list that does not have this status. */
  async function reopen(item: Item, from: string, to: string): Promise<Outcome | 'gone'> {
    const { answer, moved, status } = await look(item);
    const seen = answer.outcome(reading, item);
    if (answer.status === 404) return 'gone';
    const isClosed = isOver(status) || status?.status.toLowerCase() === from.toLowerCase();
    if (seen.is !== 'delivered' || !isClosed) return seen;
    const edited = await edit(item, { status: to });
    if (edited.status === 404 || (edited.status === 400 && moved)) return 'gone';
    return edited.outcome(wrongStatus(to), item);
  }

  const wrongStatus = (status: string): Reading => ({
    ...reading,
    advice: { ...reading.advice, 400: `is "${status}" a status of the list?` },
  });

  return {
    async create(before) {
      const json = {
        name,
        markdown_content: bodyOf(attempt, before),
        priority,
        tags: ['tocsin'],
        notify_all: false,
        check_required_custom_fields: false,
      };
      const assignees = attempt.people?.assignees ?? [];
      const answer = await orWithout(assignees.length > 0 ? { assignees: assignees.map(Number) } : {}, [400], (whose) =>
        callClickup(attempt, 'POST', `${list}/task`, { json: { ...json, ...whose } }),
      );
      return answer.outcome(reading, itemOf(answer.json()));
    },

    async comment(item) {
      const json = { comment: clickupComment(notification), notify_all: false };
      const answer = await callClickup(attempt, 'POST', `${task(item)}/comment`, { json });
      return answer.status === 404 ? 'gone' : answer.outcome(reading, item);
    },

    async restate(item) {
      const json = { name, ...(config.priority === undefined && { priority }) };
      return (await edit(item, json)).outcome(reading, item);
    },

    ...(closeStatus !== undefined && {
      close: async (item: Item) => doneIfGone(await close(item, closeStatus)),
      ...(reopenStatus !== undefined && { reopen: (item: Item) => reopen(item, closeStatus, reopenStatus) }),
    }),

    /** With the configured status, so that a test shows whether it works; else with the one by which the list closes. */
    async endTest(item) {
      if (closeStatus !== undefined) return doneIfGone(await close(item, closeStatus));
      const closed = statusesOf((await callClickup(attempt, 'GET', list)).json()).find(({ type }) => type === 'closed');
      if (closed) await edit(item, { status: closed.status });
      return { is: 'delivered' };
    },

    find: (sought) => findClickupTask(attempt, sought),
  };
}

function isOver(status: ListStatus | undefined): boolean {
  return status?.type === 'done' || status?.type === 'closed';
}

/** The text of a task, its marker in sight: ClickUp does not keep comments within Markdown. */
function bodyOf({ notification, delivery }: Attempt<ClickupConfig>, before: Item | undefined): string {
  const url = `https://app.clickup.com/t/${encodeURIComponent(before?.item ?? '')}`;
  const link = before ? `${linkTo({ title: 'Earlier task of the same problem', url }, dialect)}\n\n` : '';
  const end = `\n\n${link}Tocsin finds this task by: \`${marker(delivery)}\``;
  return `${markdown(notification, { ...dialect, max: dialect.max - end.length }, ['title'])}${end}`;
}
