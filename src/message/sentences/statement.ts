import type { Notification } from '../../model/notification.ts';

/** What a message says in one breath, for whoever shows a sentence and no title: what broke, why, whom it hits, and since when. */
export function statementOf({ title, lead }: Pick<Notification, 'title' | 'lead'>): string {
  return lead === '' ? `${title}.` : `${title}. ${lead}`;
}
