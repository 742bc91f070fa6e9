import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at } from '../world/objects.ts';
import { app, crashing, long, outage, podOf, twoNodes, unready } from './proof.ts';
import { house } from './raw.ts';

const labels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long });
const slice = (ready: number) => endpointSlice('kube-dns', { namespace: 'kube-system', ready, unready: 2 - ready });

/** Cluster DNS is down for a minute and a half, and a workload is unavailable since then, which is found only when it is over. */
function recovering() {
  const k8s = house();
  k8s.put(long, ...twoNodes, dns, slice(2), ...app('api'), podOf('api', 'a'));
  k8s.wait(at(0));
  k8s.put(at(1), slice(0));
  k8s.put(at(1, 5), podOf('api', 'a', { conditions: unready(at(1, 5)) }), ...app('api', outage(at(1, 5))));
  k8s.wait(at(2, 15));
  assert.deepEqual(k8s.told, ['open Service/kube-system/kube-dns Settled → oncall']);
  k8s.put(at(2, 15), slice(2));
  return k8s;
}

test('what cluster DNS has taken down and is found only after it answers again gets the time to recover', () => {
  const k8s = recovering();
  k8s.wait(at(5));
  k8s.put(at(5), podOf('api', 'a'), ...app('api'));
  k8s.wait(at(30));
  assert.deepEqual(k8s.told.slice(1), ['resolve Service/kube-system/kube-dns HeldGood → oncall']);
});

test('what does not recover after cluster DNS has is told', () => {
  const k8s = recovering();
  k8s.put(at(3), podOf('api', 'a', crashing(long, at(1, 5))));
  k8s.wait(at(30));
  assert.equal(k8s.told.filter((told) => told.startsWith('open Deployment/shop/api')).length, 1, k8s.told.join('\n'));
});

test('what begins to crash after cluster DNS answers again is not its doing', () => {
  const k8s = recovering();
  k8s.put(at(2, 20), podOf('api', 'a'), ...app('api'));
  k8s.wait(at(4));
  k8s.put(at(4), podOf('api', 'a', crashing(at(3, 20), at(4))));
  k8s.wait(at(9));
  assert.ok(k8s.told.includes('open Deployment/shop/api Settled → oncall'), k8s.told.join('\n'));
  assert.ok(!k8s.told.some((told) => told.startsWith('reopen')), k8s.told.join('\n'));
});
