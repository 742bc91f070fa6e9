/** Fewer lines alike are an idiom. */
const mostAlike = 5;

/** A file by its path, what is in it, and its syntax tree. */
export type Source = { readonly path: string; readonly text: string; readonly program: unknown };
type Line = { readonly text: string; readonly number: number };

/** Where the statements of functions stand, from one offset to another; what is inside of one is part of it. */
function* bodiesIn(node: unknown): Generator<readonly [number, number]> {
  if (typeof node !== 'object' || node === null) return;
  const { type, start, end }: { readonly type?: unknown; readonly start?: unknown; readonly end?: unknown } = node;
  if ((type === 'BlockStatement' || type === 'FunctionBody') && typeof start === 'number' && typeof end === 'number') {
    yield [start, end];
    return;
  }
  for (const inner of Object.values(node)) yield* bodiesIn(inner);
}

/** The lines of functions without blank ones, comments and lone brackets, body by body. */
function codeOf({ text, program }: Source): readonly (readonly Line[])[] {
  return [...bodiesIn(program)].map(([start, end]) => {
    const first = text.slice(0, start).split('\n').length;
    const lines = text.slice(start + 1, end - 1).split('\n');
    return lines
      .map((line, index): Line => ({ text: line.trim(), number: first + index }))
      .filter((line) => !/^(?:$|\/\/|\/?\*|[\])};,]+$)/.test(line.text));
  });
}

/**
 * Code that stands twice, as problems: six lines in a row that are the same to the letter, within functions. What a table, a type or a list of
 * imports repeats is no logic, and is not looked at.
 */
export function repeats(sources: readonly Source[]): readonly string[] {
  const placesOf = new Map<string, { readonly path: string; readonly number: number }[]>();
  for (const source of sources)
    for (const lines of codeOf(source))
      for (let index = 0; index + mostAlike < lines.length; index += 1) {
        const run = lines.slice(index, index + mostAlike + 1);
        const key = run.map(({ text }) => text).join('\n');
        const place = { path: source.path, number: run[0]?.number ?? 0 };
        placesOf.set(key, [...(placesOf.get(key) ?? []), place]);
      }
  return [...placesOf.values()]
    .filter((places) => places.length > 1)
    .map((places) => {
      const where = places.map(({ path, number }) => `${path}:${number}`).join(' and ');
      return `${where}: the same ${mostAlike + 1} lines; one piece of code can serve`;
    });
}
