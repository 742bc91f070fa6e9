import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutated } from './mutations/mutant.ts';
import { mutations } from './mutations/table.ts';

test('each mutation of the table fits the file that it is of', () => {
  for (const mutation of mutations) assert.notEqual(mutated(mutation), '');
});
