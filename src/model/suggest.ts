/** How many letters must be changed, added, removed or swapped with a neighbour to make one word of the other (Damerau). */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same);
      rows[row]?.push(swapped ? Math.min(best, at(row - 2, column - 2) + 1) : best);
    }
  }
  return at(from.length, to.length);
}

/** Longer words are not compared: nobody mistypes them, and the time grows with the square. */
const maxLength = 64;

/** The known word that was probably meant: the nearest, whatever its case, with at most a third of its letters wrong. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, wrong: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, wrong }) => wrong <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.wrong - b.wrong || (a.candidate < b.candidate ? -1 : 1));
  return ranked[0]?.candidate;
}

/** `; did you mean "api"?`, or nothing when no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined || meant === word ? '' : `; did you mean "${meant}"?`;
}
