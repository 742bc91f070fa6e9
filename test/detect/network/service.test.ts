import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition, type PodParts, pod, stamp, start, status, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const labels = { app: 'api' };
const hour = { createdAt: at(-60) };
const ref = 'Service/shop/api';

/** A Pod of `api` that has run for an hour, and since when it is not ready. */
function member(name: string, unreadySince?: number, parts: PodParts = {}): RawObject {
  const ready = unreadySince === undefined;
  return pod(name, {
    ...hour,
    labels,
    statuses: [status('api', { ready, state: { running: { startedAt: stamp(at(-60)) } } })],
    conditions: [
      condition('Ready', ready ? 'True' : 'False', unreadySince ?? at(-60), ready ? '' : 'ContainersNotReady'),
    ],
    ...parts,
  });
}

const template = { template: { metadata: { labels }, spec: { containers: [{ name: 'api', image: 'api:1' }] } } };
const deployment = (replicas: number, parts: object = {}): RawObject =>
  workload('Deployment', 'api', { ...hour, replicas, spec: { replicas, ...template }, ...parts });

test('T1 fires and clears: a Service whose Pods are all unready is told after 100 s, and is well when one is ready', () => {
  const { put, found, finding, says, wait } = story();
  put(at(-1), service('api', hour), endpointSlice('api', { ready: 2 }), member('a'), member('b'));
  put(at(0), member('a', at(0)), member('b', at(0)), endpointSlice('api', { ready: 0, unready: 2 }));
  wait(at(1, 39));
  assert.deepEqual(
    found().filter((each) => each.startsWith('Service')),
    [],
  );
  wait(at(1, 40));
  assert.ok(found().includes(`${ref} ServiceNoEndpoints`));
  assert.equal(finding(ref, 'ServiceNoEndpoints').severity, 'high');
  assert.equal(says(ref, 'ServiceNoEndpoints'), 'Nothing answers behind the Service: none of its 2 pods is ready.');
  put(at(3), member('a'), endpointSlice('api', { ready: 1, unready: 1 }));
  assert.deepEqual(
    found().filter((each) => each.startsWith('Service')),
    [],
  );
});

test('T1 fires: where traffic from outside reaches it, it is critical', () => {
  const { put, finding, wait } = story();
  const spec = { type: 'LoadBalancer' };
  put(at(-1), service('api', { ...hour, spec, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }));
  put(at(0), member('a', at(0)), endpointSlice('api', { ready: 0, unready: 1 }));
  wait(at(2));
  assert.equal(finding(ref, 'ServiceNoEndpoints').severity, 'critical');
});

test('T1 fires: Pods that serve and are no endpoints are told after 20 s', () => {
  const { put, finding, says, wait } = story();
  put(at(0), service('api', hour), endpointSlice('api', { ready: 0 }), member('a'));
  wait(at(0, 20));
  const { conclusive } = finding(ref, 'ServiceNoEndpoints');
  assert.equal(conclusive, true);
  assert.equal(says(ref, 'ServiceNoEndpoints'), 'Nothing answers behind the Service, although a pod of it is ready.');
});

test('T1 is quiet: `ready` that nobody states means ready', () => {
  const { put, found, wait } = story();
  put(at(0), service('api'), endpointSlice('api', { endpoints: [{ addresses: ['10.1.0.1'], conditions: {} }] }));
  put(at(0), member('a'));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('T1 is quiet: what needs no Pods, or none now', () => {
  const none = endpointSlice('api', { ready: 0 });
  const kinds: Record<string, RawObject[]> = {
    'a workload that was scaled to 0': [service('api'), none, deployment(0)],
    'unready peers are published': [service('api', { spec: { publishNotReadyAddresses: true } }), none, deployment(2)],
    'somebody else writes its endpoints': [service('api', { selector: undefined }), none],
    'it is only a name': [service('api', { spec: { type: 'ExternalName', externalName: 'example.com' } }), none],
    'it stands for a lock': [
      service('api', { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }),
      none,
    ],
    'its slices are not seen': [service('api'), deployment(2, { createdAt: at(-60) })],
  };
  for (const [what, raws] of Object.entries(kinds)) {
    const { put, found, wait } = story();
    put(at(0), ...raws);
    wait(at(60));
    assert.deepEqual(
      found().filter((each) => each.startsWith('Service')),
      [],
      what,
    );
  }
});

test('T1 T4 is quiet: a rollout and a scale-up from 0 take their time', () => {
  const { put, found, wait } = story();
  const progressing = [condition('Progressing', 'True', at(0), 'ReplicaSetUpdated')];
  put(
    at(0),
    service('api'),
    deployment(2, { createdAt: at(0), status: { readyReplicas: 0 }, conditions: progressing }),
  );
  put(at(0), endpointSlice('api', { ready: 0, unready: 2 }), member('a', at(0)), member('b', at(0)));
  wait(at(9));
  assert.deepEqual(
    found().filter((each) => each.startsWith('Service')),
    [],
  );
});

test('T1 T2 T3 T4 T18 is quiet and does not clear: while EndpointSlices or Pods cannot be seen, nothing is found and nothing is over', () => {
  const { put, see, found, wait } = story();
  put(at(0), service('api', hour), endpointSlice('api', { ready: 0, unready: 1 }), member('a', at(0)));
  wait(at(2));
  const before = found();
  assert.ok(before.includes(`${ref} ServiceNoEndpoints`));
  const { put: putBlind, see: seeBlind, found: foundBlind, wait: waitBlind } = story();
  seeBlind('EndpointSlice', 'Denied', at(0));
  seeBlind('Pod', 'Denied', at(0));
  putBlind(at(0), service('api', hour));
  waitBlind(at(60 * 48));
  assert.deepEqual(foundBlind(), []);
  see('Service', 'Denied', at(3));
  wait(at(9));
  assert.ok(found().includes(`${ref} ServiceNoEndpoints`));
});

test('T2 fires and clears: a label that differs by a slip of the pen is told within 30 s, with both', () => {
  const { put, found, finding, says, wait } = story();
  const front = { app: 'web', tier: 'frontend' };
  put(at(0), pod('web-1', { labels: front }), service('web', { selector: { app: 'web', tier: 'front' } }));
  put(at(0), endpointSlice('web', { ready: 0 }));
  wait(at(0, 20));
  assert.deepEqual(found(), ['Service/shop/web ServiceSelectsNothing']);
  const { conclusive, severity } = finding('Service/shop/web', 'ServiceSelectsNothing');
  assert.deepEqual([conclusive, severity], [true, 'high']);
  assert.equal(
    says('Service/shop/web', 'ServiceSelectsNothing'),
    'The selector wants tier: front; the pods have tier: frontend.',
  );
  put(at(1), service('web', { selector: front }));
  assert.deepEqual(found(), []);
});

test('T2 fires: Pods that come after their Service are compared with it as well, by their first', () => {
  const { put, found, wait } = story();
  put(at(0), service('web', { selector: { app: 'checkout' } }), endpointSlice('web', { ready: 0 }));
  wait(at(5));
  assert.deepEqual(found(), []);
  put(at(5), workload('Deployment', 'checkout', { spec: { template: { metadata: { labels: { app: 'chekout' } } } } }));
  wait(at(5, 20));
  assert.deepEqual(found(), ['Service/shop/web ServiceSelectsNothing']);
});

test('T2 fires: a selector that is edited away from the Pods that it had is told within 30 s, and until it has some again', () => {
  const { load, put, found, finding, says, wait } = story();
  const api = { app: 'api' };
  load(at(0), pod('api-1', { labels: api }), service('api', { selector: api }));
  put(at(1), service('api', { selector: { app: 'apj' } }));
  wait(at(1, 20));
  assert.deepEqual(found(), ['Service/shop/api ServiceSelectsNothing']);
  assert.equal(finding('Service/shop/api', 'ServiceSelectsNothing').severity, 'high');
  assert.equal(
    says('Service/shop/api', 'ServiceSelectsNothing'),
    'The selector (app: apj) matches no pod; before it was edited it was app: api, and these pods are still there.',
  );
  wait(at(3 * 60));
  assert.deepEqual(found(), ['Service/shop/api ServiceSelectsNothing']);
  put(at(3 * 60), service('api', { selector: api }));
  assert.deepEqual(found(), []);
});

/** A Deployment of search whose Pods have these labels. */
const search = (labels: Record<string, string>, generation: number) =>
  workload('Deployment', 'search', { generation, spec: { template: { metadata: { labels } } } });
const v1 = { app: 'search', version: 'v1' };
const v2 = { app: 'search', version: 'v2' };

test('T2 fires: a release whose Pods have no longer the labels that a Service wants is told within 30 s, with both', () => {
  const { load, put, gone, found, says, wait } = story();
  load(at(0), search(v1, 1), pod('search-1', { labels: v1 }), service('search', { selector: v1 }));
  put(at(1), search(v2, 2), pod('search-2', { labels: v2 }));
  wait(at(1, 30));
  assert.deepEqual(found(), []);
  gone(at(2), pod('search-1', { labels: v1 }));
  wait(at(2, 20));
  assert.deepEqual(found(), ['Service/shop/search ServiceSelectsNothing']);
  assert.equal(
    says('Service/shop/search', 'ServiceSelectsNothing'),
    'The selector wants version: v1; Deployment shop/search was edited, and its pods have version: v2 now.',
  );
});

test('T2 is quiet: a release whose Pods have new labels, and a Service of their own', () => {
  const { load, put, gone, found, wait } = story();
  load(at(0), search(v1, 1), pod('search-1', { labels: v1 }), service('search', { selector: v1 }));
  put(at(1), service('search-v2', { selector: v2 }), search(v2, 2), pod('search-2', { labels: v2 }));
  gone(at(2), pod('search-1', { labels: v1 }));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('T2 is quiet: a selector that is edited together with its Pods, and one whose Pods have gone', () => {
  const { load, put, found, wait, gone } = story();
  load(at(0), pod('api-1', { labels: { app: 'api' } }), service('api', { selector: { app: 'api' } }));
  gone(at(1), pod('api-1', { labels: { app: 'api' } }));
  put(at(1), service('api', { selector: { app: 'api', track: 'stable' } }));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('T2 fires: a leftover Service is low after a day, medium after 10 minutes where traffic from outside reaches it', () => {
  const { put, found, finding, wait } = story();
  const exposed = { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
  put(at(0), service('old'), service('edge', exposed));
  wait(at(10));
  assert.deepEqual(found(), ['Service/shop/edge ServiceSelectsNothing']);
  assert.equal(finding('Service/shop/edge', 'ServiceSelectsNothing').severity, 'medium');
  wait(at(24 * 60));
  assert.equal(finding('Service/shop/old', 'ServiceSelectsNothing').severity, 'low');
});

test('T2 is quiet: a colour, a version or an ordinal that is not there yet, a name of its own, and Pods that have a Service', () => {
  const pairs: [Record<string, string>, Record<string, string>][] = [
    [
      { app: 'web', color: 'green' },
      { app: 'web', color: 'blue' },
    ],
    [
      { app: 'web', version: 'v2' },
      { app: 'web', version: 'v1' },
    ],
    [
      { app: 'db', pod: 'db-1' },
      { app: 'db', pod: 'db-0' },
    ],
    [{ app: 'api' }, { app: 'app' }],
    [
      { app: 'web', track: 'canary' },
      { app: 'web', track: 'stable' },
    ],
    [{ app: 'web' }, { app: 'web-admin' }],
  ];
  for (const [selector, own] of pairs) {
    const { put, found, wait } = story();
    put(at(0), pod('p', { labels: own }), service('s', { selector }), endpointSlice('s', { ready: 0 }));
    wait(at(60));
    assert.deepEqual(found(), [], JSON.stringify(selector));
  }
  const { put, found, wait } = story();
  put(at(0), pod('p', { labels: { app: 'orders' } }), service('orders'), endpointSlice('orders'));
  put(at(0), service('order'), endpointSlice('order', { ready: 0 }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

const withPort = (name: string): PodParts => ({
  spec: { containers: [{ name: 'api', image: 'api:1', ports: [{ name, containerPort: 8080 }] }] },
});

test('T3 fires and clears: a port of a name that no container has is told after 20 s, with what there is', () => {
  const { put, found, says, wait } = story();
  const named = service('api', { ports: [{ port: 80, targetPort: 'http' }] });
  put(at(0), named, member('a', undefined, withPort('web')), endpointSlice('api', { ports: [] }));
  wait(at(0, 20));
  assert.deepEqual(found(), [`${ref} ServicePortMismatch`]);
  assert.equal(
    says(ref, 'ServicePortMismatch'),
    'Port 80 leads to http, and no container of its pods has a port of that name; there is web (8080).',
  );
  put(at(1), service('api', { ports: [{ port: 80, targetPort: 'web' }] }));
  put(at(1), endpointSlice('api'));
  assert.deepEqual(found(), []);
});

test('T3 is quiet: ports by number, a port of an injected sidecar, some Pods that have it, no Pods yet', () => {
  const quiet: Record<string, RawObject[]> = {
    'by number': [service('api'), member('a', undefined, withPort('web')), endpointSlice('api', { ports: [] })],
    'some have it': [
      service('api', { ports: [{ port: 80, targetPort: 'http' }] }),
      ...[member('a', undefined, withPort('web')), member('b', undefined, withPort('http'))],
      endpointSlice('api', { ports: [{ name: '', port: 8080 }] }),
    ],
    'no Pods yet': [service('api', { ports: [{ port: 80, targetPort: 'http' }] }), endpointSlice('api', { ready: 0 })],
  };
  for (const [what, raws] of Object.entries(quiet)) {
    const { put, found, wait } = story();
    put(at(0), ...raws);
    wait(at(60));
    assert.deepEqual(found(), [], what);
  }
});

test('T4 fires and clears: less than half of the endpoints for 10 minutes', () => {
  const { put, found, says, wait } = story();
  put(at(0), service('api', hour), endpointSlice('api', { ready: 1, unready: 3 }), member('a'));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), [`${ref} BackendsDegraded`]);
  assert.equal(says(ref, 'BackendsDegraded'), 'Only 1 of 4 endpoints of the Service are ready.');
  put(at(11), endpointSlice('api', { ready: 2, unready: 2 }));
  assert.deepEqual(found(), []);
});

test('T4 is quiet: two endpoints, of which one is ready', () => {
  const { put, found, wait } = story();
  put(at(0), service('api', hour), endpointSlice('api', { ready: 1, unready: 1 }), member('a'));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('T18 fires and clears: cluster DNS without an endpoint is critical after 30 s', () => {
  const { put, found, finding, says, wait } = story();
  const dns = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' }, selector: { 'k8s-app': 'kube-dns' } };
  const slice = (ready: number) => endpointSlice('kube-dns', { namespace: 'kube-system', ready, unready: 2 - ready });
  put(at(0), service('kube-dns', dns), slice(0));
  wait(at(0, 30));
  assert.deepEqual(found(), ['Service/kube-system/kube-dns ClusterDNSDown']);
  assert.equal(finding('Service/kube-system/kube-dns', 'ClusterDNSDown').severity, 'critical');
  assert.match(says('Service/kube-system/kube-dns', 'ClusterDNSDown'), /^Cluster DNS is down: no name is resolved/);
  put(at(1), slice(1));
  assert.deepEqual(found(), []);
});

test('T18 is quiet: one of two DNS Pods that is down, and a Service of that label elsewhere', () => {
  const { put, found, wait } = story();
  const own = { labels: { 'k8s-app': 'kube-dns' }, selector: { 'k8s-app': 'kube-dns' } };
  const dns = { namespace: 'kube-system', ...own };
  put(at(0), service('kube-dns', dns), endpointSlice('kube-dns', { namespace: 'kube-system', ready: 1, unready: 1 }));
  put(at(0), service('dns', own), endpointSlice('dns', { ready: 0 }));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('T20 fires and clears: EndpointSlices that could not be written 3 times, until that is quiet for 30 minutes', () => {
  const { put, found, says, wait } = story();
  const failed = (count: number, when: number) =>
    eventOn(service('api'), 'FailedToUpdateEndpointSlices', when, { count, firstAt: at(0), message: 'conflict' });
  put(at(0), service('api'), endpointSlice('api'), member('a'), failed(2, at(0)));
  assert.deepEqual(found(), []);
  put(at(1), failed(3, at(1)));
  assert.deepEqual(found(), [`${ref} EndpointSliceSyncFailed`]);
  assert.equal(
    says(ref, 'EndpointSliceSyncFailed'),
    'The endpoints of the Service cannot be brought up to date: conflict.',
  );
  wait(at(30, 59));
  assert.deepEqual(found(), [`${ref} EndpointSliceSyncFailed`]);
  wait(at(31));
  assert.deepEqual(found(), []);
});

test('T20 is quiet: one conflict', () => {
  const { put, found, wait } = story();
  put(
    start,
    service('api'),
    endpointSlice('api'),
    member('a'),
    eventOn(service('api'), 'FailedToUpdateEndpointSlices', start),
  );
  wait(at(60));
  assert.deepEqual(found(), []);
});
