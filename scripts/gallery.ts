/** Takes the pictures of docs/gallery from what the conformance suite has recorded. Needs a Chromium. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { photographer } from './gallery/browser.ts';
import { fingerprintOf, madeFrom, pageOf } from './gallery/page.ts';
import { pictures } from './gallery/pictures.ts';

const wanted = new Set(process.argv.slice(2));
const folder = join(import.meta.dirname, '../docs/gallery');
mkdirSync(folder, { recursive: true });
const made: Record<string, string> = existsSync(madeFrom) ? JSON.parse(readFileSync(madeFrom, 'utf8')) : {};
const { photograph, close } = await photographer();
try {
  for (const picture of pictures.filter(({ name }) => wanted.size === 0 || wanted.has(name))) {
    await photograph(pageOf(picture), `${folder}/${picture.name}.png`);
    made[picture.name] = fingerprintOf(picture);
    const known = pictures.flatMap(({ name }) => (made[name] === undefined ? [] : [[name, made[name]]]));
    writeFileSync(madeFrom, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
    console.log(
      `docs/gallery/${picture.name}.png: ${Math.ceil(statSync(`${folder}/${picture.name}.png`).size / 1024)} KB`,
    );
  }
} finally {
  await close();
}
