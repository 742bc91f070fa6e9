import type { Request } from 'express';
import { postedText, type Unread } from './posted.ts';

/** Where members post. */
export const hubPath = '/hub';

/** A summary has a few KiB. */
const rules = {
  who: 'Members of the hub may post here',
  mostBytes: 64 * 1024,
  tooLarge: 'A summary has 64 KiB at most.',
};

/** What a hub answers: JSON. */
export type HubReply = { readonly status: number; readonly body: string };

/** What a member posted, unread, or why nothing is read. Pages in browsers, which say where they are from, are not let in. */
export function postedSummary(request: Request): Promise<{ readonly text: string } | Unread> {
  return postedText(request, rules);
}
