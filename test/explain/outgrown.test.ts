import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, workload } from '../world/objects.ts';
import { app, long, podOf, replicaSet, stuck, twoNodes } from './proof.ts';
import { house } from './raw.ts';

const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
const conditions = [condition('Available', 'False', at(1, 5), 'MinimumReplicasUnavailable')];

test('a workload whose Pods have what they waited for stays with that until its own status has followed', () => {
  const k8s = house();
  const missing = stuck(at(1), 'CreateContainerConfigError', 'secret "db" not found');
  const using = (name: string, parts: object) => {
    const valueFrom = { secretKeyRef: { name: 'db', key: 'password' } };
    const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'PASSWORD', valueFrom }] }] };
    return podOf(name, 'a', { spec, ...parts });
  };
  const roots = (): string[] => k8s.explain().map(({ root }) => root.ref);
  k8s.put(long, ...twoNodes, ...['api', 'late'].flatMap((name) => app(name)));
  k8s.wait(at(0));
  k8s.put(at(1), using('api', missing), using('late', missing));
  k8s.put(at(1, 5), workload('Deployment', 'late', { ...none, conditions }), replicaSet('late', 1, none));
  k8s.wait(at(3));
  assert.deepEqual(roots(), ['Secret/shop/db']);
  k8s.put(at(4), using('api', {}), using('late', {}));
  k8s.wait(at(4, 40));
  assert.deepEqual(
    roots().filter((root) => root.startsWith('Deployment')),
    [],
    'its Pod serves, and its status says so in a moment',
  );
  k8s.wait(at(15));
  assert.deepEqual(roots(), ['Deployment/shop/late'], 'what stays short is told by itself in the end');
});

test('a workload that is found to be short only when all its Pods serve again belongs to what these waited for', () => {
  const k8s = house();
  const missing = stuck(at(1), 'CreateContainerConfigError', 'secret "db" not found');
  const using = (name: string, parts: object) => {
    const valueFrom = { secretKeyRef: { name: 'db', key: 'password' } };
    const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'PASSWORD', valueFrom }] }] };
    return podOf(name, 'a', { spec, ...parts });
  };
  const ready = { conditions: [condition('Ready', 'True', at(2, 22))] };
  k8s.put(long, ...twoNodes, ...['api', 'late'].flatMap((name) => app(name)));
  k8s.wait(at(0));
  k8s.put(at(1), using('api', missing), using('late', missing));
  k8s.put(at(1, 5), workload('Deployment', 'late', { ...none, conditions }), replicaSet('late', 1, none));
  k8s.wait(at(2));
  k8s.put(at(2, 22), using('api', ready), using('late', ready));
  k8s.wait(at(2, 50));
  const [first, ...others] = k8s.explain();
  assert.deepEqual([first?.root.ref, others.length], ['Secret/shop/db', 0]);
  assert.deepEqual(
    first?.members.map(({ subject, reason }) => `${subject.ref} ${reason}`),
    ['Deployment/shop/late DeploymentUnavailable'],
  );
});
