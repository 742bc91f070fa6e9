import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { endpointSlice, ingress, service } from '../../world/network-objects.ts';
import { at, pod, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const hour = { createdAt: at(-60) };
const ref = 'Service/shop/api';
const template = { metadata: { labels: { app: 'api' } }, spec: { containers: [{ name: 'api', image: 'api:1' }] } };
const deployment = (replicas: number, name = 'api'): RawObject =>
  workload('Deployment', name, { ...hour, replicas, spec: { replicas, template } });
const other = pod('web', hour);
const scaler: RawObject = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'api', namespace: 'shop', uid: 'hpa' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' }, minReplicas: 1, maxReplicas: 3 },
};
const routed = [service('api', hour), ingress('api', hour)];

test('W24 fires and clears: an Ingress leads to a Service whose only workload was scaled to 0 a quarter of an hour ago', () => {
  const { put, found, wait, finding, says } = story();
  put(at(-1), ...routed, deployment(1), pod('api', { ...hour, labels: { app: 'api' } }), endpointSlice('api'), other);
  put(at(0), deployment(0), endpointSlice('api', { ready: 0 }));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), [`${ref} ScaledToZeroRouted`]);
  assert.equal(finding(ref, 'ScaledToZeroRouted').severity, 'low');
  assert.equal(
    says(ref, 'ScaledToZeroRouted'),
    'Traffic from outside is routed to it, and Deployment shop/api behind it is scaled to 0.',
  );
  put(at(20), deployment(1));
  assert.equal(found().includes(`${ref} ScaledToZeroRouted`), false);
});

test('W24 is quiet: a Service inside the cluster, a namespace in which nothing runs, an autoscaler, the other colour of a release', () => {
  const empty = endpointSlice('api', { ready: 0 });
  for (const objects of [
    [service('api', hour), deployment(0), empty, other],
    [...routed, deployment(0), empty],
    [...routed, deployment(0), scaler, empty, other],
    [...routed, deployment(0), deployment(1, 'api-green'), empty, other],
    [...routed, deployment(0), endpointSlice('api'), other],
  ]) {
    const { put, found, wait } = story();
    put(at(0), ...objects);
    wait(at(60));
    assert.equal(found().includes(`${ref} ScaledToZeroRouted`), false);
  }
});
