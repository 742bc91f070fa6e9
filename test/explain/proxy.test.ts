import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, workload } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, long, podOf, replicaSet, stuck, twoNodes } from './proof.ts';
import { house } from './raw.ts';

const through = (what: string): string =>
  `failed to pull image "registry.example/shop/x:2": Head "https://registry.example/v2/": ${what}`;
const refused = through('proxyconnect tcp: dial tcp 10.20.0.5:3128: connect: connection refused');

/** Workloads are released at 0, and the images of their new Pods do not come. */
function releasing(says: string, ...names: readonly string[]): readonly string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
  k8s.wait(at(-1));
  for (const name of names) {
    const image = `registry.example/shop/${name}:2`;
    k8s.put(at(0), workload('Deployment', name, { replicas: 2, createdAt: long, image, generation: 2 }));
    k8s.put(at(0), replicaSet(name, 2, { replicas: 2, createdAt: at(0) }), replicaSet(name, 1, { replicas: 0 }));
    k8s.put(at(0, 1), podOf(name, 'b', { revision: 2, ...stuck(at(0, 2), 'ImagePullBackOff', says) }));
  }
  k8s.wait(at(4));
  return inShort(k8s.explain(), ({ change }) => (change === undefined ? '' : `, ${change.field} edited`));
}

test('the proxy of the machines is blamed for what no release of two workloads can get through it', () => {
  assert.deepEqual(releasing(refused, 'api', 'web'), [
    'ExternalEndpoint//10.20.0.5:3128 ExternalEndpointUnreachable 3',
  ]);
});

test('one release that gets nothing through the proxy is not blamed for that', () => {
  assert.deepEqual(releasing(refused, 'api'), ['Deployment/shop/api ImagePullBackOff 1']);
});

test('a release whose registry refuses connections is blamed as before', () => {
  assert.deepEqual(releasing(through('dial tcp 10.0.0.9:443: connect: connection refused'), 'api'), [
    'Deployment/shop/api ImagePullBackOff 1, image edited',
  ]);
});
