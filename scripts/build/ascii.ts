/**
 * A program in ASCII. Node hands V8 a source as one byte a character where all of it is ASCII and as two where a single character is not, and
 * it stays in memory for as long as the program runs. esbuild writes strings so, but leaves regular expressions and tagged templates as they are.
 */

/** What would no longer mean the same: a character behind a backslash of its own, and a text that is taken as it was typed. */
const literally = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]|\bString\.raw`[^`]*[^\0-\x7f]/;

/** The same program with every other character as its escape. Throws where an escape would mean something else, with the place. */
export function asciiOf(program: string): string {
  const found = literally.exec(program);
  if (found) {
    const near = program.slice(Math.max(0, found.index - 40), found.index + found[0].length + 40);
    throw new Error(`not ASCII and not to be escaped here: write it as \\u and four digits yourself: ${near}`);
  }
  return program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
