import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreath } from '../../src/kube/sleep.ts';

test('whoever hands many objects over lets others have their turn, each time it has been enough of them', async () => {
  const breathe = createBreath();
  let turns = 0;
  const due = (): void => void setImmediate(() => turns++);
  due();
  await breathe(20);
  assert.equal(turns, 0, 'not yet');
  await breathe(20);
  assert.equal(turns, 1);
  due();
  await breathe(20);
  assert.equal(turns, 1, 'counted anew');
  await breathe(250);
  assert.equal(turns, 2);
});
