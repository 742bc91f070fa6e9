/**
 * What globs have in common, found exactly: a list of globs (`*`, `?`, a leading `!` excludes) is a set of words, and the question
 * is always whether some word is in all of some lists and in none of others. Answered by walking all lists at once, letter by
 * letter: states that were seen are not walked again, so the walk ends; one that grows too large gives up and says so.
 */

/** Which words there are at all: letters that may stand in one, and those that may stand at its ends; absent: any. */
export type Alphabet = { readonly letters?: string; readonly ends?: string };

const lettersAndDigits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Names of Namespaces (RFC 1123 labels). */
export const namespaceNames: Alphabet = { letters: `${lettersAndDigits}-`, ends: lettersAndDigits };

/** Names of Nodes (RFC 1123 subdomains), and some words more. */
export const nodeNames: Alphabet = { letters: `${lettersAndDigits}-.`, ends: lettersAndDigits };

/** Names of any object: what is at the root need not be an object of Kubernetes (`ghcr.io/acme`). */
export const anyNames: Alphabet = {};

/** The shortest word asked for, that there is none, or that it would take too long to tell. */
export type WordSearch = { readonly word: string } | 'none' | 'unknown';

/** How far searches that belong together may go before they give up: steps of well under a microsecond. */
export type Effort = { left: number };

/** Enough for the longest lists of plain names; some tenths of a second at worst. */
export const someEffort = (): Effort => ({ left: 1_000_000 });

/**
 * A glob as an automaton whose states are bits: bit `i` says that the first `i` letters are matched. `loops`: positions with a
 * star, where any letter may be skipped.
 */
type Automaton = {
  readonly loops: bigint;
  readonly end: bigint;
  readonly any: bigint;
  readonly byLetter: ReadonlyMap<string, bigint>;
  readonly list: number;
  readonly excludes: boolean;
};

function automatonOf(glob: string, list: number): Automaton {
  const excludes = glob.startsWith('!');
  const byLetter = new Map<string, bigint>();
  let [loops, any, bit] = [0n, 0n, 1n];
  for (const letter of excludes ? glob.slice(1) : glob) {
    if (letter === '*') {
      loops |= bit;
      continue;
    }
    if (letter === '?') any |= bit;
    else byLetter.set(letter, (byLetter.get(letter) ?? 0n) | bit);
    bit <<= 1n;
  }
  return { loops, any, byLetter, end: bit, list, excludes };
}

const advance = ({ loops, any, byLetter }: Automaton, state: bigint, letter: string): bigint =>
  (state & loops) | ((state & (any | (byLetter.get(letter) ?? 0n))) << 1n);

/** How far a word has come: the states of the globs that can still match, and its last letter's place. */
type Place = { readonly word: string; readonly alive: ReadonlyMap<Automaton, bigint>; readonly mayEnd: boolean };

/** Whether the word of a place is in a list: some include matches, or there is none, and no exclude does. */
function isIn(list: number, { alive }: Place, withIncludes: ReadonlySet<number>): boolean {
  let included = !withIncludes.has(list);
  for (const [automaton, state] of alive) {
    if (automaton.list !== list || (state & automaton.end) === 0n) continue;
    if (automaton.excludes) return false;
    included = true;
  }
  return included;
}

/** The letters that make a difference, and one that stands for all others, readable where that is possible. */
function lettersOf(automata: readonly Automaton[], { letters }: Alphabet): string[] {
  const told = new Set(automata.flatMap(({ byLetter }) => [...byLetter.keys()]));
  const other = [...(letters ?? `${lettersAndDigits}\u{e000}`)].find((letter) => !told.has(letter));
  const known = [...told].filter((letter) => letters === undefined || letters.includes(letter));
  return other === undefined ? known : [other, ...known];
}

const keyOf = ({ alive, mayEnd }: Place, index: ReadonlyMap<Automaton, number>): string =>
  `${mayEnd}${[...alive].map(([automaton, state]) => ` ${index.get(automaton)}:${state.toString(36)}`).join('')}`;

/**
 * A shortest word that is in each list of `inside` and in none of `outside`. An empty list holds every word; the empty word is no
 * word.
 */
export function findWord(
  inside: readonly (readonly string[])[],
  outside: readonly (readonly string[])[],
  alphabet: Alphabet,
  effort: Effort = someEffort(),
): WordSearch {
  const lists = [...inside, ...outside];
  for (const globs of lists) for (const glob of globs) effort.left -= glob.length;
  if (effort.left < 0) return 'unknown';
  const automata = lists.flatMap((globs, list) => globs.map((glob) => automatonOf(glob, list)));
  const index = new Map(automata.map((automaton, at) => [automaton, at]));
  const withIncludes = new Set(automata.filter(({ excludes }) => !excludes).map(({ list }) => list));
  const letters = lettersOf(automata, alphabet);
  const mayEnd = (letter: string): boolean => alphabet.ends?.includes(letter) ?? true;
  const isHopeless = ({ alive }: Place): boolean =>
    inside.some((_, list) => withIncludes.has(list) && !hasInclude(alive, list));
  const isFound = (place: Place): boolean =>
    place.mayEnd && lists.every((_, list) => isIn(list, place, withIncludes) === list < inside.length);

  const start: Place = { word: '', alive: new Map(automata.map((automaton) => [automaton, 1n])), mayEnd: false };
  const seen = new Set<string>();
  let places: Place[] = [start];
  while (places.length > 0) {
    const next: Place[] = [];
    for (const place of places)
      for (const letter of letters) {
        effort.left -= 1 + 4 * place.alive.size;
        if (effort.left < 0) return 'unknown';
        if (place.word === '' && !mayEnd(letter)) continue;
        const alive = new Map<Automaton, bigint>();
        for (const [automaton, state] of place.alive) {
          const then = advance(automaton, state, letter);
          if (then !== 0n) alive.set(automaton, then);
        }
        const further: Place = { word: place.word + letter, alive, mayEnd: mayEnd(letter) };
        const key = keyOf(further, index);
        if (isHopeless(further) || seen.has(key)) continue;
        if (isFound(further)) return { word: further.word };
        seen.add(key);
        next.push(further);
      }
    places = next;
  }
  return 'none';
}

function hasInclude(alive: ReadonlyMap<Automaton, bigint>, list: number): boolean {
  for (const automaton of alive.keys()) if (automaton.list === list && !automaton.excludes) return true;
  return false;
}
