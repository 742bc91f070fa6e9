import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, cluster, inShort } from './helpers.ts';

const settings = 'ConfigMap/shop/settings';

/** A workload that was started anew at 20, whose container ended last at an instant (seconds), and crashes since 30. */
function crashing(endedAt: number) {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 1, ready: 0 });
  const last = { exitCode: 1, reason: 'Error', message: '', startedAt: at(endedAt - 3), finishedAt: at(endedAt) };
  const state = { name: 'api', image: 'api', ready: false, restarts: 6, last };
  const [pod] = k8s.pods('shop/api', 1, { created: 20, ready: false, containers: [state] });
  assert.ok(pod);
  k8s.find(pod, 'CrashLoopBackOff', { since: 30, scope: 'api' });
  return { k8s, pod };
}

/** It crashes since a ConfigMap that it uses was edited at 10; at 600 it does not use that any more. */
function undone(endedAt: number) {
  const { k8s, pod } = crashing(endedAt);
  k8s.link(pod, 'uses', settings);
  k8s.change(settings, 'data', 10);
  assert.deepEqual(inShort(k8s.explain(500)), [`${settings} CrashLoopBackOff 1`]);
  k8s.unlink(pod, 'uses');
  k8s.setReady(pod, false, 600);
  return { k8s, pod };
}

test('what waits in its back-off when an edit is undone is still that edit’s, and nobody else is blamed', () => {
  const { k8s } = undone(580);
  const [explanation] = k8s.explain(600);
  assert.equal(explanation?.root.ref, settings);
  assert.equal(explanation?.awaits, at(600 + 13 * 60));
  assert.deepEqual(inShort(k8s.explain(600 + 12 * 60)), [`${settings} CrashLoopBackOff 1`]);
  assert.deepEqual(inShort(k8s.explain(600 + 13 * 60)), ['Deployment/shop/api CrashLoopBackOff 1']);
});

test('what crashes anew after an edit was undone is its own soon, and not waited for', () => {
  const { k8s } = undone(650);
  k8s.explain(600);
  const [explanation] = k8s.explain(660);
  assert.equal(explanation?.root.ref, settings);
  assert.equal(explanation?.awaits, undefined);
  assert.deepEqual(inShort(k8s.explain(660 + 6 * 60)), ['Deployment/shop/api CrashLoopBackOff 1']);
});

test('what serves again after an edit was undone is history, until it crashes anew', () => {
  const { k8s, pod } = undone(580);
  k8s.explain(600);
  k8s.setReady(pod, true, 620);
  assert.deepEqual(inShort(k8s.explain(620)), []);
  const { k8s: other, pod: again } = undone(650);
  other.explain(600);
  other.setReady(again, true, 660);
  assert.deepEqual(inShort(other.explain(660)), [`${settings} CrashLoopBackOff 1`]);
});
