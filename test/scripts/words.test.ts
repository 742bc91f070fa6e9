import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../scripts/words/list.ts';

test('a word of the list is named with what to write instead, and ordinary sentences pass', () => {
  assert.deepEqual(problemsOf('The token of a client does not do.', 'page'), ['"does not do.": does not work']);
  assert.equal(problemsOf('Who alerts must be watched from elsewhere.', 'page').length, 1);
  assert.deepEqual(problemsOf('You are notified again once it is fixed.', 'page'), []);
});

test('what only pages avoid may stand in a message', () => {
  assert.equal(problemsOf('You are told once.', 'page').length, 1);
  assert.deepEqual(problemsOf('You are told once.', 'message'), []);
  assert.equal(problemsOf('It was made anew.', 'message').length, 1);
});
