import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition, ended, waiting, workload } from '../../world/objects.ts';
import { app, long, podOf, twoNodes, unready } from '../proof.ts';
import { house } from '../raw.ts';
import { said, saying } from '../said.ts';

const words = 'FATAL: password authentication failed for user "app"';

/** Two programs are turned away from 1 on: one is found in a crash loop at once, the other half a minute later. */
function turnedAway(secrets: { readonly api: string; readonly web: string }): readonly string[] {
  const k8s = house();
  const pod = (name: 'api' | 'web', parts: object) => {
    const envFrom = [{ secretRef: { name: secrets[name] } }];
    return podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', envFrom }] }, ...parts });
  };
  k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), pod('api', {}), pod('web', {}));
  k8s.wait(at(0));
  k8s.put(at(1), pod('web', { conditions: unready(at(1)) }));
  k8s.put(at(1), pod('api', saying(long, at(1), words)));
  k8s.wait(at(1, 30));
  k8s.put(at(1, 30), pod('web', saying(long, at(1), words)));
  k8s.wait(at(4));
  return k8s.told;
}

test('who is turned away waits while another fails that has the same Secret: both are told once, with the Secret', () => {
  assert.deepEqual(turnedAway({ api: 'db', web: 'db' }), ['open Secret/shop/db Settled → oncall']);
});

test('who is turned away with a Secret of its own waits for nobody', () => {
  assert.deepEqual(turnedAway({ api: 'db-api', web: 'db-web' }), [
    'open Deployment/shop/api Settled → oncall',
    'open Deployment/shop/web Settled → oncall',
  ]);
});

/** What is told of `api`, and how many seconds after 1, when it runs on and is not ready from 1 on, beside `web`, which crashes and says the same. */
function servesNoMore(words: string): readonly (string | number)[] {
  const k8s = house();
  const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'DB_HOST', value: 'db.shop.svc' }] }] };
  const none = { readyReplicas: 0, availableReplicas: 0 };
  const conditions = [condition('Available', 'False', at(1), 'MinimumReplicasUnavailable')];
  k8s.put(long, ...twoNodes, service('db'), ...app('api'), ...app('web'));
  k8s.put(long, podOf('api', 'a', { spec }), podOf('web', 'a', { spec }));
  k8s.wait(at(0));
  k8s.put(at(0, 50), podOf('web', 'a', { spec, ...saying(long, at(0, 50), words) }));
  k8s.put(at(1), podOf('api', 'a', { spec, conditions: unready(at(1)) }));
  k8s.put(at(1), workload('Deployment', 'api', { replicas: 2, createdAt: long, conditions, status: none }));
  for (let second = 0; second < 60; second += 1) {
    k8s.wait(at(1, second));
    if (k8s.explain().some(({ root }) => root.ref === 'Deployment/shop/api'))
      k8s.hear(at(1, second), 'Pod/shop/api-a', words);
    const first = k8s.told.find((each) => !each.includes('Deployment/shop/web'));
    if (first) return [first, second];
  }
  return k8s.told;
}

test('what runs on and serves no more is asked after 15 s, and told then where another fails of the same', () => {
  assert.deepEqual(servesNoMore(said.full('db')), ['open Service/shop/db Settled → oncall', 15]);
});

test('what runs on and serves no more is told after 30 s where nobody else fails of the same: it may be a moment', () => {
  assert.deepEqual(servesNoMore(said.variable), ['open Deployment/shop/api Settled → oncall', 30]);
});

/** Within how many seconds cluster DNS is told that serves nobody from 1 on: its Pods wait for so long between two crashes, as their kubelets say. */
function dnsToldAfter(backOff: string): number {
  const k8s = house();
  const dns = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
  const none = { readyReplicas: 0, availableReplicas: 0 };
  const conditions = [condition('Available', 'False', at(1), 'MinimumReplicasUnavailable')];
  k8s.put(long, ...twoNodes, service('kube-dns', { ...dns, selector: dns.labels }), endpointSlice('kube-dns', dns));
  k8s.put(long, ...app('coredns', dns), podOf('coredns', 'a', dns));
  k8s.wait(at(0));
  k8s.put(at(1), endpointSlice('kube-dns', { ...dns, ready: 0, unready: 1 }));
  const statuses = [
    waiting('api', 'CrashLoopBackOff', `back-off ${backOff} restarting failed container=api`, {
      ...{ restartCount: 2, lastState: ended(at(1) - 2000, at(1), 1) },
    }),
  ];
  k8s.put(at(1), podOf('coredns', 'a', { ...dns, statuses, conditions: unready(at(1)) }));
  k8s.put(at(1), workload('Deployment', 'coredns', { ...dns, createdAt: long, conditions, status: none }));
  let second = 0;
  while (k8s.told.length === 0 && second < 120) k8s.wait(at(1, ++second));
  return second;
}

test('cluster DNS is told as soon as its Pods are found to crash', () => {
  assert.equal(dnsToldAfter('10s'), 35);
});

test('cluster DNS of which the Pods crash waits for no longer than an outage that may pass does', () => {
  assert.equal(dnsToldAfter('5s'), 40);
});
