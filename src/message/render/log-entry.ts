import type { Notification } from '../../model/notification.ts';
import { kindNameOf, nameOf } from '../../model/ref.ts';
import { type Details, type DetailsRoom, detailsOf, labelKeys } from './kit/details.ts';
import { lengthIn, truncate } from './kit/truncate.ts';

/** A flat entry of a log: texts and numbers, the keys ours alone. */
export type LogEntry = Readonly<Record<string, string | number>>;

/** UTF-16 units; as JSON, a character that has to be escaped takes up to six times as much. */
const maxTitle = 300;

/**
 * A notification as an entry for those who search and count: what happened (`action`, `status`), to what, how bad and for how long,
 * then everything that `detailsOf` tells. As JSON it is at most `room.max` long; the log is cut first.
 */
export function logEntry(notification: Notification, alertKey: string, room: DetailsRoom): LogEntry {
  const { act, title, incident, over } = notification;
  const { unit = 'bytes', quiet = (text: string): string => text } = room;
  const head: LogEntry = {
    action: act,
    title: truncate(quiet(title), maxTitle, 'utf16'),
    ...(over && { status: 'resolved' }),
    ...(incident && {
      status: incident.status,
      kind: kindNameOf(incident.root),
      name: truncate(quiet(nameOf(incident.root)), maxTitle, 'utf16'),
      podCount: incident.podCount,
      revision: incident.revision,
      alertKey,
      ...(incident.previousSeverity !== undefined && { previousSeverity: incident.previousSeverity }),
      ...(incident.resolvedAt !== undefined && {
        durationSeconds: Math.round((incident.resolvedAt - incident.startedAt) / 1000),
      }),
      ...labelKeys(notification, quiet),
    }),
  };
  const {
    affectedCount,
    labels: _asOne,
    ...details
  }: Details = detailsOf(notification, {
    ...room,
    max: room.max - lengthIn(unit, JSON.stringify(head)),
  });
  return { ...head, ...(affectedCount !== undefined && { affectedCount: Number(affectedCount) }), ...details };
}
