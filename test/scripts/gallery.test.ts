import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fingerprintOf, madeFrom } from '../../scripts/gallery/page.ts';
import { pictures } from '../../scripts/gallery/pictures.ts';

test('every picture of the gallery shows what is recorded now: else `make gallery`, and look at it', () => {
  const wanted = Object.fromEntries(pictures.map((picture) => [picture.name, fingerprintOf(picture)]));
  assert.deepEqual(JSON.parse(readFileSync(madeFrom, 'utf8')), wanted);
  const missing = pictures.filter(({ name }) => !existsSync(join(madeFrom, '..', `${name}.png`)));
  assert.deepEqual(missing, []);
});
