import { escaped } from './markdown.ts';

/** A group of links in the navigation. */
export type Section = {
  readonly title: string;
  readonly links: readonly { readonly text: string; readonly path: string }[];
};

/** What the layout needs of a page. Paths are of the site, from its top. */
export type Page = { readonly path: string; readonly title: string; readonly body: string };

/** From a page to another path of the site, relative, so that the site works in any folder and from the disk. */
export function relativeHref(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${to}`;
}

/** The whole page. It works without scripts but for the search, and fetches nothing from elsewhere. */
export function layout({ path, title, body }: Page, sections: readonly Section[]): string {
  const href = (to: string) => escaped(relativeHref(path, to));
  const link = ({ text, path: to }: Section['links'][number]) =>
    `<li><a href="${href(to)}"${to === path ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`;
  const navigation = sections
    .map(({ title: heading, links }) => `<h2>${escaped(heading)}</h2>\n<ul>\n${links.map(link).join('\n')}\n</ul>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title === 'Tocsin' ? title : `${title} · Tocsin`)}</title>
<link rel="stylesheet" href="${href('style.css')}">
<script src="${href('search-box.js')}" data-root="${escaped(relativeHref(path, ''))}" defer></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${href('index.html')}">Tocsin</a> <a href="${href('docs/index.html')}">Documentation</a> <a class="to-pages" href="#pages">All pages</a>
<search hidden><input type="search" placeholder="Search  /" aria-label="Search these pages" autocomplete="off" spellcheck="false"><ol hidden></ol><p role="status"></p></search>
</header>
<div class="columns">
<main id="content">
${body}</main>
<nav id="pages" aria-label="All pages">
${navigation}
</nav>
</div>
</body>
</html>
`;
}
