import type { Book } from './book.ts';

/**
 * Resolved incidents that are kept at most: their week is cut short where there are more. They are for "the third time this
 * week" and for reopening issues; memory and the time of a step must not grow with how much a cluster breaks.
 */
export const maxResolved = 500;

/** Forgets those resolved first beyond the limit, but never one that may still reopen (`resolvedAt` after `keepFromMs`, epoch). */
export function forgetOldest(book: Book, keepFromMs: number): void {
  if (book.size() <= maxResolved) return;
  const resolved = book.all().filter(({ state }) => state === 'Resolved');
  const oldestFirst = resolved.toSorted((a, b) => (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0));
  for (const { id, resolvedAt = 0 } of oldestFirst.slice(0, Math.max(0, resolved.length - maxResolved)))
    if (resolvedAt < keepFromMs) book.remove(id);
}
