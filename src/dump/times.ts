import type { RawObject } from '../model/raw-object.ts';
import { fieldsOf, listOf, timeOf } from '../world/reading/fields.ts';

/** Fields of objects that say when something was, never when something will be. */
const past = [
  ...['creationTimestamp', 'lastTransitionTime', 'lastUpdateTime', 'lastHeartbeatTime', 'lastProbeTime', 'startTime'],
  ...[
    'startedAt',
    'finishedAt',
    'completionTime',
    'lastTimestamp',
    'eventTime',
    'renewTime',
    'lastScheduleTime',
    'time',
  ],
  ...['deprecatedLastTimestamp', 'lastObservedTime', 'lastScaleTime'],
];
/** Of these, when something became what it is. */
const changes = [
  ...['creationTimestamp', 'lastTransitionTime', 'timeAdded', 'startTime', 'startedAt', 'finishedAt', 'completionTime'],
  'endpoints.kubernetes.io/last-change-trigger-time',
];

/** As JSON without spaces; within a text the quotes are escaped, so that none is found there. */
const timesOf = (fields: readonly string[]): RegExp =>
  new RegExp(
    `"(?:${fields.map((field) => field.replaceAll('.', '\\.')).join('|')})":"(\\d{4}-\\d{2}-\\d{2}T[\\d:.]{8,18}(?:Z|[+-]\\d{2}:\\d{2}))"`,
    'g',
  );
const times = timesOf(past);
const timesOfChange = timesOf(changes);

/** The newest time that an object tells of, not after `most` (epoch milliseconds): a clock that is wrong is no dump's. 0: none. */
export function newestIn(json: string, most: number): number {
  return newestOf(json, times, most);
}

/**
 * When an object became what it is, as far as it tells, not after `most` (epoch milliseconds): when it was made and written, when its conditions
 * turned, when its containers began and ended. 0: it does not.
 */
export function changedAt({ kind, metadata }: RawObject, json: string, most: number): number {
  let at = newestOf(json, timesOfChange, most);
  for (const { time, subresource } of listOf(fieldsOf(metadata).managedFields)) {
    const written = timeOf(time);
    // Kubelets write to their Nodes every few minutes, changed or not.
    const isHeartbeat = kind === 'Node' && subresource === 'status';
    if (written !== undefined && !isHeartbeat && written > at && written <= most) at = written;
  }
  return at;
}

function newestOf(json: string, fields: RegExp, most: number): number {
  let newest = '';
  let at = 0;
  for (const [, text = ''] of json.matchAll(fields)) {
    // As texts they are in order, as a rule: most need not be read.
    if (text.length === newest.length && text <= newest) continue;
    const time = Date.parse(text);
    if (time > at && time <= most) [at, newest] = [time, text];
  }
  return at;
}
