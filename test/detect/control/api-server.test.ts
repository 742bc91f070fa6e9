import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { apiServer } from '../../world/control-objects.ts';
import { at, node, start } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'APIServer//kube-apiserver';
const fails = (answers: number, ...checks: { name: string; why?: string }[]): RawObject =>
  apiServer('v1.36.3', { since: at(0), answers, checks });
const etcd = { name: 'etcd' };

test('G17 fires: checks fail for a minute and in three answers, by their names', () => {
  const k8s = story('Pro');
  k8s.put(at(0), fails(1, etcd));
  k8s.put(at(0, 30), fails(2, etcd));
  k8s.wait(at(0, 59));
  assert.deepEqual(k8s.found(), []);
  k8s.put(at(1), fails(3, etcd, { name: 'poststarthook/rbac/bootstrap-roles' }));
  assert.deepEqual(k8s.found(), [`${ref} APIServerNotReady`]);
  assert.equal(k8s.finding(ref, 'APIServerNotReady').severity, 'critical');
  assert.equal(
    k8s.says(ref, 'APIServerNotReady'),
    'It says that it is not ready: etcd and poststarthook/rbac/bootstrap-roles fail, and it withholds why.',
  );
  k8s.put(at(2), fails(3, { name: 'etcd', why: 'context deadline exceeded' }));
  assert.equal(
    k8s.says(ref, 'APIServerNotReady'),
    'It says that it is not ready: etcd fails (etcd: context deadline exceeded).',
  );
});

test('G17 is quiet: one bad answer and silence after it, a start, a shutdown, and without a licence', () => {
  const silent = story('Pro');
  silent.put(at(0), fails(1, etcd));
  silent.wait(at(60));
  assert.deepEqual(silent.found(), []);

  const starting = story('Pro');
  starting.put(at(0), fails(2, { name: 'poststarthook/start-apiextensions-controllers' }));
  starting.put(at(1), apiServer('v1.36.3'));
  starting.wait(at(60));
  assert.deepEqual(starting.found(), []);

  const leaving = story('Pro');
  leaving.put(at(0), fails(3, { name: 'shutdown' }, { name: 'informer-sync' }));
  leaving.wait(at(60));
  assert.deepEqual(leaving.found(), []);

  const community = story();
  community.put(at(0), fails(3, etcd));
  community.wait(at(60));
  assert.deepEqual(community.found(), []);
});

test('G17 clears: all checks pass; not when it cannot be asked any more', () => {
  const k8s = story('Pro');
  k8s.put(at(0), fails(3, etcd));
  k8s.wait(at(1));
  k8s.see('APIServer', 'Denied', at(2));
  k8s.wait(at(10));
  assert.deepEqual(k8s.found(), [`${ref} APIServerNotReady`]);
  k8s.see('APIServer', 'Watching', at(11));
  k8s.put(at(11), apiServer('v1.36.3'));
  assert.deepEqual(k8s.found(), []);
});

const dayMs = 86_400_000;
const later = (days: number): number => start + days * dayMs;

/** A Node with a kubelet of this version, some days old. */
function runs(name: string, kubeletVersion: string, parts: { days?: number; pool?: string; spec?: object } = {}) {
  const raw = node(name, {
    createdAt: start - (parts.days ?? 90) * dayMs,
    ...(parts.pool !== undefined && { labels: { 'cloud.google.com/gke-nodepool': parts.pool } }),
    ...(parts.spec && { spec: { ...parts.spec } }),
  });
  const { status } = raw;
  return { ...raw, status: { ...(typeof status === 'object' && status), nodeInfo: { kubeletVersion } } };
}

test('N20 fires: kubelets that are too old or newer, after a day, in one finding', () => {
  const k8s = story();
  k8s.put(at(0), apiServer('v1.36.3'), runs('n1', 'v1.32.9'), runs('n2', 'v1.37.0'), runs('n3', 'v1.33.1'));
  k8s.wait(later(0.9));
  assert.deepEqual(k8s.found(), []);
  k8s.wait(later(1.1));
  assert.deepEqual(k8s.found(), [`${ref} VersionSkew`]);
  assert.equal(
    k8s.says(ref, 'VersionSkew'),
    'Its version (v1.36.3) does not support the kubelet (v1.32.9 and v1.37.0) of 2 nodes (n1 and n2).',
  );
});

test('N20 fires: before 1.28 two versions, not three', () => {
  const k8s = story();
  k8s.put(at(0), apiServer('v1.27.16-gke.100'), runs('n1', 'v1.24.17'), runs('n2', 'v1.25.16'));
  k8s.wait(later(1.1));
  assert.match(k8s.says(ref, 'VersionSkew'), /of 1 node \(n1\)\.$/);
});

test('N20 is quiet: three versions older, an upgrade on its way, Nodes that are drained, an unknown version', () => {
  for (const raws of [
    [apiServer('v1.36.3'), runs('n1', 'v1.33.0'), runs('n2', 'v1.36.3')],
    [apiServer('v1.36.3'), runs('n1', 'v1.32.0', { spec: { unschedulable: true } })],
    [apiServer(''), runs('n1', 'v1.20.0')],
    [apiServer('v1.36.3'), runs('n1', 'unknown')],
  ]) {
    const k8s = story();
    k8s.put(at(0), ...raws);
    k8s.wait(later(3));
    assert.deepEqual(
      k8s.found().filter((found) => found.endsWith('VersionSkew')),
      [],
    );
  }

  const upgraded = story();
  upgraded.put(at(0), apiServer('v1.36.3'), runs('n1', 'v1.32.0', { pool: 'a' }), runs('n2', 'v1.32.0', { pool: 'a' }));
  upgraded.put(later(0.8), runs('n3', 'v1.33.0', { pool: 'a', days: -0.8 }));
  upgraded.wait(later(1.7));
  assert.deepEqual(upgraded.found(), []);
  // It has come to a halt.
  upgraded.wait(later(3));
  assert.deepEqual(upgraded.found(), [`${ref} VersionSkew`]);
});

test('N20 clears: the last of them is upgraded', () => {
  const k8s = story();
  k8s.put(at(0), apiServer('v1.36.3'), runs('n1', 'v1.32.9'));
  k8s.wait(later(1.1));
  assert.equal(k8s.found().length, 1);
  k8s.put(later(1.2), runs('n1', 'v1.36.1'));
  k8s.wait(later(1.3));
  assert.deepEqual(k8s.found(), []);
});
