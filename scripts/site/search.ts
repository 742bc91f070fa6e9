/** The search of the site: pure, so that it runs in the browser and in the tests alike. */

/** A part of a page below one heading, as the index keeps it. */
export type Section = {
  /** Path of the page on the site, and the ID of the heading; empty for the page itself. */
  readonly path: string;
  readonly id: string;
  /** Title of the page, the heading, and the text below it. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** What it explains one by one: first cells of tables, words in bold. */
  readonly keys: string;
  /** How much a hit here counts: pages for users before provider types, these before contributors' pages. */
  readonly weight: number;
};

/** A section that was found, and the piece of its text that says why. */
export type Hit = { readonly section: Section; readonly excerpt: string };

/** The words of a section, worked out once. */
type Words = { readonly section: Section } & Readonly<Record<keyof typeof points, readonly string[]>>;

const points = { heading: 12, page: 6, keys: 5, text: 2 } as const;
/** A word that only begins like the one that was typed counts this much. */
const prefixShare = 0.6;
/** A heading that says nothing else is what was meant. */
const wholeHeading = 20;
const maxHits = 12;
/** One page does not fill the list. */
const maxHitsOfPage = 2;
const excerptChars = 140;

/** Words that say nothing of what is looked for, unless nothing else is typed. */
const fillers = new Set(
  'a an and am are at be by can did do does for get got had has have how i in is it me my of on or should the this to was what when where which why with'.split(
    ' ',
  ),
);

/** What people type and these pages call otherwise. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ...(['mute', 'snooze', 'ack', 'acknowledge', 'suppress'] as const).map((word) => [word, 'silence'] as const),
  ...(['oom'] as const).map((word) => [word, 'oomkilled'] as const),
  ...(['sms', 'phone'] as const).map((word) => [word, 'phones'] as const),
  ...(['rbac', 'privileges'] as const).map((word) => [word, 'permissions'] as const),
  ...(['price', 'cost', 'license'] as const).map((word) => [word, 'licence'] as const),
]);

/** The words of a text: as they stand, and the parts of names such as `ImagePullBackOff`. */
export function wordsOf(text: string): readonly string[] {
  return (
    text.match(/[\p{L}\p{N}]+/gu)?.flatMap((word) => {
      const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
      return (parts.length > 1 ? [word, ...parts] : [word]).map((part) => singular(part.toLowerCase()));
    }) ?? []
  );
}

/** One form for one thing and for several: `proxies` is found as `proxy`. */
function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|as)$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
}

/** Makes the search of an index. */
export function searchOf(index: readonly Section[]): (query: string) => readonly Hit[] {
  const all: readonly Words[] = index.map((section) => ({
    section,
    ...{ heading: wordsOf(section.heading), page: wordsOf(section.page) },
    ...{ keys: wordsOf(section.keys), text: wordsOf(section.text) },
  }));
  const known = new Set(all.flatMap(({ heading, page, text }) => [...heading, ...page, ...text]));
  return (query) => {
    const terms = wordsTyped(query).map((term) => otherWords.get(term) ?? term);
    if (terms.length === 0) return [];
    const found = ranked(all, terms);
    return found.length > 0
      ? found
      : ranked(
          all,
          terms.map((term) => nearest(term, known)),
        );
  };
}

/** What was typed, each word once; parts of a name are found with the name. */
function wordsTyped(query: string): readonly string[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const telling = words.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : words).map(singular);
}

function ranked(all: readonly Words[], terms: readonly string[]): readonly Hit[] {
  return all
    .map((words) => ({ section: words.section, score: scoreOf(words, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .filter(({ section: { path } }, at, sorted) => placeOnPage(sorted, at, path) < maxHitsOfPage)
    .slice(0, maxHits)
    .map(({ section }) => ({ section, excerpt: excerptOf(section, terms) }));
}

/** How many better ones are of the same page. */
const placeOnPage = (sorted: readonly { readonly section: Section }[], at: number, path: string): number =>
  sorted.slice(0, at).filter(({ section }) => section.path === path).length;

/** How well a section answers: 0 where it lacks one of the words. */
function scoreOf({ section, heading, page, keys, text }: Words, terms: readonly string[]): number {
  let score = 0;
  for (const term of terms) {
    const one =
      points.heading * best(heading, term) +
      points.page * best(page, term) +
      points.keys * best(keys, term) +
      points.text * best(text, term);
    if (one === 0) return 0;
    score += one;
  }
  const isWhole = heading.join(' ') === terms.join(' ') || heading[0] === terms.join('');
  // Of two sections with the same words the shorter one is about them.
  return (score + (isWhole ? wholeHeading : 0) - Math.min(1, text.length / 2000)) * section.weight;
}

function best(words: readonly string[], term: string): number {
  if (words.includes(term)) return 1;
  return words.some((word) => word.startsWith(term)) ? prefixShare : 0;
}

/** The known word that differs least from a mistyped one, if it differs little. */
function nearest(term: string, known: ReadonlySet<string>): string {
  let [closest, least] = [term, term.length >= 8 ? 3 : 2];
  if (term.length < 4 || [...known].some((word) => word.startsWith(term))) return term;
  for (const word of known) {
    if (Math.abs(word.length - term.length) >= least) continue;
    const edits = distance(term, word);
    if (edits < least) [closest, least] = [word, edits];
  }
  return closest;
}

/** Letters to insert, take away or replace to come from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? from.length;
}

/** The text around the first word that was looked for. */
function excerptOf({ text }: Section, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...at, text.length) - excerptChars / 3);
  const from = at.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const isLonger = from + excerptChars < text.length;
  const piece = text.slice(from, from + excerptChars).replace(isLonger ? / \S*$/ : /$/, '');
  return `${from > 0 ? '… ' : ''}${piece}${isLonger ? ' …' : ''}`;
}
