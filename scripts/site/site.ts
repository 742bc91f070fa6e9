import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';
import { buildSync } from 'esbuild';
import { layout, relativeHref, type Section } from './layout.ts';
import { htmlOf, readMarkdown } from './markdown.ts';
import type { Section as SearchSection } from './search.ts';
import { sectionsOf } from './search-index.ts';

/** Every Markdown page of the repository by its path, from the repository's top. */
export function pagesOf(root: string): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '' && !/(?:^|\/)(?:testdata|fixtures|golden)\//.test(path));
}

/** Where a link of a page leads within the repository: a path and a heading, or nothing for an address elsewhere. */
export function targetOf(page: string, href: string): { readonly path: string; readonly heading: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
  const [path = '', heading = ''] = href.split('#');
  return { path: path === '' ? page : normalize(join(page, '..', decodeURI(path))), heading };
}

/** Path of a file of the repository → its path on the site. */
export function sitePath(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
}

/** A file of the site: its path, and its text or the file of the repository that it is. */
type SiteFile = { readonly path: string } & ({ readonly text: string } | { readonly copyOf: string });

/** Builds the site into a folder, which is emptied first. Returns how many files were made. */
export function writeSite(root: string, folder: string): number {
  rmSync(folder, { recursive: true, force: true });
  const files = siteFiles(root);
  for (const file of files) {
    const path = join(folder, file.path);
    mkdirSync(join(path, '..'), { recursive: true });
    if ('text' in file) writeFileSync(path, file.text);
    else cpSync(join(root, file.copyOf), path, { recursive: true });
  }
  return files.length;
}

/** All files of the site. */
function siteFiles(root: string): readonly SiteFile[] {
  const pages = pagesOf(root);
  const known = new Set(pages);
  const copies = new Set<string>();
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const navigation = navigationOf('docs/README.md', text('docs/README.md'));
  const contributors = navigationOf('docs/contributing/README.md', text('docs/contributing/README.md'));
  const files = pages.map((page) => {
    const markdown = text(page);
    const path = sitePath(page);
    const body = htmlOf(markdown, (href) => {
      const target = targetOf(page, href);
      if (target === undefined) return href;
      if (!known.has(target.path)) copies.add(target.path);
      return `${relativeHref(path, sitePath(target.path))}${target.heading === '' ? '' : `#${target.heading}`}`;
    });
    const title = readMarkdown(markdown).headings.find(({ depth }) => depth === 1)?.text ?? page;
    const sections = page.startsWith('docs/contributing/') ? [...contributors, ...navigation] : navigation;
    return { path, text: layout({ path, title, body }, sections) };
  });
  return [
    ...files,
    { path: 'style.css', text: text('scripts/site/style.css') },
    { path: 'search-box.js', text: searchBox(root) },
    { path: 'search-index.js', text: `globalThis.tocsinIndex = ${JSON.stringify(searchIndex(root))};\n` },
    ...[...copies].map((path) => ({ path, copyOf: path })),
  ];
}

/** Every section of every page, as the search takes it. */
export function searchIndex(root: string): readonly SearchSection[] {
  return pagesOf(root)
    .filter((page) => page === 'README.md' || page.startsWith('docs/'))
    .flatMap((page) => sectionsOf(page, sitePath(page), readFileSync(join(root, page), 'utf8')));
}

/** The script of the search box, in one file that browsers run from the disk, too. */
function searchBox(root: string): string {
  const entryPoints = [join(root, 'scripts/site/search-box.js')];
  const { outputFiles } = buildSync({
    entryPoints,
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/** The navigation is an index of the documentation: a section for each of its headings, with the links that stand below it. */
function navigationOf(index: string, markdown: string): readonly Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split('\n')[0] ?? '',
      links: [...part.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].flatMap(([, text = '', href = '']) => {
        const path = targetOf(index, href)?.path;
        return path === undefined ? [] : [{ text: text.replaceAll('`', ''), path: sitePath(path) }];
      }),
    }));
}
