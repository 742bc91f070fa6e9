import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fingerprintOf, madeFrom, pictures } from '../../scripts/gallery/page.ts';

test('every picture of the gallery shows what is recorded now: else `make gallery`, and look at it', () => {
  const wanted = Object.fromEntries(pictures.map((picture) => [picture.type, fingerprintOf(picture)]));
  assert.deepEqual(JSON.parse(readFileSync(madeFrom, 'utf8')), wanted);
  const missing = pictures.filter(({ type }) => !existsSync(join(madeFrom, '..', `${type}.png`)));
  assert.deepEqual(missing, []);
});
