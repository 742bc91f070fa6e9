/** Takes the pictures of docs/gallery from what the conformance suite has recorded. Needs a Chromium. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photograph } from './gallery/browser.ts';
import { fingerprintOf, madeFrom, pageOf } from './gallery/page.ts';
import { pictures } from './gallery/pictures.ts';

const wanted = new Set(process.argv.slice(2));
const folder = join(import.meta.dirname, '../docs/gallery');
const scratch = mkdtempSync(join(tmpdir(), 'gallery-'));
mkdirSync(folder, { recursive: true });
const made: Record<string, string> = existsSync(madeFrom) ? JSON.parse(readFileSync(madeFrom, 'utf8')) : {};
try {
  for (const picture of pictures.filter(({ name }) => wanted.size === 0 || wanted.has(name))) {
    const file = join(folder, `${picture.name}.png`);
    photograph(pageOf(picture), join(scratch, `${picture.name}.html`), file);
    made[picture.name] = fingerprintOf(picture);
    const known = pictures.flatMap(({ name }) => (made[name] === undefined ? [] : [[name, made[name]]]));
    writeFileSync(madeFrom, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
    console.log(`docs/gallery/${picture.name}.png: ${Math.ceil(statSync(file).size / 1024)} KB`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
