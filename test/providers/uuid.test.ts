import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidOf } from '../../src/providers/kit.ts';

test('a UUID follows from its text and has the form of version 4', () => {
  const made = Array.from({ length: 64 }, (_, index) => uuidOf(`text ${index}`));
  for (const uuid of made) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(made).size, 64);
  assert.equal(uuidOf('text 1'), made[1]);
});
