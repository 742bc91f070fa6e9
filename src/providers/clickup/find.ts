import { findInPages, type Item, isMarked, maxPageBytes, objectOf, type Sought } from '../kit.ts';
import type { Attempt } from '../provider.ts';
import { type ClickupConfig, callClickup, readingAt, statusOf } from './api.ts';

/** Looks through the tasks of the list, newest first: there is no search for texts. */
export async function findClickupTask(attempt: Attempt<ClickupConfig>, sought: Sought): Promise<Item | undefined> {
  const { config, delivery } = attempt;
  const closedToo = sought === 'opening' || delivery.act === 'reopen';
  const query = { include_closed: String(closedToo), subtasks: 'false', order_by: 'created' };
  const { found } = await findInPages(
    {
      ask: (page) =>
        callClickup(attempt, 'GET', `list/${encodeURIComponent(config.listId)}/task`, {
          query: { ...query, page: String(page - 1) },
          maxAnswerBytes: maxPageBytes,
        }),
      at: 'tasks',
      isLast: (answer) => objectOf(answer.json())?.last_page === true,
      reading: readingAt(attempt),
    },
    // A list leaves out statuses of the type `closed`, not those of the type `done`.
    ({ status, text_content, description }) =>
      (closedToo || statusOf(status)?.type !== 'done') &&
      [text_content, description].some((text) => isMarked(text, delivery, sought)),
  );
  return itemOf(found);
}

/** The id of a task as the API returns it. */
export function itemOf(task: unknown): Item | undefined {
  const id = objectOf(task)?.id;
  return typeof id === 'string' && id !== '' ? { item: id } : undefined;
}
