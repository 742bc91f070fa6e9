import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, ended, node, pod, waiting, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const owner = { kind: 'ReplicaSet', name: 'api' };
const lacksFile = pod('api-1', {
  ...{ owner, createdAt: at(-60), node: 'n1' },
  statuses: [
    waiting('api', 'CrashLoopBackOff', 'back-off 40s', {
      ...{ restartCount: 3, lastState: ended(at(1) - 1000, at(1), 127, 'Error') },
    }),
  ],
});

/** Whether the start error of a Pod on n1 is told of at once, beside these. */
function isConclusive(...siblings: ReturnType<typeof pod>[]): boolean {
  const { put, finding } = story();
  put(at(0), node('n1'), node('n2'), workload('ReplicaSet', 'api'), ...siblings);
  put(at(1), lacksFile);
  return finding('Pod/shop/api-1', 'StartError').conclusive;
}

test('P5 fires: a start error is told at once, unless Pods of the same template serve on other Nodes', () => {
  const there = { owner, createdAt: at(-60) };
  assert.equal(isConclusive(), true);
  assert.equal(isConclusive(pod('api-2', { ...there, node: 'n2' })), false);
  assert.equal(isConclusive(pod('api-2', { ...there, node: 'n1' })), true, 'it says nothing of another Node');
  const failing = pod('api-2', { ...there, node: 'n2', statuses: [waiting('api', 'CrashLoopBackOff')] });
  assert.equal(isConclusive(failing), true, 'it fails there as well');
});
