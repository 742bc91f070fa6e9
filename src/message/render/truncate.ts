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

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text cut to `max` of the unit, with a visible `…` where something is missing. Never inside a grapheme, so that no
 * emoji or accented letter becomes another one. A `max` too small for the mark gives the empty string.
 */
export function truncate(text: string, max: number, unit: Unit): string {
  if (lengthIn(unit, text) <= max) return text;
  const room = max - lengthIn(unit, mark);
  if (room < 0) return '';
  let length = 0;
  let end = 0;
  // What cannot fit is not segmented: a unit holds at least a third of a UTF-16 unit.
  for (const { segment, index } of graphemes.segment(text.slice(0, room * 2 + 64))) {
    length += lengthIn(unit, segment);
    if (length > room) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}${mark}`;
}
