import { clickupComment } from '../../message/render/clickup-comment.ts';
import { type Dialect, githubMarkdown, linkTo, markdown } from '../../message/render/markdown.ts';
import type { Outcome } from '../../model/delivery.ts';
import { doneIfGone, type Item, issueTitle, marker, objectOf, type Tracker } from '../kit.ts';
import type { Answer, Attempt } from '../provider.ts';
import { type ClickupConfig, callClickup, readingAt, statusesOf, statusOf } from './api.ts';
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

  /** Puts the task into a status, unless a person was there first: moved it to a list without it, or closed it otherwise. */
  async function move(item: Item, status: string, to: 'closed' | 'open'): Promise<Outcome | 'gone'> {
    const answer = await edit(item, { status });
    if (answer.status !== 400) return answer.outcome(reading, item);
    const looked = await callClickup(attempt, 'GET', task(item));
    const { list: place, status: now } = objectOf(looked.json()) ?? {};
    const listId = objectOf(place)?.id;
    const moved = listId !== undefined && String(listId) !== config.listId;
    if (to === 'closed' && (moved || isOver(now))) return { is: 'delivered' };
    if (to === 'open' && moved) return isOver(now) ? 'gone' : { is: 'delivered' };
    return answer.outcome({ ...reading, advice: { 400: `is "${status}" a status of the list?` } }, item);
  }

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
      const answer = await callClickup(attempt, 'POST', `${list}/task`, { json });
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
      close: async (item: Item) => doneIfGone(await move(item, closeStatus, 'closed')),
      ...(reopenStatus !== undefined && { reopen: (item: Item) => move(item, reopenStatus, 'open') }),
    }),

    /** With the configured status, so that a test shows whether it works; else with the one by which the list closes. */
    async endTest(item) {
      if (closeStatus !== undefined) return doneIfGone(await move(item, closeStatus, 'closed'));
      const closed = statusesOf((await callClickup(attempt, 'GET', list)).json()).find(({ type }) => type === 'closed');
      if (closed) await edit(item, { status: closed.status });
      return { is: 'delivered' };
    },

    find: (sought) => findClickupTask(attempt, sought),
  };
}

function isOver(status: unknown): boolean {
  const type = statusOf(status)?.type;
  return type === 'done' || type === 'closed';
}

/** The text of a task, its marker in sight: ClickUp does not keep comments within Markdown. */
function bodyOf({ notification, delivery }: Attempt<ClickupConfig>, before: Item | undefined): string {
  const url = `https://app.clickup.com/t/${encodeURIComponent(before?.item ?? '')}`;
  const link = before ? `${linkTo({ title: 'Earlier task of the same problem', url }, dialect)}\n\n` : '';
  const end = `\n\n${link}Tocsin finds this task by: \`${marker(delivery)}\``;
  return `${markdown(notification, { ...dialect, max: dialect.max - end.length }, ['title'])}${end}`;
}
