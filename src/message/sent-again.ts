import type { Notification } from '../model/notification.ts';
import { defaultSettings } from '../model/settings.ts';
import { wholeCluster } from '../model/view.ts';
import { noteOf } from './sentences/notes.ts';

/** A message with the words it had, when it is sent again: its note says since when it could not be delivered. Epoch milliseconds. */
export function sentAgain(notification: Notification, failedAt: number, now: number): Notification {
  const remark = noteOf([{ is: 'sentAgain', at: failedAt }], {
    audience: wholeCluster,
    now,
    settings: defaultSettings,
  });
  const notes = [notification.note, remark].filter((note) => note !== undefined);
  return { ...notification, note: notes.join(' ') };
}
