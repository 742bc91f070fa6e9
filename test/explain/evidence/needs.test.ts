import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition, stamp } from '../../world/objects.ts';
import { inShort } from '../helpers.ts';
import { app, crashing, long, lostNode, outage, podOf, replicaSet, twoNodes, unready } from '../proof.ts';
import { house } from '../raw.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };
const db = (which: string, parts: Parameters<typeof podOf>[2] = {}) => podOf('db', which, { labels, ...parts });
const slice = (ready: number) => endpointSlice('db', { ready, unready: 2 - ready });

/** The Pod of a workload that is told where the database is. */
function client(name: string, parts: Parameters<typeof podOf>[2] = {}) {
  const env = [{ name: 'DATABASE_URL', value: 'postgres://shop:secret@db.shop.svc:5432/shop' }];
  return podOf(name, 'a', { ...parts, spec: { containers: [{ name: 'api', image: `shop/${name}:1`, env }] } });
}

/** A client that crashed by an instant and said last that a call took too long, and not whose. */
const tookTooLong = (until: number) => saying(long, until, said.tookTooLong);

function shop() {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), ...app('db', { labels }), service('db'), slice(2));
  k8s.put(long, client('api'), client('web'), db('a'), db('b', { node: 'n2' }));
  k8s.wait(at(0));
  return k8s;
}

test('what depends on a database that is down is told with it, in one message', () => {
  const k8s = shop();
  k8s.put(at(1), db('a', crashing(long, at(1))), db('b', { node: 'n2', ...crashing(long, at(1)) }), slice(0));
  k8s.put(at(1), ...app('db', { labels, ...outage(at(1)) }));
  k8s.put(at(1, 20), client('api', tookTooLong(at(1, 20))), client('web', tookTooLong(at(1, 25))));
  k8s.wait(at(6));
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/db CrashLoopBackOff 6']);
  assert.deepEqual(k8s.told, ['open Deployment/shop/db Settled → oncall']);
  assert.deepEqual(k8s.explain()[0]?.workloads, ['Deployment/shop/api', 'Deployment/shop/db', 'Deployment/shop/web']);
});

test('a client that is found to fail before the database is waits for what is found of the database', () => {
  const k8s = shop();
  k8s.put(
    at(1),
    db('a', { conditions: unready(at(1)) }),
    db('b', { node: 'n2', conditions: unready(at(1)) }),
    slice(0),
  );
  k8s.put(at(1, 5), client('api', saying(long, at(1, 5), said.refused('db.shop.svc'))));
  k8s.wait(at(1, 50));
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/api CrashLoopBackOff 1']);
  assert.deepEqual(k8s.told, [], 'nobody answers at the database since a moment');
  k8s.put(at(2), db('a', crashing(long, at(2))), db('b', { node: 'n2', ...crashing(long, at(2)) }));
  k8s.wait(at(6));
  assert.deepEqual(k8s.told, ['open Deployment/shop/db Settled → oncall']);
});

test('a client whose log says another reason does not wait for the database, nor one that needs nothing', () => {
  for (const isClient of [true, false]) {
    const k8s = shop();
    k8s.put(at(1), db('a', { conditions: unready(at(1)) }), slice(0));
    const words = saying(long, at(1, 5), said.variable);
    k8s.put(at(1, 5), isClient ? client('api', words) : podOf('api', 'a', crashing(long, at(1, 5))));
    k8s.wait(at(1, 30));
    assert.ok(k8s.told.includes('open Deployment/shop/api Settled → oncall'), k8s.told.join('\n'));
  }
});

test('what agrees by a majority is down for who says so once it has lost that, though one of it still answers', () => {
  const says = said.refused('db.shop.svc');
  const told = (third: 'crashes' | 'serves', words: string) => {
    const k8s = house();
    k8s.put(long, ...twoNodes, ...app('api'), ...app('db', { labels, replicas: 3 }), service('db'), slice(2));
    k8s.put(long, podOf('api', 'a'), db('a'), db('b', { node: 'n2' }), db('c'));
    k8s.wait(at(0));
    k8s.put(at(1), db('a', crashing(long, at(1))));
    if (third === 'crashes') k8s.put(at(1), db('b', { node: 'n2', ...crashing(long, at(1)) }));
    k8s.put(at(1, 20), podOf('api', 'a', saying(long, at(1, 20), words)));
    k8s.wait(at(4));
    return inShort(k8s.explain());
  };
  assert.deepEqual(told('crashes', says), ['Deployment/shop/db CrashLoopBackOff 3']);
  const apart = ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/db CrashLoopBackOff 1'];
  assert.deepEqual(told('serves', says), apart, 'two of three are a majority');
  const both = ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/db CrashLoopBackOff 2'];
  assert.deepEqual(told('crashes', said.variable), both, 'it says another reason');
});

test('it stays with it while it recovers after the database has', () => {
  const k8s = shop();
  k8s.put(at(1), db('a', crashing(long, at(1))), db('b', { node: 'n2', ...crashing(long, at(1)) }), slice(0));
  k8s.put(at(1, 20), client('api', tookTooLong(at(1, 20))));
  k8s.wait(at(6));
  k8s.put(at(6), db('a'), db('b', { node: 'n2' }), slice(2), ...app('db', { labels }));
  k8s.wait(at(8));
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/db CrashLoopBackOff 1']);
});

/** A Pod of the database between two crashes: it is ready again, by a run that began at an instant. */
function restarted(which: string, crashedAt: number, since: number) {
  const { createdAt, statuses } = crashing(long, crashedAt);
  const again = statuses.map((status) => ({ ...status, ready: true, state: { running: { startedAt: stamp(since) } } }));
  const pod = { createdAt, statuses: again, conditions: [condition('Ready', 'True', since)] };
  return db(which, { node: which === 'a' ? 'n1' : 'n2', ...pod });
}

test('a database that serves for a moment between two crashes keeps its clients', () => {
  const k8s = shop();
  k8s.put(at(1), db('a', crashing(long, at(1))), db('b', { node: 'n2', ...crashing(long, at(1)) }), slice(0));
  k8s.put(at(1, 20), client('api', tookTooLong(at(1, 20))), client('web', tookTooLong(at(1, 25))));
  k8s.put(at(2), restarted('a', at(1), at(2)), restarted('b', at(1), at(2)), slice(2));
  k8s.put(at(3), db('a', crashing(long, at(3))), db('b', { node: 'n2', ...crashing(long, at(3)) }), slice(0));
  k8s.wait(at(6));
  assert.deepEqual(
    k8s.explain().map(({ root }) => root.ref),
    ['Deployment/shop/db'],
  );
  assert.deepEqual(k8s.told, ['open Deployment/shop/db Settled → oncall']);
});

test('a database that was up when its client began to fail, and failed later, is not why', () => {
  const k8s = shop();
  k8s.put(at(1), client('api', crashing(long, at(1))));
  k8s.put(at(3), db('a', crashing(long, at(3))), db('b', { node: 'n2', ...crashing(long, at(3)) }), slice(0));
  k8s.wait(at(6));
  assert.ok(k8s.explain().some(({ root }) => root.ref === 'Deployment/shop/api'));
});

test('a database of which some Pods still serve takes nobody along', () => {
  const k8s = shop();
  k8s.put(at(1), db('a', crashing(long, at(1))), slice(1));
  k8s.put(at(1, 20), client('api', crashing(long, at(1, 20))));
  k8s.wait(at(4));
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/api CrashLoopBackOff 1',
    'Deployment/shop/db CrashLoopBackOff 1',
  ]);
});

test('a workload that was just released and never served is its release, whatever else is down', () => {
  const k8s = shop();
  k8s.put(at(1), db('a', crashing(long, at(1))), db('b', { node: 'n2', ...crashing(long, at(1)) }), slice(0));
  k8s.put(
    at(2),
    ...app('api', { image: 'shop/api:2' }).slice(0, 1),
    replicaSet('api', 2, { createdAt: at(2), image: 'shop/api:2' }),
  );
  k8s.put(at(2, 30), client('api', { revision: 2, ...crashing(at(2), at(2, 30)) }));
  k8s.wait(at(5));
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/api CrashLoopBackOff 1',
    'Deployment/shop/db CrashLoopBackOff 3',
  ]);
});

test('what depends on a database that went with its Node is the doing of the Node', () => {
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('api'), ...app('db', { labels }), service('db'), endpointSlice('db'));
  k8s.put(long, client('api', { node: 'n2' }), db('a'));
  k8s.wait(at(0));
  k8s.put(at(1), lostNode(at(1)));
  k8s.put(at(1, 1), db('a', { conditions: unready(at(1, 1)) }), endpointSlice('db', { ready: 0, unready: 1 }));
  k8s.put(at(1, 20), client('api', { node: 'n2', ...tookTooLong(at(1, 20)) }));
  k8s.wait(at(4));
  assert.deepEqual(
    k8s.explain().map(({ root }) => root.ref),
    ['Node//n1'],
  );
});

test('two that stand in a row behind a database are told with it, and so is what is wrong with the database', () => {
  const web = (parts: Parameters<typeof podOf>[2] = {}) =>
    podOf('web', 'a', {
      ...parts,
      spec: {
        containers: [{ name: 'api', image: 'shop/web:1', env: [{ name: 'API', value: 'http://api.shop.svc' }] }],
      },
    });
  const labelled = { labels: { app: 'api' } };
  const k8s = house();
  k8s.put(long, ...twoNodes, ...app('api', labelled), ...app('web'), ...app('db', { labels, replicas: 1 }));
  k8s.put(long, service('db'), endpointSlice('db'), service('api'), endpointSlice('api'));
  k8s.put(long, client('api', labelled), web(), db('a'));
  k8s.wait(at(0));
  const dead = { labels, replicas: 1, ...outage(at(1)) };
  k8s.put(at(1), db('a', crashing(long, at(1))), endpointSlice('db', { ready: 0, unready: 1 }), ...app('db', dead));
  const refused = { ...labelled, conditions: unready(at(1, 30)) };
  k8s.put(at(1, 30), client('api', refused), endpointSlice('api', { ready: 0, unready: 1 }));
  k8s.put(at(1, 30), ...app('api', { ...labelled, ...outage(at(1, 30)) }));
  k8s.put(at(1, 40), web({ conditions: unready(at(1, 40)) }), ...app('web', outage(at(1, 40))));
  for (let second = 0; second <= 240; second += 10) {
    k8s.wait(at(1, 50 + second));
    const roots = k8s.explain().map(({ root }) => root.ref);
    assert.ok(roots.length === 0 || roots.includes('Deployment/shop/db'), `${second} s: ${roots.join(', ')}`);
  }
  assert.deepEqual(
    k8s.explain().map(({ root }) => root.ref),
    ['Deployment/shop/db'],
  );
});
