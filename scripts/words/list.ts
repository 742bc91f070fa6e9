/** A word that a native writer would not use there, and what to write instead. */
export type Unwanted = {
  readonly word: RegExp;
  readonly instead: string;
  /** `pages`: messages may still say it. */
  readonly only?: 'pages';
};

/** Kept small: each row has been written here more than once, and has hindered a reader. */
export const unwanted: readonly Unwanted[] = [
  { word: /\btold\b/i, instead: 'people are notified, a problem is reported, a program says', only: 'pages' },
  { word: /\btells of\b/i, instead: 'reports, shows, says' },
  { word: /\banew\b/i, instead: 'again; made anew: recreated' },
  { word: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, correct, repair; by itself: recover' },
  { word: /\bbeside\b/i, instead: 'with, next to, besides' },
  { word: /\bfor want of\b/i, instead: 'because … is missing' },
  { word: /\bdoes not do[.;,]/i, instead: 'does not work' },
  { word: /\bwho alerts\b/i, instead: 'the alerting system' },
  {
    word: /\b(?:no|other|another) rows?\b/i,
    instead: 'nothing else, another reason: readers know no rows',
    only: 'pages',
  },
  { word: /\bfails of the same\b|: the same of\b|, the same of\b/i, instead: 'name what is the same' },
  { word: /\bprocessors?\b/i, instead: 'CPU', only: 'pages' },
  { word: /\bwhosoever\b|\bwhence\b|\bhereby\b|\btherein\b/i, instead: 'who, from where, by this, in it' },
  { word: /\bgone on from\b/i, instead: 'used, continued from' },
  { word: /\bis at hand\b/i, instead: 'is available' },
];

/** Whether a text uses a word where it should not, with what to write instead. */
export function problemsOf(text: string, kind: 'page' | 'message'): readonly string[] {
  return unwanted
    .filter(({ only }) => kind === 'page' || only === undefined)
    .flatMap(({ word, instead }) => {
      const [found] = word.exec(text) ?? [];
      return found === undefined ? [] : [`"${found}": ${instead}`];
    });
}
