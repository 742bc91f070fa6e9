import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, node } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

test('N1 fires and clears: a Node that says for 30 s that it is not ready is found; it is well after 3 minutes', () => {
  const { put, found, finding, wait } = story();
  put(at(0), node('n1', { ready: 'False', since: at(0) }));
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  assert.deepEqual(found(), ['Node//n1 NodeNotReady']);
  assert.equal(finding('Node//n1', 'NodeNotReady').clearHoldMs, 180_000);
  put(at(4), node('n1', { since: at(4) }));
  assert.deepEqual(found(), []);
});

test('N2 fires and clears: a Node that nothing is heard of is found after 20 s more', () => {
  const { put, found, finding, wait } = story();
  put(at(0), node('n1', { ready: 'Unknown', since: at(0), labels: { 'topology.kubernetes.io/zone': 'a' } }));
  wait(at(0, 20));
  assert.deepEqual(found(), ['Node//n1 NodeUnreachable']);
  assert.equal(finding('Node//n1', 'NodeUnreachable').facts.zone, 'a');
  put(at(1), node('n1', { since: at(1) }));
  assert.deepEqual(found(), []);
});

test('N1 N2 N5 is quiet: Nodes that are cordoned, drained, about to go or in maintenance are left alone', () => {
  const { put, found, wait } = story();
  const pressure = condition('DiskPressure', 'True', at(0));
  const bad = { ready: 'Unknown', since: at(0), conditions: [pressure] } as const;
  put(at(0), node('cordoned', { ...bad, spec: { unschedulable: true } }));
  put(at(0), node('spot', { ...bad, spec: { taints: [{ key: 'aws-node-termination-handler/spot-itn' }] } }));
  put(at(0), node('planned', { ...bad, conditions: [condition('MaintenanceInProgress', 'True')] }));
  put(at(0), node('going', { ...bad, deletionAt: at(0) }));
  wait(at(14));
  assert.deepEqual(found(), []);
});

test('N1 N6 fires, is quiet and clears: a young Node boots for 10 minutes', () => {
  const { put, found, wait } = story();
  const conditions = [condition('NetworkUnavailable', 'True', at(0))];
  put(at(0), node('n1', { createdAt: at(0), ready: 'False', since: at(0), conditions }));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), ['Node//n1 NodeNotReady', 'Node//n1 NetworkUnavailable']);
  put(at(11), node('n1', { createdAt: at(0), since: at(11) }));
  assert.deepEqual(found(), []);
});

test('N5 fires and clears: each pressure is found by its own reason after a minute; unknown conditions are not', () => {
  const { put, found, finding, wait } = story();
  const types = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'SomethingOK', 'KernelHasNoDeadlock'];
  put(at(0), node('n1', { conditions: types.map((type) => condition(type, 'True', at(0))) }));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found(), ['Node//n1 DiskPressure', 'Node//n1 MemoryPressure', 'Node//n1 PIDPressure']);
  assert.equal(finding('Node//n1', 'DiskPressure').clearHoldMs, 300_000);
  put(at(2), node('n1'));
  assert.deepEqual(found(), []);
});
