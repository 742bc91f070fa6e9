import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, pod } from '../world/objects.ts';
import { watchedCluster } from './cluster.ts';
import { crashed, long, nodes } from './shop.ts';

test('what fails in a Pod of a workload of another group is told as that workload', () => {
  const k8s = watchedCluster();
  const parts = { owner: { kind: 'StatefulSet', name: 'db', apiVersion: 'apps.kruise.io/v1beta1' }, createdAt: long };
  k8s.put(long, ...nodes, pod('db-0', parts));
  k8s.start(at(0));
  k8s.put(
    at(10, 5),
    pod('db-0', { ...parts, statuses: crashed(1)(at(10)), conditions: [condition('Ready', 'False', at(10))] }),
  );
  k8s.wait(at(30));
  const [{ title = '' } = {}] = k8s.told().slice(-1);
  assert.equal(title, 'StatefulSet shop/db crashes: exit code 1');
});
