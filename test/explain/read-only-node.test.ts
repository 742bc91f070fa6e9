import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../world/objects.ts';
import { ailing, app, long, podOf, replicaSet, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { saying } from './said.ts';

test('a release is not blamed beside a Node whose file system turned read-only, where the program says that it cannot write', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('web'), podOf('web', 'a'));
  k8s.wait(at(0));
  const [deployment] = app('web', { image: 'registry.example/shop/web:2', generation: 2 });
  if (deployment) k8s.put(at(0), deployment);
  k8s.put(at(0), replicaSet('web', 2, { createdAt: at(0), replicas: 1 }));
  k8s.put(at(1), ailing('ReadonlyFilesystem', at(1)));
  const words = 'open /var/cache/web/index: read-only file system';
  k8s.put(at(2), podOf('web', 'b', { ...saying(at(0), at(2), words), revision: 2 }));
  // That it is not ready is told of as well by then: it follows from that it ends.
  for (const minute of [5, 20]) {
    k8s.wait(at(minute));
    assert.deepEqual(
      k8s.explain().map(({ root }) => root.ref),
      ['Node//n1'],
    );
  }
  const [node] = k8s.explain();
  assert.ok(node?.members.some(({ reason }) => reason === 'PodNotReady'));
});
