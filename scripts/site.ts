/** Builds the documentation as a site into dist/site: every Markdown page in one layout, without anything from elsewhere. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { siteFiles } from './site/site.ts';

const root = resolve(import.meta.dirname, '..');
const site = join(root, 'dist/site');

rmSync(site, { recursive: true, force: true });
const files = siteFiles(root);
for (const file of files) {
  const path = join(site, file.path);
  mkdirSync(dirname(path), { recursive: true });
  if ('text' in file) writeFileSync(path, file.text);
  else cpSync(join(root, file.copyOf), path);
}
console.log(`${files.length} files in dist/site: open dist/site/index.html`);
