/** What the types are told in the tests is what the core tells now. UPDATE_GOLDEN=1 writes it, and then all golden requests. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { toldFile } from './notifications.ts';
import { tellAll } from './told/told.ts';

test('what the golden requests are made of is what the core tells', () => {
  const text = `${JSON.stringify(tellAll(), null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(toldFile, text);
  assert.equal(
    readFileSync(toldFile, 'utf8'),
    text,
    'stale: UPDATE_GOLDEN=1 on this file, then on conformance.test.ts',
  );
});
