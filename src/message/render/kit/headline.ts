import type { Notification } from '../../../model/notification.ts';
import { lengthIn, truncate, type Unit } from './truncate.ts';

/** A cluster's name takes no more of a headline, whose first 100 characters say the rest as well; UTF-16 units. */
export const maxCluster = 37;

/**
 * The title on one line with the cluster behind it, at most `max` of the unit: what calls, short messages and lists of alerts show.
 * `quiet`: makes it harmless where it is shown.
 */
export function headline(
  { title, cluster }: Pick<Notification, 'title' | 'cluster'>,
  max: number,
  unit: Unit,
  quiet = (text: string): string => text,
): string {
  const place = truncate(oneLine(cluster), maxCluster, 'utf16');
  const line = oneLine(title);
  // Summaries name it themselves. That the name of an object ends alike says nothing.
  const named = line.endsWith(` · ${oneLine(cluster)}`);
  const suffix = place === '' || named ? '' : quiet(` (${place})`);
  return `${truncate(quiet(line), max - lengthIn(unit, suffix), unit)}${suffix}`;
}

/** A text without line breaks and runs of spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
