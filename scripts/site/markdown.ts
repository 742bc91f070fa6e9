import { renderMermaidSVG } from 'beautiful-mermaid';
import { Marked, type Token, type Tokens } from 'marked';

/** A heading with the ID that forges give it, by which links name it. */
export type Heading = { readonly depth: number; readonly text: string; readonly id: string };

/** A block of code: its language (empty when none is named) and its text. */
export type CodeBlock = { readonly language: string; readonly text: string };

/** What a page of Markdown holds. */
export type Markdown = {
  readonly headings: readonly Heading[];
  /** Targets of links and images, as written. */
  readonly links: readonly string[];
  readonly blocks: readonly CodeBlock[];
  /** What stands in code marks within a line. */
  readonly codes: readonly string[];
};

const plain = new Marked();

/** Reads a page. */
export function readMarkdown(markdown: string): Markdown {
  const headings: Heading[] = [];
  const links: string[] = [];
  const blocks: CodeBlock[] = [];
  const codes: string[] = [];
  const idOf = headingIds();
  // It returns what the visitor returns, which is nothing.
  void plain.walkTokens(plain.lexer(markdown), (token: Token) => {
    if (token.type === 'heading') {
      const { depth, tokens } = token as Tokens.Heading;
      const text = textOf(tokens);
      headings.push({ depth, text, id: idOf(text) });
    }
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href);
    if (token.type === 'code') blocks.push({ language: languageOf(token as Tokens.Code), text: token.text });
    if (token.type === 'codespan') codes.push(token.text);
  });
  return { headings, links, blocks, codes };
}

/** The page as HTML. `hrefOf`: where a link of the page leads on the site. */
export function htmlOf(markdown: string, hrefOf: (href: string) => string): string {
  const idOf = headingIds();
  const site = new Marked({
    renderer: {
      heading({ depth, tokens }: Tokens.Heading) {
        const id = idOf(textOf(tokens));
        const body = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${withoutLinks(body)}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escaped(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(hrefOf(href))}" alt="${escaped(text)}">`;
      },
      table(token: Tokens.Table) {
        const labels = token.header.map(({ tokens }) => textOf(tokens));
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map((cell, at) => cellOf(tag, labels[at] ?? '', this.parser.parseInline(cell.tokens))).join('');
        const head = token.header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
          : '';
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const kind = token.header.length > maxColumnsOnPhone ? ' class="cards"' : '';
        return `<div class="wide" tabindex="0"><table${kind}>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      code(token: Tokens.Code) {
        if (languageOf(token) === 'mermaid') return `<figure class="wide">${diagram(token.text)}</figure>\n`;
        const kind = languageOf(token) === 'text' ? ' class="text"' : '';
        return `<pre${kind} tabindex="0"><code>${escaped(token.text)}</code></pre>\n`;
      },
    },
  });
  return site.parse(markdown, { async: false });
}

/** Tables of more columns are cards on a phone, each cell with the name of its column. */
const maxColumnsOnPhone = 2;

function cellOf(tag: string, label: string, html: string): string {
  return tag === 'th' || label === ''
    ? `<${tag}>${html}</${tag}>`
    : `<${tag} data-label="${escaped(label)}">${html}</${tag}>`;
}

/** Text for HTML, also within an attribute. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** IDs as GitHub makes them: lower case, no punctuation, hyphens for spaces; of equal ones the later get a number. */
export function headingIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** The text that a reader sees. */
export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
}

function languageOf({ lang }: Tokens.Code): string {
  return (lang ?? '').split(/\s/)[0] ?? '';
}

/** A heading links to itself, so links within it would nest. */
function withoutLinks(html: string): string {
  return html.replace(/<\/?a\b[^>]*>/g, '');
}

/** The colours of a diagram, as variables of the style sheet: it follows the page into the dark. */
const colours = {
  ...{ bg: 'var(--paper)', fg: 'var(--ink)', transparent: true, line: 'var(--soft)', border: 'var(--soft)' },
  ...{ surface: 'var(--shade)', muted: 'var(--ink)', accent: 'var(--soft)' },
};

/** A diagram in the colours of the page, without the font that the renderer would fetch. */
function diagram(source: string): string {
  return renderMermaidSVG(source, colours)
    .replace(/@import url\([^)]*\);/, '')
    .replaceAll("'Inter', ", '');
}
