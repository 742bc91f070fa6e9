import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, networkPolicy, service } from '../../world/network-objects.ts';
import { at, condition, managed } from '../../world/objects.ts';
import { inShort } from '../helpers.ts';
import { app, crashing, long, outage, podOf, twoNodes } from '../proof.ts';
import { house } from '../raw.ts';
import { crashSaying, said, saying } from '../said.ts';

const dnsLabels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels: dnsLabels, selector: dnsLabels, createdAt: long });
const dnsSlice = (ready: number) => endpointSlice('kube-dns', { namespace: 'kube-system', ready, unready: 2 - ready });

/** Cluster DNS goes down at 1, and a workload crashes at 2 with its last words. */
function whileDnsIsDown(words: string): readonly string[] {
  const k8s = house();
  k8s.put(long, ...twoNodes, dns, dnsSlice(2), ...app('api'), podOf('api', 'a'));
  k8s.wait(at(0));
  k8s.put(at(1), dnsSlice(0));
  k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
  k8s.wait(at(6));
  return inShort(k8s.explain());
}

test('what cannot resolve a name while cluster DNS is down is told with it, surer than by the time alone', () => {
  assert.deepEqual(whileDnsIsDown(said.unresolved('db.example.com')), [
    'Service/kube-system/kube-dns ClusterDNSDown 2',
  ]);
});

test('while cluster DNS is down, a name of the cluster that nobody resolves is no incident of its own', () => {
  assert.deepEqual(whileDnsIsDown(said.unresolved('db')), ['Service/kube-system/kube-dns ClusterDNSDown 3']);
});

test('a crash for want of a variable is not blamed on cluster DNS', () => {
  assert.deepEqual(whileDnsIsDown(said.variable), [
    'Deployment/shop/api CrashLoopBackOff 1',
    'Service/kube-system/kube-dns ClusterDNSDown 1',
  ]);
});

test('a crash for want of a variable is not blamed on a network policy', () => {
  const k8s = house();
  const labels = { app: 'api' };
  const kubectl = [managed('kubectl', at(1), { 'f:spec': {} })];
  k8s.put(long, ...twoNodes, ...app('api', { labels }), podOf('api', 'a', { labels }));
  k8s.wait(at(0));
  k8s.put(at(1), networkPolicy('api', { createdAt: at(1), managedFields: kubectl }));
  k8s.put(at(2), podOf('api', 'a', { labels, ...saying(long, at(2), said.variable) }));
  k8s.wait(at(5));
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/api CrashLoopBackOff 1']);
});

test('a database that only the log of its client names takes the client along when nothing of it works', () => {
  const k8s = house();
  const labels = { app: 'db' };
  const slice = (ready: number) => endpointSlice('db', { ready, unready: 1 - ready });
  k8s.put(long, ...twoNodes, ...app('db', { labels }), podOf('db', 'a', { labels }), service('db'), slice(1));
  k8s.put(long, ...app('api'), podOf('api', 'a'));
  k8s.wait(at(0));
  k8s.put(
    at(1),
    podOf('db', 'a', { labels, ...crashing(long, at(1)) }),
    slice(0),
    ...app('db', { labels, ...outage(at(1)) }),
  );
  k8s.put(at(1, 20), podOf('api', 'a', saying(long, at(1, 20), said.refused('db'))));
  k8s.wait(at(6));
  const [explanation, ...others] = k8s.explain();
  assert.deepEqual([explanation?.root.ref, others.length], ['Deployment/shop/db', 0]);
  assert.deepEqual(explanation?.workloads, ['Deployment/shop/api', 'Deployment/shop/db']);
});

test('one Pod speaks for its siblings: what they fail of alike has one root', () => {
  const k8s = house();
  const host = 'api.payments.example';
  k8s.put(long, ...twoNodes, ...['api', 'web'].flatMap((name) => [...app(name), podOf(name, 'a'), podOf(name, 'b')]));
  k8s.wait(at(0));
  const silent = ['api', 'web'].map((name) => podOf(name, 'b', crashing(long, at(1))));
  const speaking = ['api', 'web'].map((name) => podOf(name, 'a', saying(long, at(1), said.unresolved(host))));
  k8s.put(at(1), ...silent, ...speaking);
  k8s.wait(at(4));
  assert.deepEqual(inShort(k8s.explain()), [`ExternalEndpoint//${host} ExternalEndpointUnreachable 5`]);
});

test('one workload alone stays the root, and says whom it cannot reach', () => {
  const k8s = house();
  crashSaying(k8s, { api: said.rejected('db.example.com') });
  const [explanation] = k8s.explain();
  assert.equal(explanation?.root.ref, 'Deployment/shop/api');
  const { kind, to, source } = explanation?.sign ?? {};
  assert.deepEqual([kind, to, source], ['CredentialsRejected', 'ExternalEndpoint//db.example.com:5432', 'termination']);
});

/** Two workloads crash with the same words at 1; another that names `server` too has not been ready for half a minute. */
function newBesideTwo(server: string): readonly unknown[] {
  const k8s = house();
  const made = { createdAt: long };
  const client = (name: string, host: string, parts: object) => {
    const env = [{ name: 'SERVER', value: `${host}:4222` }];
    return podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', env }] }, ...parts });
  };
  const there = ['nats', 'redis'].flatMap((name) => [service(name, made), endpointSlice(name, made)]);
  k8s.put(
    long,
    ...twoNodes,
    ...there,
    ...['api', 'cart', 'web'].flatMap((name) => app(name)),
    ...['api', 'cart'].map((name) => client(name, 'nats', {})),
    client('web', server, {}),
  );
  k8s.wait(at(0));
  k8s.put(at(1), client('web', server, { conditions: [condition('Ready', 'False', at(1))] }));
  const ended = saying(long, at(1, 30), 'Ledger is torn.');
  k8s.put(at(1, 30), ...['api', 'cart'].map((name) => client(name, 'nats', ended)));
  return k8s.explain().flatMap(({ members }) => members.flatMap(({ facts }) => facts.new ?? []));
}

test('who has only just stopped being ready counts among those whom their server fails, and no other', () => {
  assert.deepEqual(newBesideTwo('nats'), [1]);
  assert.deepEqual(newBesideTwo('redis'), []);
});

test('that calls fail in words that tell no more is never sure: the address may be what it is about, and not whom they called', () => {
  const k8s = house();
  const words = 'error: checkout refused for https://oidc.cloud.example/id/1';
  crashSaying(k8s, { api: words, web: words });
  const [explanation] = k8s.explain();
  assert.deepEqual(
    [explanation?.root.ref, explanation?.confidence],
    ['ExternalEndpoint//oidc.cloud.example:443', 'likely'],
  );
});

test('who gave a token is not who rejects it', () => {
  const k8s = house();
  const words =
    'operation error STS: AssumeRoleWithWebIdentity, InvalidIdentityToken: No OpenIDConnect provider found in your account for https://oidc.cloud.example/id/1';
  crashSaying(k8s, { api: words, web: words });
  assert.deepEqual(
    k8s.explain().map(({ root }) => root.ref),
    ['ExternalEndpoint//sts.amazonaws.com'],
  );
});
