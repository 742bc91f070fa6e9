import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at, workload } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, long, podOf, replicaSet, stuck, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { said, saying } from './said.ts';

/** What is told of a client that ends with some words, while a Pod of a release of the database that it names does not start and the others serve. */
function toldBeside(words: string): string[] {
  const k8s = house();
  const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'DB_HOST', value: 'db.shop.svc' }] }] };
  const labels = { app: 'db' };
  k8s.put(long, ...twoNodes, service('db'), endpointSlice('db', { ready: 2 }), ...app('db'), ...app('api'));
  k8s.put(long, podOf('db', 'a', { labels }), podOf('db', 'b', { labels }), podOf('api', 'a', { spec }));
  k8s.wait(at(0));
  const says = 'failed to resolve reference "registry.example/db:2": not found';
  k8s.put(at(0), workload('Deployment', 'db', { replicas: 2, createdAt: long, image: 'db:2', generation: 2 }));
  k8s.put(at(0), replicaSet('db', 2, { replicas: 1, createdAt: at(0), image: 'db:2' }));
  k8s.put(at(1), podOf('db', 'c', { revision: 2, labels, ...stuck(at(0), 'ErrImagePull', says) }));
  k8s.put(at(1), podOf('api', 'a', { spec, ...saying(long, at(1), words) }));
  k8s.wait(at(5));
  return inShort(k8s.explain(), () => '');
}

test('whoever does not reach somebody is told beside a server that serves, whatever else is wrong with that one', () => {
  for (const words of ['dial tcp: i/o timeout', said.refused('db.shop.svc'), 'upstream request timeout']) {
    const roots = toldBeside(words).map((each) => each.split(' ')[0]);
    assert.deepEqual(roots.sort(), ['Deployment/shop/api', 'Deployment/shop/db'], words);
  }
});
