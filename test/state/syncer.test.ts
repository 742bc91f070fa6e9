import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Syncer } from '../../src/state/syncer.ts';
import { temporaryDirectory } from './stage.ts';

const mebibyte = 2 ** 20;

/** A syncer over an empty log, and how often it has moved the log into the file. */
function syncing(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const path = join(temporaryDirectory(t), 'log');
  writeFileSync(path, '');
  const seen = { checkpoints: 0, mayCheckpoint: true };
  const syncer = new Syncer({
    path,
    mayCheckpoint: () => seen.mayCheckpoint,
    checkpoint() {
      seen.checkpoints += 1;
    },
    failed: (error) => assert.fail(String(error)),
  });
  t.after(() => syncer.close());
  return { seen, syncer, pass: (milliseconds: number) => t.mock.timers.tick(milliseconds) };
}

test('the log is moved into the file once nothing is committed for half a second, and not for a little', (t) => {
  const { seen, syncer, pass } = syncing(t);
  syncer.committed(3 * mebibyte);
  pass(10_000);
  assert.equal(seen.checkpoints, 0);
  syncer.committed(mebibyte);
  for (let count = 0; count < 5; count += 1) {
    pass(400);
    syncer.committed(1);
  }
  assert.equal(seen.checkpoints, 0);
  pass(500);
  assert.equal(seen.checkpoints, 1);
  pass(10_000);
  assert.equal(seen.checkpoints, 1);
});

test('a large log is moved into the file even though nothing rests, but in no transaction', (t) => {
  const { seen, syncer, pass } = syncing(t);
  const commitFor = (mebibytes: number): void => {
    for (let count = 0; count < mebibytes; count += 1) {
      syncer.committed(mebibyte);
      pass(100);
    }
  };
  commitFor(15);
  assert.equal(seen.checkpoints, 0);
  seen.mayCheckpoint = false;
  commitFor(5);
  assert.equal(seen.checkpoints, 0);
  seen.mayCheckpoint = true;
  commitFor(1);
  assert.equal(seen.checkpoints, 1);
});
