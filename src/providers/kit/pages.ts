import { type Answer, LookUpFailed, type Reading } from '../provider.ts';
import { type AnyConfig, objectOf } from './block.ts';

/** What a page of a list may be; bytes. */
export const maxPageBytes = 4 * 1024 * 1024;
/** Nobody's open items of one kind are more than this many pages; a look-up must end. */
const maxPages = 20;

/** A list of a product that comes in pages. */
export type PagedList = {
  /** Asks for a page, from 1 on. */
  ask(page: number): Promise<Answer>;
  /** Where the items are in an answer; the answer itself unless said. */
  readonly at?: string;
  isLast(answer: Answer): boolean;
  readonly reading: Reading;
};

/**
 * The first item that is the one, and how many were looked at. Rejects with `LookUpFailed` when the product refuses a page; a page
 * that cannot be read ends the search, since a second item is better than no message.
 */
export async function findInPages(
  list: PagedList,
  isTheOne: (item: AnyConfig) => boolean,
): Promise<{ readonly found?: AnyConfig; readonly seen: number }> {
  let seen = 0;
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await list.ask(page);
    const outcome = answer.outcome(list.reading);
    if (outcome.is !== 'delivered') throw new LookUpFailed(outcome);
    const whole = answer.json();
    const items: unknown = list.at === undefined ? whole : objectOf(whole)?.[list.at];
    const objects = Array.isArray(items) ? items.map(objectOf).filter((item) => item !== undefined) : [];
    const found = objects.find(isTheOne);
    seen += objects.length;
    if (found) return { found, seen };
    if (objects.length === 0 || list.isLast(answer)) break;
  }
  return { seen };
}

/** Whether RFC 8288 `Link` names no next page. */
export function hasNoNextLink({ headers }: Answer): boolean {
  return !/;\s*rel="?next"?/i.test(headers.link ?? '');
}
