import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, budget, condition, node, pod } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const pdb = 'PodDisruptionBudget/shop/api';
const labels = { app: 'api' };
const owner = { kind: 'ReplicaSet', name: 'api-1' };
const pods = (on: string) => ['a', 'b', 'c'].map((name) => pod(`api-${name}`, { owner, labels, node: on }));
const allowsNothing = {
  conditions: [condition('DisruptionAllowed', 'False', at(0), 'InsufficientPods')],
  status: { disruptionsAllowed: 0, desiredHealthy: 3 },
  spec: { minAvailable: '100%' },
};
const cordoned = node('n1', { spec: { unschedulable: true } });

test('A8 fires: all that is left on a drained Node is held by a budget that can never allow a disruption', () => {
  const { put, found, finding, says, wait } = story('Pro');
  put(at(0), node('n1'), ...pods('n1'), budget('api', allowsNothing));
  put(at(0), pod('web', { owner: { kind: 'ReplicaSet', name: 'web' }, node: 'n1' }));
  put(at(1), cordoned);
  wait(at(20));
  assert.deepEqual(found(), []);
  put(at(20), pod('web', { owner: { kind: 'ReplicaSet', name: 'web' }, node: 'n2' }));
  wait(at(22));
  assert.deepEqual(found(), [`${pdb} PDBBlocksDrain`]);
  assert.equal(
    says(pdb, 'PDBBlocksDrain'),
    'It allows no disruption, which holds up the drain of node n1: 3 of 3 pods are healthy, and it asks for minAvailable: 100%.',
  );
  assert.equal(finding(pdb, 'PDBBlocksDrain').severity, 'high');
});

test('A8 fires: low after a day where nothing is drained; a drain is a finding of its own, since it began', () => {
  const { put, finding, found, wait } = story('Pro');
  put(at(0), node('n1'), ...pods('n1'), budget('api', allowsNothing));
  wait(at(23 * 60));
  assert.deepEqual(found(), []);
  wait(at(24 * 60));
  assert.equal(finding(pdb, 'PDBBlocksDrain').severity, 'low');
  put(at(25 * 60), cordoned);
  wait(at(25 * 60 + 2));
  const drain = finding(pdb, 'PDBBlocksDrain');
  assert.deepEqual([drain.severity, drain.scope, drain.since], ['high', 'n1', at(25 * 60)]);
});

test('A8 is quiet: a cordon is no drain, a drain within budget goes on, and DaemonSets stay', () => {
  const { put, found, wait } = story('Pro');
  put(
    at(0),
    cordoned,
    ...pods('n1'),
    budget('api', allowsNothing),
    pod('web', { node: 'n1', owner: { kind: 'ReplicaSet', name: 'web' } }),
  );
  wait(at(60));
  assert.deepEqual(found(), []);
  put(at(60), pod('web', { node: 'n1', owner: { kind: 'DaemonSet', name: 'web' } }), budget('api'));
  wait(at(120));
  assert.deepEqual(found(), []);
});

test('A8 clears: it allows a disruption', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), cordoned, ...pods('n1'), budget('api', allowsNothing));
  wait(at(5));
  assert.equal(found().length, 1);
  put(at(5), budget('api'));
  assert.deepEqual(found(), []);
});

const failed = {
  conditions: [condition('DisruptionAllowed', 'False', at(0), 'SyncFailed', 'found no controllers for pod "api-a"')],
  status: { disruptionsAllowed: 0 },
};

test('A9 fires: the controller cannot work it out', () => {
  const { put, says, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api', failed));
  wait(at(1, 15));
  assert.equal(
    says(pdb, 'PDBSyncFailed'),
    'It allows no disruption, because what it allows cannot be worked out: found no controllers for pod "api-a".',
  );
});

test('A9 is quiet: it is worked out at the next try', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api', failed));
  wait(at(1));
  put(at(1), budget('api'));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('A9 clears: the condition has another reason', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api', failed));
  wait(at(3));
  assert.equal(found().length, 1);
  put(at(3), budget('api'));
  assert.deepEqual(found(), []);
});

test('A10 fires: two budgets of the same Pods, and one that protects nothing', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api'), budget('all', { spec: { selector: {} } }));
  put(at(0), budget('gone', { spec: { selector: { matchLabels: { app: 'gone' } } }, status: { expectedPods: 0 } }));
  wait(at(59));
  assert.deepEqual(found(), []);
  wait(at(60));
  assert.equal(
    says(pdb, 'PDBOverlap'),
    'The budget all selects the same pods: pods with two budgets cannot be evicted at all.',
  );
  wait(at(24 * 60));
  assert.equal(
    says('PodDisruptionBudget/shop/gone', 'PDBSelectsNothing'),
    'It protects nothing: no pod matches its selector.',
  );
});

test('A10 is quiet: budgets of different Pods, and the minutes in which one replaces another', () => {
  const { put, gone, found, wait } = story('Pro');
  put(at(0), ...pods('n1'), pod('web', { labels: { app: 'web' } }), budget('api'), budget('web'));
  wait(at(30));
  const old = budget('old', { spec: { selector: { matchLabels: labels } } });
  put(at(30), old);
  wait(at(45));
  gone(at(45), old);
  wait(at(23 * 60));
  assert.deepEqual(found(), []);
});

test('A10 clears: they select different Pods', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api'), budget('all', { spec: { selector: {} } }));
  wait(at(61));
  assert.equal(found().length, 2);
  put(at(61), budget('all', { spec: { selector: { matchLabels: { app: 'web' } } } }));
  wait(at(62));
  assert.deepEqual(found(), []);
});

const short = { status: { currentHealthy: 1, desiredHealthy: 2, disruptionsAllowed: 0 }, spec: { minAvailable: 2 } };

test('A7 fires: fewer Pods are healthy than it asks for, for 10 min', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api'));
  put(at(1), budget('api', short));
  wait(at(10, 59));
  assert.deepEqual(found(), []);
  wait(at(11));
  assert.equal(
    says(pdb, 'PDBNotEnoughHealthy'),
    'It has 1 healthy pod and asks for 2 (minAvailable: 2): drains will wait.',
  );
});

test('A7 is quiet: a rollout, and a status of an older spec', () => {
  const { put, found, wait } = story('Pro');
  put(
    at(0),
    ...pods('n1'),
    budget('api', short),
    budget('old', { ...short, generation: 2, status: { ...short.status, observedGeneration: 1 } }),
  );
  wait(at(9));
  put(at(9), budget('api'));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('A7 clears: as many are healthy as it asks for', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), ...pods('n1'), budget('api', short));
  wait(at(11));
  assert.equal(found().length, 1);
  put(at(11), budget('api'));
  assert.deepEqual(found(), []);
});
