/** Links of all Markdown files, and the site that is built of them. */
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { htmlOf, readMarkdown } from '../../scripts/site/markdown.ts';
import { pagesOf, sitePath, targetOf, writeSite } from '../../scripts/site/site.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = new Map(pagesOf(root).map((path) => [path, readMarkdown(readFileSync(join(root, path), 'utf8'))]));
const ids = new Map([...pages].map(([path, { headings }]) => [path, new Set(headings.map(({ id }) => id))]));

test('every relative link of every page leads to a file that is there, and every anchor to a heading', () => {
  const broken = [...pages].flatMap(([page, { links }]) =>
    links
      .filter((href) => {
        const target = targetOf(page, href);
        if (target === undefined) return false;
        const headings = ids.get(target.path);
        return !existsSync(join(root, target.path)) || (target.heading !== '' && !headings?.has(target.heading));
      })
      .map((href) => `${page}: ${href}`),
  );
  assert.deepEqual(broken, []);
});

test('every page that is not one of a list is named by the index of its section', () => {
  const linked = (index: string): readonly (string | undefined)[] =>
    pages.get(index)?.links.map((href) => targetOf(index, href)?.path) ?? [];
  const indexed = new Set([...linked('docs/README.md'), ...linked('docs/contributing/README.md'), 'docs/README.md']);
  const missing = [...pages.keys()].filter(
    (path) => path.startsWith('docs/') && !path.startsWith('docs/reference/providers/') && !indexed.has(path),
  );
  assert.deepEqual(missing, []);
});

test('the message on the first screen is one that Tocsin sends', () => {
  const [shown] = pages.get('README.md')?.blocks.filter(({ language }) => language === 'text') ?? [];
  const sent = pages.get('docs/contributing/messages.md')?.blocks.map(({ text }) => text) ?? [];
  assert.ok(shown && sent.includes(shown.text), 'take one of docs/contributing/messages.md as it stands there');
});

test('on the site every link leads to a file of it, and nothing is fetched from elsewhere', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-site-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  assert.ok(writeSite(root, folder) > pages.size);
  for (const path of globSync('**/*.html', { cwd: folder })) {
    const html = readFileSync(join(folder, path), 'utf8');
    for (const [, href = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const target = targetOf(path, href);
      if (target !== undefined) assert.ok(existsSync(join(folder, target.path)), `${path}: ${href}`);
    }
    const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    assert.equal(scripts.length, 1, path);
    assert.match(scripts[0] ?? '', /^<script src="(?:\.\.\/)*search-box\.js" data-root="(?:\.\.\/)*" defer>$/);
    assert.doesNotMatch(html, /@import|<(?:img|link|iframe)[^>]* (?:src|href)="(?:https?:)?\/\//, path);
  }
  assert.ok(existsSync(join(folder, 'index.html')) && existsSync(join(folder, 'docs/index.html')));
});

test('a page of Markdown becomes HTML with IDs that links can name, and nothing of a cluster’s text becomes markup', () => {
  const html = htmlOf(
    '# What `kubectl` *says*\n\n## Twice\n\n## Twice\n\n```text\n<b>bold</b>\n```\n\n[on](a.md#x)',
    (href) => href.replace('.md', '.html'),
  );
  assert.match(html, /<h1 id="what-kubectl-says">/);
  assert.match(html, /<h2 id="twice">[\s\S]*<h2 id="twice-1">/);
  assert.match(html, /&lt;b&gt;bold&lt;\/b&gt;/);
  assert.match(html, /<a href="a\.html#x">on<\/a>/);
});

test('a diagram is drawn into the page, in its colours', () => {
  const html = htmlOf('```mermaid\nflowchart LR\n  a[one] --> b[two]\n```', (href) => href);
  assert.match(html, /<svg[\s\S]*one[\s\S]*two[\s\S]*<\/svg>/);
  assert.match(html, /var\(--paper\)/);
});

test('paths of the site: an index for each README, and HTML for the rest', () => {
  assert.deepEqual(['README.md', 'docs/README.md', 'docs/install.md', 'docs/why.schema.json'].map(sitePath), [
    'index.html',
    'docs/index.html',
    'docs/install.html',
    'docs/why.schema.json',
  ]);
});
