import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameSaid, lastWordsIn, shapeOf, speaksOf } from '../../../src/world/memory/last-words.ts';

test('the shape of a sentence is without the names, numbers and times in it', () => {
  const one = shapeOf('2026-03-01T10:00:00Z api-7f9c: seat count 51 of 50 used, giving up', ['Pod/shop/api-7f9c']);
  assert.equal(one, shapeOf('2026-03-02T11:30:00Z web-1: seat count 9 of 8 used, giving up', ['Pod/shop/web-1']));
  assert.equal(shapeOf('api gives up', ['Pod/shop/api-a']), '… gives up');
  assert.equal(
    shapeOf('login failed with password=hunter'),
    'login failed with password …',
    'nor with what is a secret',
  );
});

test('the last words are the last error, else the last line without a level, and none of what tells no failure', () => {
  const own = ['Pod/shop/api-a'] as const;
  assert.equal(lastWordsIn(['ERROR ledger is torn', 'shutting down'], own), 'error ledger is torn');
  assert.equal(lastWordsIn(['starting', 'ledger is torn', 'INFO bye'], own), 'ledger is torn');
  assert.equal(lastWordsIn(['INFO starting', 'WARN slow'], own), '');
});

test('two quote the same that have two words of weight side by side, whatever is around them', () => {
  const says = (line: string): string => shapeOf(line);
  assert.ok(isSameSaid(says('panic: Memory limit exceeded: would use 14 GiB'), says('Error: memory limit exceeded')));
  assert.ok(isSameSaid(says('err="Access Denied.\\nget file"'), says('S3 failed; message: Access Denied.')));
  assert.ok(!isSameSaid(says('seat count 51 of 50 used'), says('import file header row missing')));
  assert.ok(
    !isSameSaid(says('failed to start: bad shard'), says('failed to start: no licence')),
    'any program says that',
  );
});

test('words speak of an object by a word of its name', () => {
  assert.ok(speaksOf('Secret/login/session-key', shapeOf('the signing key has 19 characters')));
  assert.ok(!speaksOf('Secret/shop/common', shapeOf('import file header row missing')));
});
