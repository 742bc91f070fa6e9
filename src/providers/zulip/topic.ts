import { truncate } from '../../message/render/kit/truncate.ts';
import { shortHash } from '../../model/hash.ts';
import { describeRef } from '../../model/ref.ts';
import type { Attempt } from '../provider.ts';

/** What Zulip writes before a topic that is resolved. */
const resolvedSign = '✔ ';
/** Topics hold 60 code points with that sign; longer ones are cut by the server, and two could become one. */
const maxTopic = 60 - resolvedSign.length;

/**
 * The topic of a message: one for each problem, the same after a restart, and one for all messages that are about none. `title`:
 * what people want their topics to begin with.
 */
export function topicOf(
  { notification: { incident }, delivery: { alertKey } }: Pick<Attempt<unknown>, 'notification' | 'delivery'>,
  title: string | undefined,
): string {
  if (!incident) return truncate(oneLine(title ?? 'tocsin'), maxTopic, 'characters');
  const what = `${incident.reason} · ${describeRef(incident.root)}`;
  const end = ` · ${shortHash([alertKey], 6)}`;
  return `${truncate(oneLine(title === undefined ? what : `${title}: ${what}`), maxTopic - end.length, 'characters')}${end}`;
}

/** Control characters are refused in topics. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** Whether a topic is marked as resolved, by us or by a person. */
export const isResolved = (topic: string): boolean => topic.startsWith(resolvedSign);
/** The topic marked as resolved. */
export const resolved = (topic: string): string => (isResolved(topic) ? topic : `${resolvedSign}${topic}`);
/** The topic without the mark. */
export const unresolved = (topic: string): string => topic.replace(/^[✔ ]+/u, '');
