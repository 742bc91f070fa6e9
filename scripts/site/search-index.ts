/** The index that the search of the site goes by: every section of every page. */
import { Marked, type Token, type Tokens } from 'marked';
import { headingIds, textOf } from './markdown.ts';
import type { Section } from './search.ts';

/** Weights of pages by where they are; the first that fits. */
const weights: readonly (readonly [folder: string, weight: number])[] = [
  ['docs/contributing/', 0.15],
  ['docs/reference/providers/', 0.8],
  ['docs/', 1],
  ['README.md', 0.9],
];
/** Pages of the repository that are about it, not about Tocsin: of them the headings. */
const otherWeight = 0.1;
/** Of a contributors' section so much text is kept: the index is loaded by phones. */
const maxContributorChars = 160;

/** The sections of a page. `path`: on the site. */
export function sectionsOf(source: string, path: string, markdown: string): readonly Section[] {
  const weight = weights.find(([folder]) => source.startsWith(folder))?.[1] ?? otherWeight;
  const idOf = headingIds();
  const sections: { id: string; heading: string; texts: string[]; keys: string[] }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = textOf((token as Tokens.Heading).tokens);
      const id = idOf(heading);
      sections.push({ id: (token as Tokens.Heading).depth === 1 ? '' : id, heading, texts: [], keys: [] });
    } else {
      sections.at(-1)?.texts.push(plainText(token));
      sections.at(-1)?.keys.push(...keysOf(token));
    }
  }
  const page = sections[0]?.heading ?? path;
  return sections.map(({ id, heading, texts, keys }) => {
    const text = texts.join(' ').replaceAll(/\s+/g, ' ').trim();
    const kept = weight < 0.5 ? text.slice(0, maxContributorChars) : text;
    return { path, id, page, heading, text: kept, keys: weight < 0.5 ? '' : keys.join(' '), weight };
  });
}

/** What a block explains one by one. */
function keysOf(token: Token): readonly string[] {
  if (token.type === 'table') return (token as Tokens.Table).rows.map(([first]) => textOf(first?.tokens ?? []));
  if (token.type === 'list') return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(keysOf));
  if (token.type === 'strong') return [textOf([token])];
  return 'tokens' in token && token.tokens ? token.tokens.flatMap(keysOf) : [];
}

/** What a reader sees of a block. */
function plainText(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return '';
  if (token.type === 'code') return token.text;
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => textOf(tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? String(token.text) : '';
}
