import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, node, pod } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const mark = { key: 'maintenance', effect: 'NoExecute' };
const fast = { disks: 'nvme' };
const says =
  "0/3 nodes are available: 1 node(s) had untolerated taint {maintenance: }, 2 node(s) didn't match Pod's node affinity/selector.";

/** The Nodes that a Pod names which fits nowhere. */
function named(text: string, nodeSelector: Readonly<Record<string, string>>, ...nodes: ReturnType<typeof node>[]) {
  const { put, finding, wait } = story();
  const conditions = [condition('PodScheduled', 'False', at(0), 'Unschedulable', text)];
  const parts = { node: undefined, phase: 'Pending', statuses: [], createdAt: at(0) };
  put(at(0), ...nodes, pod('api-1', { ...parts, conditions, spec: { nodeSelector } }));
  wait(at(6));
  return finding('Pod/shop/api-1', 'Unschedulable').names;
}

test('P15 fires: the only Node that a Pod may go to by its labels is named for the taint that keeps the Pod away', () => {
  const others = [node('n1'), node('n2')];
  const marked = node('n3', { labels: fast, spec: { taints: [mark] } });
  assert.deepEqual(named(says, fast, ...others, marked), ['Node//n3']);
  assert.deepEqual(named(says, { disks: 'tape' }, ...others, marked), [], 'its affinity is not all that is known');
  const own = node('n3', {
    labels: fast,
    spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }] },
  });
  assert.deepEqual(named(says, fast, ...others, own), [], 'what Kubernetes puts there itself is told of the Node');
});

test('P15 fires: a Pod that has room on no Node names none for a taint', () => {
  const marked = node('n3', { labels: fast, spec: { taints: [mark] } });
  const text = `0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {maintenance: }, 1 node(s) didn't match Pod's node affinity/selector.`;
  assert.deepEqual(
    named(text, fast, node('n1'), node('n2', { labels: fast }), marked).filter((ref) => ref.startsWith('Node/')),
    [],
  );
});
