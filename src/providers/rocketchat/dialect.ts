import { type Dialect, githubMarkdown } from '../../message/render/markdown.ts';

/** Old parsers know no escapes: what would be markup is written with a sign that looks like it, or taken apart. */
export const dialect: Dialect = {
  ...githubMarkdown,
  max: 4_000,
  unit: 'characters',
  bold: '*',
  fence: 'three',
  linksNames: true,
  names: ['`', '`'],
  // A bracket opens a link whose name goes on to wherever the next one ends, beyond lines and fences.
  escapes: { '*': '∗', '~': '∼', '`': "'", '[': '(', ']': ')' },
  silence: /<(?=[!@#\w])|\|(?=\|)|:(?=[\w+-]+:)/g,
};
