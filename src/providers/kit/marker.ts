import type { Delivery } from '../../model/delivery.ts';

/** What is looked for: any item of the same problem, or the one that this very delivery made. */
export type Sought = 'alert' | 'opening';

/** What a marker is made of. */
type Keys = Pick<Delivery, 'alertKey' | 'attemptKey'>;

/** The two halves of a marker, of letters, digits and hyphens: who the problem is, and which delivery made the item. */
export function markerParts({ alertKey, attemptKey }: Keys): Readonly<Record<Sought, string>> {
  return { alert: alertKey.replace(/[^A-Za-z0-9-]/g, '-'), opening: attemptKey.slice(0, 8) };
}

/**
 * What is written into an item, so that it is found again when its reference was lost: `tocsin:<alert>/<opening>`. It must come
 * after all texts of the cluster, which may quote the marker of something else.
 */
export function marker(keys: Keys): string {
  const { alert, opening } = markerParts(keys);
  return `tocsin:${alert}/${opening}`;
}

const written = /tocsin:([A-Za-z0-9-]+)\/([A-Za-z0-9-]+)/g;

/** Whether an item's text holds the marker that is looked for. Of several the last one counts. */
export function isMarked(text: unknown, keys: Keys, sought: Sought): boolean {
  if (typeof text !== 'string') return false;
  const last = [...text.matchAll(written)].at(-1);
  const { alert, opening } = markerParts(keys);
  return last?.[1] === alert && (sought === 'alert' || last[2] === opening);
}
