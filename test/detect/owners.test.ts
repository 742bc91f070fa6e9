import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, ended, node, pod, waiting, workload } from '../world/objects.ts';
import { story } from '../world/story.ts';

/** A Pod that has crashed often enough to be told, of an owner. */
function crashing(owner: { kind: string; name: string; apiVersion: string }) {
  const lastState = ended(at(4), at(4, 5));
  const statuses = [waiting('api', 'CrashLoopBackOff', 'back-off 5m0s', { restartCount: 7, lastState })];
  return pod('db-0', { owner, statuses });
}

const found = 'Pod/shop/db-0 CrashLoopBackOff';

for (const [kind, apiVersion] of [
  ['StatefulSet', 'apps.kruise.io/v1beta1'],
  ['DaemonSet', 'apps.kruise.io/v1alpha1'],
  ['Job', 'batch.volcano.sh/v1alpha1'],
  ['CloneSet', 'apps.kruise.io/v1alpha1'],
] as const)
  test(`a Pod of a ${kind} of ${apiVersion} is judged: its owner is not watched, which is not gone`, () => {
    const k8s = story();
    k8s.put(at(5), node('n1'), crashing({ kind, name: 'db', apiVersion }));
    assert.ok(k8s.found().includes(found), String(k8s.found()));
    assert.equal(k8s.world.topOwner('Pod/shop/db-0'), `${kind}.${apiVersion.split('/')[0]}/shop/db`);
  });

test('a Pod of a ReplicaSet of an Argo Rollout is judged', () => {
  const k8s = story();
  const rollout = { kind: 'Rollout', name: 'db', apiVersion: 'argoproj.io/v1alpha1' };
  k8s.put(at(5), node('n1'), workload('ReplicaSet', 'db-1', { owner: rollout }));
  k8s.put(at(5), crashing({ kind: 'ReplicaSet', name: 'db-1', apiVersion: 'apps/v1' }));
  assert.ok(k8s.found().includes(found));
  assert.equal(k8s.world.topOwner('Pod/shop/db-0'), 'Rollout.argoproj.io/shop/db');
});

test('a namesake of another group is nobody of the family', () => {
  const k8s = story();
  k8s.put(at(5), node('n1'), workload('StatefulSet', 'db', { status: { readyReplicas: 0 } }));
  k8s.put(at(5), crashing({ kind: 'StatefulSet', name: 'db', apiVersion: 'apps.kruise.io/v1beta1' }));
  assert.deepEqual([...k8s.world.linked('StatefulSet/shop/db', 'owned-by', 'in')], []);
  assert.ok(k8s.found().includes(found));
});

test('a Pod whose owner has gone is left to the garbage collector', () => {
  const k8s = story();
  k8s.put(at(5), node('n1'), crashing({ kind: 'StatefulSet', name: 'db', apiVersion: 'apps/v1' }));
  assert.deepEqual(k8s.found(), []);
});

/** A rollout whose new ReplicaSet could not be seen, since its watch had failed; its Pod crashes. */
function rolloutUnseen() {
  const k8s = story();
  const owner = { kind: 'Deployment', name: 'db' };
  k8s.put(at(0), node('n1'), workload('Deployment', 'db'), workload('ReplicaSet', 'db-1', { owner }));
  const crashed = crashing({ kind: 'ReplicaSet', name: 'db-2', apiVersion: 'apps/v1' });
  return { k8s, crashed };
}

test('a Pod of a ReplicaSet that came while the watch of ReplicaSets fails is judged: unseen is not gone', () => {
  const { k8s, crashed } = rolloutUnseen();
  k8s.see('ReplicaSet', 'Failing', at(4));
  k8s.put(at(5), crashed);
  assert.ok(k8s.found().includes(found));
});

test('a Pod that was taken for left behind is judged once it turns out that its owner may only be unseen', () => {
  const { k8s, crashed } = rolloutUnseen();
  k8s.put(at(5), crashed);
  assert.deepEqual(k8s.found(), []);
  k8s.see('ReplicaSet', 'Failing', at(5, 5));
  assert.ok(k8s.found().includes(found));
});

test('what was seen to go stays gone while the watch fails', () => {
  const { k8s, crashed } = rolloutUnseen();
  const replicaSet = workload('ReplicaSet', 'db-2', { owner: { kind: 'Deployment', name: 'db' } });
  k8s.put(at(3), replicaSet, crashed);
  k8s.gone(at(4), replicaSet);
  k8s.see('ReplicaSet', 'Failing', at(4, 5));
  assert.equal(k8s.world.get('ReplicaSet/shop/db-2'), 'absent');
  assert.deepEqual(k8s.found(), []);
});

test('a watch that fails and is back makes nobody look again but at what lacks its owner', () => {
  const { k8s, crashed } = rolloutUnseen();
  const pods = ['a', 'b', 'c'].map((name) => pod(name, { owner: { kind: 'ReplicaSet', name: 'db-1' } }));
  k8s.put(at(3), ...pods, crashed);
  const row = { source: 'replicasets.apps', kind: 'ReplicaSet', since: 0, required: false } as const;
  for (const [state, reason] of [
    ['Failing', 'ConnectionLost'],
    ['Watching', 'Synced'],
  ] as const)
    assert.deepEqual([...k8s.world.see({ ...row, state, reason }, at(4))], ['Pod/shop/db-0'], state);
});
