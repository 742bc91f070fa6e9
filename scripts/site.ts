/** Builds the documentation as a site into dist/site: every Markdown page in one layout, without anything from elsewhere. */
import { join, resolve } from 'node:path';
import { writeSite } from './site/site.ts';

const root = resolve(import.meta.dirname, '..');
const count = writeSite(root, join(root, 'dist/site'));
console.log(`${count} files in dist/site: open dist/site/index.html`);
