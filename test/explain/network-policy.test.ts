import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../src/model/explanation.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { networkPolicy } from '../world/network-objects.ts';
import { at, managed } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, crashing, long, podOf, replicaSet, twoNodes, unready } from './proof.ts';
import { house } from './raw.ts';

type House = ReturnType<typeof house>;
const edited = ({ change }: Explanation): string => (change === undefined ? '' : `, ${change.field} edited`);
const told = (k8s: House): string[] => inShort(k8s.explain(), edited);

const labelsOf = (name: string) => ({ labels: { app: name } });
const pods = (name: string, parts: object = {}): RawObject[] =>
  ['a', 'b'].map((which) => podOf(name, which, { ...labelsOf(name), ...parts }));
const broken = (since: number) => ({ conditions: unready(since) });

/** The workloads of some names, whose Pods have served for an hour. */
function serving(...names: string[]): House {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name, labelsOf(name)), ...pods(name)]));
  k8s.wait(at(0));
  return k8s;
}

const denyAll = (parts: object = {}) =>
  networkPolicy('deny-all', {
    createdAt: at(1),
    managedFields: [managed('kubectl', at(1), { 'f:spec': {} })],
    spec: { podSelector: {}, ...parts },
  });
const byApi = 'Deployment/shop/api PodNotReady 2';
const byPolicy = 'NetworkPolicy/shop/deny-all PodNotReady 2, creation edited';

test('what is blamed is the policy: what was done to it, by whom, and whose traffic it restricts', () => {
  const k8s = serving('api');
  k8s.put(at(1), denyAll());
  k8s.put(at(2), ...pods('api', broken(at(2))));
  k8s.wait(at(12));
  const [only] = k8s.explain();
  assert.equal(only?.confidence, 'likely');
  const { change } = only ?? {};
  assert.deepEqual([change?.by, change?.parts], ['kubectl', ['all Pods of its namespace']]);
});

test('several workloads that fail alike after it make it sure', () => {
  const k8s = serving('api', 'web', 'cart');
  k8s.put(at(1), denyAll());
  for (const name of ['api', 'web', 'cart']) k8s.put(at(2), ...pods(name, broken(at(2))));
  k8s.wait(at(12));
  assert.deepEqual(told(k8s), ['NetworkPolicy/shop/deny-all PodNotReady 6, creation edited']);
  assert.equal(k8s.explain()[0]?.confidence, 'high');
});

test('what it does not select and fails as well speaks against it', () => {
  const k8s = serving('api', 'web');
  k8s.put(at(1), denyAll({ podSelector: { matchLabels: { app: 'api' } } }));
  for (const name of ['api', 'web']) k8s.put(at(2), ...pods(name, broken(at(2))));
  k8s.wait(at(12));
  assert.deepEqual(told(k8s), [byApi, 'Deployment/shop/web PodNotReady 2']);
});

test('Pods that failed before, or more than ten minutes after, are not its doing', () => {
  for (const since of [at(0, 50), at(12)]) {
    const k8s = serving('api');
    if (since < at(1)) k8s.put(since, ...pods('api', broken(since)));
    k8s.put(at(1), denyAll());
    k8s.wait(since);
    k8s.put(Math.max(since, at(1, 1)), ...pods('api', broken(since)));
    k8s.wait(at(25));
    assert.deepEqual(told(k8s), [byApi]);
  }
});

test('Pods of a rollout that never served are the release’s, though a policy came with it', () => {
  const k8s = serving('api');
  k8s.put(at(1), denyAll());
  const [deployment, old] = app('api', { ...labelsOf('api'), image: 'registry.example/shop/api:2', generation: 2 });
  assert.ok(deployment && old);
  k8s.put(at(1), deployment, replicaSet('api', 2, { replicas: 1, createdAt: at(1) }));
  k8s.put(at(1, 1), podOf('api', 'c', { revision: 2, createdAt: at(1, 1), ...labelsOf('api') }));
  const crash = crashing(at(1, 1), at(3), { unreadySince: at(1, 2) });
  k8s.put(at(3), podOf('api', 'c', { revision: 2, ...labelsOf('api'), ...crash }));
  k8s.wait(at(12));
  assert.deepEqual(told(k8s), ['Deployment/shop/api CrashLoopBackOff 1, image edited']);
});

test('one that adds to what isolates the Pods already can only let more through', () => {
  const k8s = serving('api');
  k8s.put(at(0, 1), networkPolicy('isolated', { createdAt: long, spec: { podSelector: {} } }));
  k8s.put(at(1), denyAll());
  k8s.put(at(2), ...pods('api', broken(at(2))));
  k8s.wait(at(12));
  assert.deepEqual(told(k8s), [byApi]);
});

test('a policy whose rules were tightened is blamed, one that lets more through is not', () => {
  const rule = (port: number) => ({ ports: [{ port, protocol: 'TCP' }] });
  const policy = (...ports: number[]) => denyAll({ ingress: ports.map(rule), policyTypes: ['Ingress'] });
  const hourOld = (raw: RawObject): RawObject => ({
    ...raw,
    metadata: { ...raw.metadata, creationTimestamp: '2026-06-01T09:00:00Z' },
  });
  for (const [before, after, root] of [
    [[80, 443], [80], 'NetworkPolicy/shop/deny-all PodNotReady 2, policy edited'],
    [[80], [80, 443], byApi],
  ] as const) {
    const k8s = house();
    k8s.put(long, ...twoNodes, ...app('api', labelsOf('api')), ...pods('api'));
    const old = hourOld(policy(...before));
    k8s.put(long, { ...old, metadata: { ...old.metadata, managedFields: [] } });
    k8s.wait(at(0));
    k8s.put(at(1), hourOld(policy(...after)));
    k8s.put(at(2), ...pods('api', broken(at(2))));
    k8s.wait(at(12));
    assert.deepEqual(told(k8s), [root]);
  }
});

test('Pods with the network of their Node are not concerned', () => {
  const k8s = house();
  const spec = { hostNetwork: true };
  k8s.put(long, ...twoNodes, ...app('api', labelsOf('api')), ...pods('api', { spec }));
  k8s.wait(at(0));
  k8s.put(at(1), denyAll());
  k8s.put(at(2), ...pods('api', { spec, ...broken(at(2)) }));
  k8s.wait(at(12));
  assert.deepEqual(told(k8s), [byApi]);
});

test('a policy that was made while nobody watched is known by its age', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('api', labelsOf('api')), ...pods('api'));
  k8s.put(at(3), denyAll(), ...pods('api', broken(at(2))));
  k8s.wait(at(12));
  assert.deepEqual(told(k8s), [byPolicy]);
});
