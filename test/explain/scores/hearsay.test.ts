import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../../src/model/explanation.ts';
import { viewFor, wholeCluster } from '../../../src/model/view.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, configMap, ended, managed, waiting, workload } from '../../world/objects.ts';
import { inShort } from '../helpers.ts';
import { app, crashing, long, outage, podOf, replicaSet, twoNodes } from '../proof.ts';
import { house } from '../raw.ts';
import { said, saying } from '../said.ts';

const blamed = ({ change }: Explanation): string => (change === undefined ? '' : `, ${change.field} edited`);

const redis = { app: 'redis' };
const slice = (ready: number) => endpointSlice('redis', { ready, unready: 1 - ready });

/** A release of `api` at 0, the new Pod of which crashes with its last words; `others` come with it. */
function release(words: string, others: (k8s: ReturnType<typeof house>) => void = () => {}): readonly string[] {
  const k8s = house();
  const image = 'registry.example/shop/api:2';
  k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'));
  k8s.put(long, ...app('redis', { labels: redis, replicas: 1 }), podOf('redis', 'a', { labels: redis }));
  k8s.put(long, service('redis', { selector: redis, createdAt: long }), slice(1));
  k8s.wait(at(-1));
  k8s.put(at(0), workload('Deployment', 'api', { replicas: 2, createdAt: long, image, generation: 2 }));
  k8s.put(at(0), replicaSet('api', 2, { replicas: 1, createdAt: at(0) }));
  others(k8s);
  k8s.put(at(0, 2), podOf('api', 'b', { revision: 2, createdAt: at(0) }));
  k8s.put(at(0, 40), podOf('api', 'b', { revision: 2, ...saying(at(0), at(0, 40), words), ...neverReady }));
  k8s.wait(at(3));
  return inShort(k8s.explain(), blamed);
}

const neverReady = { conditions: crashing(at(0), at(0, 2)).conditions };

test('a name that no Service has and that came with a release is told with the release', () => {
  assert.deepEqual(release(said.unresolved('redis-cluster')), ['Deployment/shop/api CrashLoopBackOff 2, image edited']);
});

test('a release is not to blame where its program names a Service that has just lost its last endpoint', () => {
  const goesDown = (k8s: ReturnType<typeof house>): void => {
    k8s.put(at(0, 1), podOf('redis', 'a', { labels: redis, ...crashing(long, at(0, 1)) }), slice(0));
    k8s.put(at(0, 1), ...app('redis', { labels: redis, replicas: 1, ...outage(at(0, 1)) }));
  };
  const [first, ...others] = release(said.refused('redis'), goesDown);
  assert.deepEqual([first?.startsWith('Deployment/shop/redis CrashLoopBackOff'), others], [true, []]);
});

test('a release is to blame where its program names a Service that serves', () => {
  assert.deepEqual(release(said.refused('redis')), ['Deployment/shop/api CrashLoopBackOff 1, image edited']);
});

const settings = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'settings' } }] }] };

/** A ConfigMap that two workloads read is edited at 0; their Pods, made at an instant, say that they cannot resolve a name. */
function edited(made: number): readonly string[] {
  const k8s = house();
  const names = ['api', 'web'];
  k8s.put(long, ...twoNodes, configMap('settings', { createdAt: long }), ...names.flatMap((name) => app(name)));
  k8s.wait(at(-1));
  if (made < at(0)) k8s.put(made, ...names.map((name) => podOf(name, 'a', { spec: settings, createdAt: made })));
  const edit = [managed('kubectl-edit', at(0), { 'f:data': { 'f:HOST': {} } })];
  k8s.put(at(0), configMap('settings', { createdAt: long, generation: 2, managedFields: edit }));
  const words = said.unresolved('redis.cach.svc');
  const isNew = made > at(0);
  for (const name of names) {
    const until = at(1);
    const last = ended(until - 2000, until, 1, 'Error', words);
    const statuses = [waiting('api', 'CrashLoopBackOff', 'back-off', { restartCount: 4, lastState: last })];
    const { conditions } = crashing(made, isNew ? made + 2000 : until);
    k8s.put(until, podOf(name, 'a', { spec: settings, createdAt: made, conditions, statuses }));
  }
  k8s.wait(at(4));
  return inShort(k8s.explain(), blamed);
}

test('a name that no Service has and that came with an edited ConfigMap is told with the ConfigMap', () => {
  assert.deepEqual(edited(at(0, 10)), ['ConfigMap/shop/settings CrashLoopBackOff 3, data edited']);
});

test('a name that Pods have served with for an hour did not come with the ConfigMap that was edited since', () => {
  assert.deepEqual(edited(long), ['Service/cach/redis ServiceMissing 3']);
});

/**
 * Two workloads, each of a namespace, crash at 1 and say that the database of the shop rejects their passwords; at 3 the cart of the shop,
 * which is given its address, crashes without a word.
 */
function accusedBy(...namespaces: readonly [string, string]) {
  const k8s = house();
  const clients = ['api', 'web'].map((name, index) => ({ name, of: { namespace: namespaces[index] ?? '' } }));
  const labels = { app: 'db' };
  const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'DB', value: 'db.shop.svc:5432' }] }] };
  k8s.put(long, ...twoNodes, service('db', { selector: labels, createdAt: long }), endpointSlice('db', { ready: 1 }));
  k8s.put(long, ...app('db', { labels, replicas: 1 }), podOf('db', 'a', { labels }));
  k8s.put(long, ...app('cart', { replicas: 1 }), podOf('cart', 'a', { spec }));
  k8s.put(long, ...clients.flatMap(({ name, of }) => [...app(name, of), podOf(name, 'a', of)]));
  k8s.wait(at(0));
  const words = saying(long, at(1), said.rejected('db.shop.svc'));
  k8s.put(at(1), ...clients.map(({ name, of }) => podOf(name, 'a', { ...of, ...words })));
  k8s.put(at(3), podOf('cart', 'a', { spec, ...saying(long, at(3), 'stopped') }));
  k8s.wait(at(5));
  return k8s.explain();
}

test('who says nothing fails for what its neighbours say, and not for what strangers say of another', () => {
  assert.deepEqual(inShort(accusedBy('shop', 'shop')), ['Deployment/shop/db ServiceRefusing 4']);
  const apart = ['Deployment/shop/cart CrashLoopBackOff 1', 'Deployment/shop/db ServiceRefusing 3'];
  assert.deepEqual(inShort(accusedBy('team-a', 'team-a')), apart);
  assert.deepEqual(inShort(accusedBy('team-a', 'team-b')), apart);
});

test('a team is told what several others say of its own, and nothing that one other alone says', () => {
  const told = (audience: string, ...namespaces: readonly [string, string]): readonly string[] =>
    inShort(accusedBy(...namespaces).flatMap((each) => viewFor(audience, each) ?? [])).filter((root) =>
      /db/.test(root),
    );
  assert.deepEqual(told('shop', 'team-a', 'team-a'), []);
  assert.deepEqual(told('shop', 'team-a', 'team-b'), ['Deployment/shop/db ServiceRefusing 1']);
  assert.deepEqual(told('shop', 'team-a', 'shop'), ['Deployment/shop/db ServiceRefusing 3']);
  assert.deepEqual(told('team-a', 'team-a', 'team-a'), ['Deployment/shop/db ServiceRefusing 2']);
  assert.deepEqual(told(wholeCluster, 'team-a', 'team-a'), ['Deployment/shop/db ServiceRefusing 3']);
});
