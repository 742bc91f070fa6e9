import assert from 'node:assert/strict';
import { test } from 'node:test';
import { condenseScheduler, nodesInWords } from '../../../../src/message/phrases/workloads/scheduler.ts';

test('the scheduler’s sentence is cut to its obstacles', () => {
  const text =
    '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient memory. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.';
  assert.equal(condenseScheduler(text), '1 node(s) had untolerated taint(s), 2 Insufficient memory');
  assert.equal(
    condenseScheduler('running PreBind plugin "VolumeBinding": timed out'),
    'running PreBind plugin "VolumeBinding": timed out',
  );
});

/** Obstacles as kube-scheduler writes them, and what people read. */
const sentences: Readonly<Record<string, string | undefined>> = {
  '0/1 nodes are available: 1 Insufficient cpu.': 'the only node has too little CPU left',
  '0/2 nodes are available: 2 Insufficient memory.': 'both nodes have too little memory left',
  '0/3 nodes are available: 3 Too many pods.': 'all 3 nodes have as many pods as they may have',
  '0/6 nodes are available: 6 Insufficient nvidia.com/gpu.': 'all 6 nodes have too little nvidia.com/gpu left',
  '0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had untolerated taint {dedicated: db}. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.':
    'of 3 nodes 1 is cordoned and 2 have the taint dedicated=db, which the pod does not tolerate',
  '0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }.':
    'all 3 nodes have the taint node.kubernetes.io/disk-pressure, which the pod does not tolerate',
  "0/3 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) didn't match pod affinity rules, 1 node(s) didn't match pod topology spread constraints.":
    'of 3 nodes 1 has a pod that this one must not be with, 1 has none of the pods that this one wants to be with and 1 would break its topology spread constraints',
  "0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 1 node(s) exceed max volume count.":
    'of 2 nodes 1 has its host port in use and 1 has as many volumes as it can attach',
  "0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity.":
    'none of the 3 nodes is where its volume is',
  // What nobody knows is quoted as a whole.
  '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) are haunted.': undefined,
  'running PreBind plugin "VolumeBinding": timed out': undefined,
  'no nodes available to schedule pods': undefined,
};

for (const [said, words] of Object.entries(sentences))
  test(`the scheduler says in words: ${words ?? `nothing of ${said}`}`, () => assert.equal(nodesInWords(said), words));
