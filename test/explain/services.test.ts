import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { kustomization } from '../world/custom-objects.ts';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at, condition, managed } from '../world/objects.ts';
import { app, crashing, long, outage, podOf, twoNodes, unready } from './proof.ts';
import { house } from './raw.ts';

const labels = { app: 'api' };
const labelled = { spec: { template: { metadata: { labels }, spec: { containers: [] } } } };
const exposed = { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
const balanced = (): RawObject => service('api', { createdAt: long, ...exposed });

/** A Deployment of two healthy Pods behind a Service. */
const healthy = (own: RawObject): RawObject[] => [
  ...app('api', labelled),
  ...[podOf('api', 'a', { labels }), podOf('api', 'b', { labels })],
  ...[own, endpointSlice('api', { ready: 2 })],
];

const empty = endpointSlice('api', { ready: 0, unready: 2 });

test('a crash that leaves a Service without endpoints is one incident, rooted at the workload', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...healthy(service('api', { createdAt: long })));
  k8s.wait(at(0));
  k8s.put(at(1), ...['a', 'b'].map((name) => podOf('api', name, { ...crashing(long, at(1)), labels })));
  k8s.put(at(1), empty, ...app('api', { ...labelled, ...outage(at(1)) }));
  k8s.wait(at(15));
  assert.equal(k8s.told.length, 1, k8s.told.join('\n'));
  const [only] = k8s.explain();
  assert.equal(k8s.explain().length, 1);
  assert.equal(only?.root.ref, 'Deployment/shop/api');
  assert.ok(only?.members.some(({ reason }) => reason === 'ServiceNoEndpoints'));
});

test('Pods that are not ready, a Deployment that is short and its Service are one incident, critical where traffic from outside is lost', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...healthy(balanced()));
  k8s.wait(at(0));
  k8s.put(at(1), ...['a', 'b'].map((name) => podOf('api', name, { labels, conditions: unready(at(1)) })));
  k8s.put(at(1), empty, ...app('api', { ...labelled, ...outage(at(1)) }));
  k8s.wait(at(10));
  const [only] = k8s.explain();
  assert.equal(k8s.explain().length, 1);
  assert.deepEqual([only?.root.ref, only?.severity], ['Deployment/shop/api', 'critical']);
  assert.equal(k8s.told.length, 1, k8s.told.join('\n'));
  assert.match(k8s.told[0] ?? '', /critical|Deployment\/shop\/api/);
});

test('a Service whose own selector is wrong is an incident of its own beside another of its namespace', () => {
  const k8s = house();
  const other = service('web', { createdAt: long, selector: { app: 'apii' } });
  k8s.put(long, ...twoNodes, ...healthy(service('other', { selector: undefined })));
  k8s.wait(at(0));
  k8s.put(at(1), other, endpointSlice('web', { ready: 0 }));
  k8s.put(at(1), podOf('api', 'a', { ...crashing(long, at(1)), labels }));
  k8s.wait(at(15));
  const roots = k8s.explain().map(({ root, reason }) => `${root.ref} ${reason}`);
  assert.deepEqual(roots.sort(), ['Deployment/shop/api CrashLoopBackOff', 'Service/shop/web ServiceSelectsNothing']);
});

test('a Service without endpoints whose Pods are healthy is its own root', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...healthy(service('api', { createdAt: long })));
  k8s.wait(at(0));
  k8s.put(at(1), endpointSlice('api', { ready: 0 }));
  k8s.wait(at(5));
  const roots = k8s.explain().map(({ root, reason }) => `${root.ref} ${reason}`);
  assert.deepEqual(roots, ['Service/shop/api ServiceNoEndpoints']);
});

test('when the workload is healthy again, so is its Service, and nothing is left of either', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...healthy(service('api', { createdAt: long })));
  k8s.wait(at(0));
  k8s.put(at(1), ...['a', 'b'].map((name) => podOf('api', name, { labels, conditions: unready(at(1)) })), empty);
  k8s.put(at(1), ...app('api', { ...labelled, ...outage(at(1)) }));
  k8s.wait(at(10));
  k8s.put(at(10), ...healthy(service('api', { createdAt: long })));
  k8s.wait(at(30));
  assert.deepEqual(k8s.explain(), []);
  assert.equal(k8s.told.length, 2, k8s.told.join('\n'));
});

const managers = (manager: string) => [{ ...managed(manager, at(1), { 'f:status': {} }), subresource: 'status' }];

test('custom resources that fail while their controller is down, which wrote their status, are one incident at the controller', () => {
  const ready = condition('Ready', 'True', long, 'Succeeded');
  const failing = condition('Ready', 'False', at(2), 'Failed', 'context deadline exceeded');
  const resource = (name: string, conditions: readonly object[], manager: string): RawObject => {
    const raw = kustomization(name, { createdAt: long, conditions: conditions.map((each) => ({ ...each })) });
    return { ...raw, metadata: { ...raw.metadata, managedFields: managers(manager) } };
  };
  for (const [manager, count] of [
    ['kustomize-controller', 1],
    ['another-controller', 3],
  ] as const) {
    const k8s = house();
    const controller = 'kustomize-controller';
    k8s.put(long, ...twoNodes, ...app(controller), podOf(controller, 'a'));
    k8s.put(long, ...['shop', 'infra'].map((name) => resource(name, [ready], manager)));
    k8s.wait(at(0));
    k8s.put(at(1), podOf(controller, 'a', crashing(long, at(1))), ...app(controller, outage(at(1))));
    k8s.put(at(2), ...['shop', 'infra'].map((name) => resource(name, [failing], manager)));
    k8s.wait(at(8));
    assert.equal(k8s.explain().length, count, manager);
    assert.ok(k8s.explain().some(({ root }) => root.ref === `Deployment/shop/${controller}`));
  }
});
