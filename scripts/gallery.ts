/** Takes the pictures of docs/gallery.md from what the conformance suite has recorded. Needs a Chromium; the page itself is generated. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photograph } from './gallery/browser.ts';
import { fingerprintOf, madeFrom, pageOf, pictures } from './gallery/page.ts';

const wanted = new Set(process.argv.slice(2));
const folder = join(import.meta.dirname, '../docs/gallery');
const scratch = mkdtempSync(join(tmpdir(), 'gallery-'));
mkdirSync(folder, { recursive: true });
const made: Record<string, string> = existsSync(madeFrom) ? JSON.parse(readFileSync(madeFrom, 'utf8')) : {};
try {
  for (const picture of pictures.filter(({ type }) => wanted.size === 0 || wanted.has(type))) {
    const file = join(folder, `${picture.type}.png`);
    photograph(pageOf(picture), join(scratch, `${picture.type}.html`), file);
    made[picture.type] = fingerprintOf(picture);
    const known = pictures.flatMap(({ type }) => (made[type] === undefined ? [] : [[type, made[type]]]));
    writeFileSync(madeFrom, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
    console.log(`docs/gallery/${picture.type}.png: ${Math.ceil(statSync(file).size / 1024)} KB`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
