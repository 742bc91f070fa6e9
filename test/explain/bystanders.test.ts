import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, networkPolicy, service } from '../world/network-objects.ts';
import { at, managed } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, crashing, long, outage, podOf, twoNodes, unready } from './proof.ts';
import { story } from './proofs/director-edited.ts';
import { house } from './raw.ts';
import { said, saying } from './said.ts';

type House = ReturnType<typeof house>;

const labels = { app: 'db' };
const env = [{ name: 'DATABASE_URL', value: 'postgres://shop:secret@db.shop.svc:5432/shop' }];

/** The Pod of a workload that is told where the database is. */
const client = (name: string, parts: Parameters<typeof podOf>[2] = {}) =>
  podOf(name, 'a', { ...parts, spec: { containers: [{ name: 'api', image: `shop/${name}:1`, env }] } });

/** A database that goes down at 1, and clients of it that crash some seconds later. */
function clientsOfWhatIsDown(...names: readonly string[]): House {
  const k8s = house();
  const slice = (ready: number) => endpointSlice('db', { ready, unready: 1 - ready });
  k8s.put(long, ...twoNodes, ...app('db', { labels, replicas: 1 }), service('db'), slice(1));
  k8s.put(long, podOf('db', 'a', { labels }), ...names.flatMap((name) => [...app(name), client(name)]));
  k8s.wait(at(0));
  k8s.put(at(1), podOf('db', 'a', { labels, ...saying(long, at(1), 'PANIC: no checkpoint') }), slice(0));
  k8s.put(at(1), ...app('db', { labels, replicas: 1, ...outage(at(1)) }));
  k8s.put(at(1, 10), ...names.map((name) => client(name, crashing(long, at(1, 10)))));
  k8s.wait(at(1, 20));
  return k8s;
}

const hear = (k8s: House, name: string, ...lines: string[]): void =>
  k8s.hear(at(1, 21), `Pod/shop/${name}-a`, ...lines);
const workloads = (k8s: House): readonly string[] => inShort(k8s.explain()).map((each) => each.split(' ')[0] ?? '');
const db = 'Deployment/shop/db';

test('who names what is down is held with it once its log says so, and not before', () => {
  const k8s = clientsOfWhatIsDown('api');
  assert.deepEqual(workloads(k8s), ['Deployment/shop/api', db]);
  hear(k8s, 'api', said.refused('db.shop.svc'));
  assert.deepEqual(workloads(k8s), [db]);
});

test('several that end together with what all of them name are held with it before anything is read', () => {
  assert.deepEqual(workloads(clientsOfWhatIsDown('api', 'web', 'cart')), [db]);
});

test('who panics of its own is told by itself', () => {
  const k8s = clientsOfWhatIsDown('api');
  hear(k8s, 'api', 'panic: runtime error: index out of range [3] with length 3', 'goroutine 1 [running]:');
  assert.deepEqual(workloads(k8s), ['Deployment/shop/api', db]);
});

test('one of several that panics of its own is told by itself', () => {
  const names = ['api', 'web', 'cart'];
  const k8s = clientsOfWhatIsDown(...names);
  for (const name of names) hear(k8s, name, name === 'web' ? 'panic: seat map' : said.refused('db.shop.svc'));
  assert.deepEqual(workloads(k8s), [db, 'Deployment/shop/web']);
});

test('so is who ended in words that nobody can read, as a name in a template is no reason', () => {
  const k8s = clientsOfWhatIsDown('api');
  hear(k8s, 'api', 'seat count 51 of 50 used, giving up');
  assert.deepEqual(workloads(k8s), ['Deployment/shop/api', db]);
});

test('it is told beside it who is down and is only named', () => {
  const k8s = clientsOfWhatIsDown('api');
  hear(k8s, 'api', 'seat count 51 of 50 used, giving up');
  const api = k8s.explain().find(({ root }) => root.ref === 'Deployment/shop/api');
  assert.deepEqual(api?.proof, [{ code: 'DownBeside', of: db, since: at(1) }]);
});

test('two that end each in words of its own are told by themselves, and by the same words with what both name', () => {
  const k8s = clientsOfWhatIsDown('api', 'web');
  hear(k8s, 'api', 'seat count 51 of 50 used, giving up');
  hear(k8s, 'web', 'import file header row missing');
  assert.deepEqual(workloads(k8s), ['Deployment/shop/api', db, 'Deployment/shop/web']);
  const alike = clientsOfWhatIsDown('api', 'web');
  for (const name of ['api', 'web']) hear(alike, name, `${name}: journal has lost its primary`);
  assert.deepEqual(workloads(alike), [db]);
});

test('who directs what runs beside two programs is not to blame for words of their own', () => {
  const k8s = house();
  story('docker.io/istio/proxyv2:1', { api: 'seat count 51 of 50 used', web: 'import file header row missing' })(k8s);
  assert.deepEqual(workloads(k8s), ['Deployment/shop/api', 'Deployment/shop/web']);
});

test('several that end in such words with what all of them name are one story', () => {
  const names = ['api', 'web', 'cart'];
  const k8s = clientsOfWhatIsDown(...names);
  for (const name of names) hear(k8s, name, `${name} gives up`);
  assert.deepEqual(workloads(k8s), [db]);
});

test('who says that it reaches nobody at an address that is nobody’s now, or only that a call took too long, speaks of nobody else', () => {
  for (const words of ['dial tcp 10.244.1.9:5432: connect: connection refused', said.tookTooLong]) {
    const k8s = clientsOfWhatIsDown('api');
    hear(k8s, 'api', words);
    assert.deepEqual(workloads(k8s), [db], words);
  }
});

test('whom those call who were cut off by a network policy is not to blame, also once the policy is gone', () => {
  const k8s = house();
  const names = ['api', 'web'];
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
  k8s.wait(at(0));
  const policy = networkPolicy('egress', {
    createdAt: at(1),
    managedFields: [managed('kubectl', at(1), { 'f:spec': {} })],
    spec: { podSelector: {}, policyTypes: ['Egress'] },
  });
  k8s.put(at(1), policy);
  k8s.put(at(2), ...names.map((name) => podOf(name, 'a', { conditions: unready(at(2)) })));
  k8s.wait(at(12));
  for (const name of names) k8s.hear(at(12), `Pod/shop/${name}-a`, said.refused('pg.dc2.acme.example'));
  assert.deepEqual(workloads(k8s), ['NetworkPolicy/shop/egress']);
  k8s.gone(at(13), policy);
  k8s.wait(at(13, 30));
  assert.deepEqual(workloads(k8s), ['NetworkPolicy/shop/egress']);
});

test('whom several call in vain from one Node is not to blame while their siblings elsewhere serve', () => {
  const k8s = house();
  const names = ['api', 'web'];
  const pods = (which: string, parts: object) => names.map((name) => podOf(name, which, parts));
  k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)), ...pods('a', {}), ...pods('b', { node: 'n2' }));
  k8s.wait(at(0));
  k8s.put(at(1), ...pods('a', saying(long, at(1), said.refused('pg.dc2.acme.example'))));
  k8s.wait(at(4));
  assert.ok(!workloads(k8s).some((ref) => ref.startsWith('ExternalEndpoint')), workloads(k8s).join());
  k8s.put(at(4), ...pods('b', { node: 'n2', ...saying(long, at(4), said.refused('pg.dc2.acme.example')) }));
  k8s.wait(at(6));
  assert.deepEqual(workloads(k8s), ['ExternalEndpoint//pg.dc2.acme.example:5432']);
});
