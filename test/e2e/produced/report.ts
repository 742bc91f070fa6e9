import { isFields } from '../../../sandbox/object.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Found } from './judge.ts';
import { ownEvents } from './own.ts';
import type { Played } from './play.ts';

/** Longest text of one object in a failed test. */
const mostCharacters = 1_200;
/** Most objects and Events in a failed test. */
const mostLines = 15;
/** Fields that tell nothing of what went wrong. */
const dull = new Set([
  ...['managedFields', 'uid', 'resourceVersion', 'annotations', 'tolerations', 'volumeMounts', 'serviceAccountToken'],
  ...['terminationMessagePath', 'terminationMessagePolicy', 'generateName', 'dnsPolicy', 'schedulerName'],
]);

function lineOf(raw: RawObject): string {
  const { kind = '', metadata } = raw;
  if (kind !== 'Event') {
    const text = JSON.stringify(raw, (key, value: unknown) => (dull.has(key) ? undefined : value));
    return `  ${text.slice(0, mostCharacters)}`;
  }
  const about = raw.regarding ?? raw.involvedObject;
  const where = isFields(about) ? `${String(about.kind)}/${String(about.name)}` : metadata.name;
  return `  Event ${String(raw.type)} ${String(raw.reason)} ${where}: ${String(raw.note ?? raw.message)}`;
}

/** The objects of a case as they were last heard of before it was judged. */
function lastSeen({ ns, namespaces, heard, settledAt }: Played): readonly RawObject[] {
  const last = new Map<string, RawObject>();
  for (const { now, input } of heard) {
    if (now > settledAt || input.kind !== 'objects') continue;
    for (const { is, raw } of ownEvents(input.events, ns, namespaces)) {
      const key = `${raw.kind}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
      if (is === 'gone') last.delete(key);
      else if (JSON.stringify(raw).includes(ns)) last.set(key, raw);
    }
  }
  return [...last.values()].filter(({ kind = '' }) => !['Namespace', 'ConfigMap', 'ServiceAccount'].includes(kind));
}

/** What the objects of a case looked like when it was judged, and what was found of them: for people who read a failed test. */
export function describeOutcome(played: Played, found: readonly Found[]): string {
  const { settledAt } = played;
  const [events = [], objects = []] = [true, false].map((isEvent) =>
    lastSeen(played).filter(({ kind }) => (kind === 'Event') === isEvent),
  );
  return [
    'found:',
    ...found.map(({ finding: { subject, reason, since }, at, says }) => {
      const [seconds, began] = [at, since].map((time) => ((time - settledAt) / 1000).toFixed(0));
      return `  ${subject.ref} ${reason} at ${seconds} s, since ${began} s: ${says}`;
    }),
    ...(found.length === 0 ? ['  nothing'] : []),
    `objects when it had settled (0 s, ${new Date(settledAt).toISOString()}):`,
    ...objects.slice(-mostLines).map(lineOf),
    ...events.slice(-mostLines).map(lineOf),
  ].join('\n');
}
