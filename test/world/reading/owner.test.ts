import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerOf } from '../../../src/world/reading/owner.ts';

/** Whom an object of a namespace is read to be owned by, that says this of its controller. */
const owner = (apiVersion: string, kind: string, name = 'x') =>
  ownerOf({ ownerReferences: [{ apiVersion, kind, name, uid: 'u', controller: true }] }, 'team');

test('an object belongs to what keeps objects in Kubernetes, and to kinds of other projects', () => {
  assert.equal(owner('apps/v1', 'ReplicaSet'), 'ReplicaSet/team/x');
  assert.equal(owner('batch/v1', 'Job'), 'Job/team/x');
  assert.equal(owner('v1', 'Node'), 'Node//x');
  assert.equal(owner('argoproj.io/v1alpha1', 'Rollout'), 'Rollout.argoproj.io/team/x');
  assert.equal(owner('apps.kruise.io/v1beta1', 'StatefulSet'), 'StatefulSet.apps.kruise.io/team/x');
  assert.equal(owner('postgresql.cnpg.io/v1', 'Cluster'), 'Cluster.postgresql.cnpg.io/team/x');
  assert.equal(owner('example.com/v1', 'Node'), 'Node.example.com/team/x');
  assert.equal(owner('jobset.x-k8s.io/v1alpha2', 'JobSet'), 'JobSet.jobset.x-k8s.io/team/x');
});

test('an object that says it belongs to what owns nothing, or cannot be, belongs to nobody', () => {
  const made: readonly (readonly [string, string, string?])[] = [
    ['v1', 'Cluster', 'nodes'],
    ['storage.k8s.io/v1', 'Cluster', 'nodes'],
    ['v1', 'Registry', 'registry.example'],
    ['v1', 'ExternalEndpoint', 'api.stripe.com'],
    ['any/v1', 'Zone', 'a'],
    ['v1', 'Namespace', 'kube-system'],
    ['v1', 'ReplicaSet'],
    ['node.k8s.io/v1', 'Node'],
    ['apps/v1', 'StatefulSet/shop', 'payments'],
    ['apps/v1', 'StatefulSet', '../shop/payments'],
    ['example.com/v1', 'StatefulSet/shop', 'payments'],
    ['example.com/v1', 'Ha.ha'],
    ['v1', 'constructor'],
  ];
  for (const [apiVersion, kind, name] of made) assert.equal(owner(apiVersion, kind, name), undefined, kind);
});

test('of several owners the controller counts, and without one nobody', () => {
  const references = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: 'u' }];
  assert.equal(ownerOf({ ownerReferences: references }, 'team'), undefined);
  const both = [...references, { apiVersion: 'batch/v1', kind: 'Job', name: 'y', uid: 'v', controller: true }];
  assert.equal(ownerOf({ ownerReferences: both }, 'team'), 'Job/team/y');
});
