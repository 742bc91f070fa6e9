import type { SignRow } from '../../src/signs/row.ts';

/** What patterns are slow on: the same again and again, with and without what they look for. */
export const fillers = [
  'a',
  'A',
  '/',
  '.',
  ':',
  ' ',
  '"',
  "'",
  '(',
  '[',
  '\\',
  '0',
  '_',
  '-',
  'a.',
  'a:',
  ': ',
  '"\'',
  'A_',
  '/a',
  'http://',
  '://',
  '::1:',
];
/** As a program meets it: no line that is read is longer than this, so 64 KB are as many lines as that takes. */
export const lineLength = 2_000;

/** The literal words of a pattern: what an input must hold so that the pattern gets as far as it can. */
function words(row: SignRow): readonly string[] {
  const literal = row.pattern.source.replace(/\\[bdwsS]|\(\?[<:=!]+(?:[a-z]+>)?|\{[\d,]+\}|\[[^\]]*\]/g, '\n');
  return [...row.needs, ...literal.split(/[\n()|?*+\\^$]+/)].filter((word) => word.trim().length > 1).slice(0, 40);
}

/** The lines for one row: its own words around every filler, in lines of the length that is read. */
export function hostile(row: SignRow): readonly string[] {
  return words(row).flatMap((word) =>
    fillers.flatMap((filler) => {
      const run = filler.repeat(Math.ceil(lineLength / filler.length)).slice(0, lineLength - word.length);
      return [word + run, run + word, `${word}${filler}`.repeat(Math.ceil(lineLength / (word.length + filler.length)))];
    }),
  );
}
