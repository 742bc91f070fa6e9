import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Incident } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import { fits, record, type Shape } from '../model/shape.ts';
import { type IncidentRow, incidentRowOf } from './explanations.ts';
import { notificationShape } from './shapes/delivery.ts';
import { explanationShape } from './shapes/explanation.ts';
import { incidentShape } from './shapes/incident.ts';

/** An incident that is over, in the words that people read while it was open. */
export type Past = { readonly incident: Incident; readonly words: Notification };

type Row = {
  readonly incident: IncidentRow;
  readonly explanation: Incident['explanation'];
  readonly words: Notification;
};
const rowShape: Shape<Row> = record({
  incident: incidentShape,
  explanation: explanationShape,
  words: notificationShape,
});
const isRow = fits(rowShape);

/** Nothing that was packed is larger; bytes. What claims to be is not read. */
const largest = 1024 * 1024;

/** As one text, a fifth as long as the JSON: thousands are held. */
export function packPast({ incident: { left: _, blamed: __, ...incident }, words }: Past): string {
  const row: Row = { incident: incidentRowOf(incident), explanation: incident.explanation, words };
  return deflateRawSync(JSON.stringify(row)).toString('base64');
}

/** What was packed. `undefined`: it is none, or one of another version. */
export function unpackPast(text: string): Past | undefined {
  try {
    const row: unknown = JSON.parse(
      inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: largest }).toString(),
    );
    return isRow(row) ? { incident: { ...row.incident, explanation: row.explanation }, words: row.words } : undefined;
  } catch {
    return undefined;
  }
}
