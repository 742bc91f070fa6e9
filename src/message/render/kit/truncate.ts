/** The unit a product counts a text's length in. */
export type Unit = 'bytes' | 'utf16' | 'characters';

/** Shows that something is missing. */
const mark = '…';

/** The length of a text: UTF-8 bytes, UTF-16 units or code points. */
export function lengthIn(unit: Unit, text: string): number {
  if (unit === 'utf16') return text.length;
  if (unit === 'bytes') return Buffer.byteLength(text);
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Whether a text is at most `max` of the unit long. It is counted only where its UTF-16 length does not tell. */
export function isWithin(text: string, max: number, unit: Unit): boolean {
  // A UTF-16 unit is one to three bytes, and half a character or a whole one.
  const [least, most] = unit === 'bytes' ? [text.length, text.length * 3] : [text.length / 2, text.length];
  return most <= max || (least <= max && lengthIn(unit, text) <= max);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text cut to `max` of the unit, with a visible `…` where something is missing. Never inside a grapheme, so that no
 * emoji or accented letter becomes another one. `encode` is how the product's markup writes a character that means
 * something: lengths are those of the escaped text, which is what is returned, and no escape is cut in two. A `max` too
 * small for the mark gives the empty string.
 */
export function truncate(text: string, max: number, unit: Unit, encode?: (part: string) => string): string {
  const whole = text.length > max * 3 ? undefined : (encode?.(text) ?? text);
  if (whole !== undefined && isWithin(whole, max, unit)) return whole;
  const room = max - lengthIn(unit, mark);
  if (room < 0) return '';
  // What cannot fit is not looked at: a unit holds at least half a UTF-16 unit.
  const start = text.slice(0, room * 2 + 64);
  return `${encode ? cutEncoded(start, room, unit, encode) : cut(start, room, unit)}${mark}`;
}

/** The longest beginning within `room`; a text that is too long for it. */
function cut(text: string, room: number, unit: Unit): string {
  const segments = graphemes.segment(text);
  const upTo = (end: number): string => text.slice(0, segments.containing(end)?.index).trimEnd();
  let [fits, tooMany] = unit === 'utf16' ? [Math.min(room, text.length - 1), room] : [0, text.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (lengthIn(unit, upTo(middle)) <= room) fits = middle;
    else tooMany = middle;
  }
  return upTo(fits);
}

/** The same for what is written otherwise than it reads, as it is written. */
function cutEncoded(text: string, room: number, unit: Unit, encode: (part: string) => string): string {
  let length = 0;
  const ends: number[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    length += lengthIn(unit, encode(segment));
    if (length > room) break;
    ends.push(index + segment.length);
  }
  for (;;) {
    const kept = encode(text.slice(0, ends.at(-1) ?? 0).trimEnd());
    // Where markup writes a character otherwise because of the one before it, the whole is longer than its parts.
    const over = lengthIn(unit, kept) - room;
    if (over <= 0) return kept;
    ends.length = Math.max(0, ends.length - over);
  }
}

/** The last lines of a log that fit into `max` of the unit, line breaks included; a `…` in front where some are missing. */
export function lastLines(
  lines: readonly string[],
  max: number,
  unit: Unit,
  encode = (part: string): string => part,
): string {
  const kept: string[] = [];
  let left = max - lengthIn(unit, mark) - 1;
  for (const line of lines.toReversed()) {
    const written = kept.length === 0 ? truncate(line, left, unit, encode) : encode(line);
    left -= lengthIn(unit, written) + 1;
    if (left < 0 && kept.length > 0) break;
    kept.unshift(written);
  }
  return [...(kept.length < lines.length ? [mark] : []), ...kept].join('\n');
}
