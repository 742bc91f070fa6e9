import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at, ended, job, managed, metadata, waiting, workload } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, long, podOf, replicaSet, stuck, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { said, saying } from './said.ts';

/** What is told, with what is blamed, of a release of `shop/api` from one image to another whose new Pod is stuck beside the old one. */
function toldOf([from, to]: readonly [string, string], reason: string, says: string): string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('api', { image: from }), podOf('api', 'a'));
  k8s.wait(at(0));
  k8s.put(at(0), workload('Deployment', 'api', { replicas: 2, createdAt: long, image: to, generation: 2 }));
  k8s.put(at(0), replicaSet('api', 2, { replicas: 1, createdAt: at(0), image: to }));
  k8s.put(at(1), podOf('api', 'b', { revision: 2, ...stuck(at(0), reason, says) }));
  k8s.wait(at(5));
  return inShort(k8s.explain(), ({ change }) => (change === undefined ? '' : `, ${change.field} edited`));
}

test('another tag has no part in it that a registry lets nobody in; another repository may', () => {
  const says = 'failed to resolve reference "registry.example/x:1": 401 unauthorized';
  const told = (from: string, to: string): string[] => toldOf([from, to], 'ErrImagePull', says);
  assert.deepEqual(told('registry.example/api:1', 'registry.example/api:2'), ['Deployment/shop/api ImagePullDenied 1']);
  assert.deepEqual(told('registry.example/api:1', 'registry.example/team/api:2'), [
    'Deployment/shop/api ImagePullDenied 1, image edited',
  ]);
});

/** What is told of `shop/api`, released just before, which dials a number while `shop/db` behind its Service is down. */
function dialling(number: string): string[] {
  const k8s = house();
  const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'DB_HOST', value: 'db.shop.svc' }] }] };
  const ports = { ports: [{ port: 5432, targetPort: 5432 }] };
  k8s.put(
    long,
    ...twoNodes,
    service('db', ports),
    ...app('api'),
    ...app('db'),
    podOf('db', 'a', { labels: { app: 'db' } }),
  );
  k8s.put(long, endpointSlice('db'), podOf('api', 'a', { spec }));
  k8s.wait(at(0));
  k8s.put(at(0), podOf('db', 'a', { labels: { app: 'db' }, ...saying(long, at(0), 'panic: index out of range') }));
  k8s.put(at(0), endpointSlice('db', { ready: 0, unready: 1 }));
  k8s.put(at(1), workload('Deployment', 'api', { replicas: 2, createdAt: long, image: 'y', generation: 2 }));
  k8s.put(at(1), replicaSet('api', 2, { replicas: 2, createdAt: at(1), image: 'y' }));
  k8s.gone(at(1), podOf('api', 'a', { spec }));
  const words = `dial tcp ${number}: connect: connection refused`;
  k8s.put(at(2), podOf('api', 'b', { revision: 2, spec, ...saying(at(1), at(2), words) }));
  k8s.wait(at(5));
  return k8s.explain().map(({ root, reason }) => `${root.ref} ${reason}`);
}

test('a number that nobody has is of the Service that the template names at this port', () => {
  assert.deepEqual(dialling('10.96.7.7:5432'), ['Deployment/shop/db CrashLoopBackOff']);
  assert.deepEqual(dialling('10.96.7.7:6379'), [
    'Deployment/shop/api CrashLoopBackOff',
    'Deployment/shop/db CrashLoopBackOff',
  ]);
});

/** What is told of a release whose init container waits and says something, while a Job of its namespace fails. */
function waitingFor(name: string, words: string): string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'));
  k8s.wait(at(0));
  k8s.put(at(0), job(name, { createdAt: at(0), status: { failed: 2 } }));
  k8s.put(at(0), workload('Deployment', 'api', { replicas: 2, createdAt: long, image: 'y', generation: 2 }));
  k8s.put(at(0), replicaSet('api', 2, { replicas: 2, createdAt: at(0), image: 'y' }));
  const spec = { initContainers: [{ name: 'init', image: 'wait' }] };
  const initStatuses = [
    waiting('init', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=init', {
      ...{ restartCount: 4, lastState: ended(at(1) - 2000, at(1), 1, 'Error', words) },
    }),
  ];
  k8s.put(at(1), podOf('api', 'b', { revision: 2, spec, phase: 'Pending', createdAt: at(0), initStatuses }));
  k8s.wait(at(5));
  return k8s.explain().map(({ root }) => root.ref);
}

test('an init container that speaks of a migration waits for it; of another Job nobody knows', () => {
  assert.deepEqual(waitingFor('migrate-7', 'waiting for job migrate-7 to finish'), ['Job/shop/migrate-7']);
  assert.deepEqual(waitingFor('migrate-7', 'cannot open /etc/app.conf'), ['Deployment/shop/api']);
});

test('a Job that does not reach what is down fails of it', () => {
  const k8s = house();
  k8s.put(
    long,
    ...twoNodes,
    service('db'),
    ...app('db'),
    podOf('db', 'a', { labels: { app: 'db' } }),
    endpointSlice('db'),
  );
  k8s.wait(at(0));
  k8s.put(at(0), podOf('db', 'a', { labels: { app: 'db' }, ...saying(long, at(0), 'panic: index out of range') }));
  k8s.put(at(0), endpointSlice('db', { ready: 0, unready: 1 }));
  const failed = {
    failed: 1,
    conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: '' }],
  };
  k8s.put(at(1), job('report', { createdAt: at(0, 30), status: failed }));
  k8s.put(
    at(1),
    podOf('report', 'x', {
      ...saying(at(0, 30), at(1), said.refused('db')),
      phase: 'Failed',
      owner: { kind: 'Job', name: 'report' },
    } as never),
  );
  // Before it is found of the Service that it has no endpoints.
  k8s.wait(at(1, 20));
  assert.deepEqual(
    k8s.explain().map(({ root }) => root.ref),
    ['Deployment/shop/db'],
  );
});

/** What is told of Pods of `shop/api` that wait or end, while a Secret with one key that they are given was edited just before. */
function besideAnEditOf(key: string, parts: object): string[] {
  const k8s = house();
  const spec = {
    ...{ imagePullSecrets: [{ name: 'robot' }] },
    containers: [{ name: 'api', image: 'registry.example/api:1', envFrom: [{ secretRef: { name: 'robot' } }] }],
  };
  const secret = (time: number): RawObject => ({
    ...{ apiVersion: 'v1', kind: 'SecretMetadata' },
    metadata: metadata('robot', 'shop', {
      createdAt: long,
      managedFields: [managed('kubectl-edit', time, { 'f:data': { [`f:${key}`]: {} } })],
    }),
  });
  k8s.put(long, ...twoNodes, ...app('api'), secret(long));
  k8s.wait(at(0));
  k8s.put(at(0, 30), secret(at(0, 30)));
  k8s.put(at(1), podOf('api', 'a', { spec, ...parts }));
  k8s.wait(at(5));
  return inShort(k8s.explain(), ({ change }) => (change === undefined ? '' : `, ${change.field} edited`));
}

test('what kubelets log in to registries with explains refused pulls, and nothing else; nothing else explains these', () => {
  const refused = stuck(
    at(0, 40),
    'ErrImagePull',
    'failed to resolve reference "registry.example/api:1": 401 unauthorized',
  );
  const crashed = saying(at(0, 40), at(1), 'panic: index out of range');
  assert.deepEqual(besideAnEditOf('.dockerconfigjson', refused), ['Secret/shop/robot ImagePullDenied 1, data edited']);
  assert.deepEqual(besideAnEditOf('password', refused), ['Deployment/shop/api ImagePullDenied 1']);
  assert.deepEqual(besideAnEditOf('.dockerconfigjson', crashed), ['Deployment/shop/api CrashLoopBackOff 1']);
});
