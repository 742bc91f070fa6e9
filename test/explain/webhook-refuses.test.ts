import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service, slice, webhooks } from '../world/control-objects.ts';
import { at, condition, managed, workload } from '../world/objects.ts';
import { app, long, replicaSet, twoNodes } from './proof.ts';
import { house } from './raw.ts';

test('workloads that a webhook refuses are one incident with whoever scaled its workload to zero', () => {
  const k8s = house();
  const labels = { app: 'policy' };
  const policy = (replicas: number) =>
    app('policy', {
      ...{ labels, replicas, generation: 2 - replicas },
      spec: { replicas, template: { metadata: { labels }, spec: { containers: [] } } },
      managedFields: [managed('kubectl', replicas === 0 ? at(1) : long, { 'f:spec': { 'f:replicas': {} } })],
    });
  const guard = webhooks('ValidatingWebhookConfiguration', 'guard.example', { service: 'shop/policy' });
  k8s.put(long, ...twoNodes, ...policy(1), service('policy'), slice('policy', 1), guard);
  k8s.wait(at(0));
  k8s.put(at(1), ...policy(0), slice('policy', 0));
  const says = 'Internal error occurred: failed calling webhook "guard.example": no endpoints available';
  const refused = [condition('ReplicaFailure', 'True', at(1), 'FailedCreate', says)];
  const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
  for (const name of ['api', 'web'])
    k8s.put(at(1), workload('Deployment', name, none), replicaSet(name, 1, { ...none, conditions: refused }));
  k8s.wait(at(3));
  assert.deepEqual(
    k8s.explain().map(({ root }) => root.ref),
    ['Deployment/shop/policy'],
  );
  assert.equal(k8s.told.length, 1, k8s.told.join('\n'));
});
