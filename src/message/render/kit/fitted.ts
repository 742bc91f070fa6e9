import type { Notification } from '../../../model/notification.ts';
import { plainText } from './plain-text.ts';
import { isWithin, truncate, type Unit } from './truncate.ts';

/** How much a product takes, and how its markup writes a character (nothing is escaped unless said). */
type Fit = { readonly max: number; readonly unit: Unit; readonly encode?: (text: string) => string };

/**
 * A notification as text within `max` of the unit, escapes counted. What is left out first is the log, from its oldest line on,
 * since it is also in the cluster; then the end of the text. `write`: `plainText` unless said, or `plainBody`.
 */
export function fitted(
  notification: Notification,
  { max, unit, encode = (text) => text }: Fit,
  write: (notification: Notification) => string = plainText,
): string {
  const { excerpt, ...brief } = notification;
  const lines = excerpt?.lines.length ?? 0;
  const possible = linesWithin(excerpt?.lines ?? [], max * 2);
  const withLines = (count: number): string => {
    if (!excerpt || count === 0) return write(brief);
    const kept = excerpt.lines.slice(-count);
    return write({ ...brief, excerpt: { ...excerpt, lines: count < lines ? ['…', ...kept] : kept } });
  };
  const fits = (count: number): boolean => isWithin(encode(withLines(count)), max, unit);
  // Most messages fit whole. Where the rest alone is too long, no part of the log is asked about.
  let [most, tooMany] = fits(possible) ? [possible, possible + 1] : [0, fits(0) ? possible : 1];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(middle)) most = middle;
    else tooMany = middle;
  }
  const text = truncate(withLines(most), max, unit, encode);
  // Half a command is another one: rather none.
  const { nextStep, ...without } = brief;
  const isWhole = nextStep === undefined || text.includes(encode(nextStep.command));
  return isWhole ? text : truncate(write(without), max, unit, encode);
}

/** How many of the last lines can fit at all. `max`: UTF-16 units, of which no unit of length holds more than two. */
function linesWithin(lines: readonly string[], max: number): number {
  let left = max;
  const first = lines.findLastIndex((line) => {
    left -= line.length;
    return left < 0;
  });
  return lines.length - 1 - first;
}
