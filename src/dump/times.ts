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
/** As JSON without spaces; within a text the quotes are escaped, so that none is found there. */
const times = new RegExp(`"(?:${past.join('|')})":"(\\d{4}-\\d{2}-\\d{2}T[\\d:.]{8,18}(?:Z|[+-]\\d{2}:\\d{2}))"`, 'g');

/** The newest time that an object tells of, not after `most` (epoch milliseconds): a clock that is wrong is no dump's. 0: none. */
export function newestIn(json: string, most: number): number {
  let newest = '';
  let at = 0;
  for (const [, text = ''] of json.matchAll(times)) {
    // As texts they are in order, as a rule: most need not be read.
    if (text.length === newest.length && text <= newest) continue;
    const time = Date.parse(text);
    if (time > at && time <= most) [at, newest] = [time, text];
  }
  return at;
}
