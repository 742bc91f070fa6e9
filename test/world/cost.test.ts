import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../src/model/ref.ts';
import { endpointSlice, service } from './network-objects.ts';
import { at, pod, start, workload } from './objects.ts';
import { story } from './story.ts';

const count = 2_000;

const namespaces = 10;

/** 2,000 applications in ten namespaces, each with a Deployment, a Service, its EndpointSlice and a Pod. */
function crowdedWorld() {
  const { world } = story();
  for (let index = 0; index < count; index += 1) {
    const name = `app-${index}`;
    const namespace = index % namespaces === 7 ? 'shop' : `ns-${index % namespaces}`;
    const labels = { app: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'api', image: `${name}:1` }] } };
    world.load(
      'deployments.apps',
      [{ is: 'put', raw: workload('Deployment', name, { namespace, spec: { template } }) }],
      start,
    );
    world.load('services', [{ is: 'put', raw: service(name, { namespace }) }], start);
    world.load('endpointslices.discovery.k8s.io', [{ is: 'put', raw: endpointSlice(name, { namespace }) }], start);
    world.load(
      'pods',
      [{ is: 'put', raw: pod(`${name}-0`, { namespace, labels, owner: { kind: 'ReplicaSet', name } }) }],
      start,
    );
  }
  return world;
}

const world = crowdedWorld();

const servicesOf = (dirty: ReadonlySet<Ref>): Ref[] => [...dirty].filter((ref) => ref.startsWith('Service/'));

test('a Pod or an EndpointSlice among 2,000 Services concerns its own Service and no other', () => {
  const own: Ref = 'Service/shop/app-7';
  const owner = { kind: 'ReplicaSet', name: 'app-7' };
  const second = pod('app-7-1', { labels: { app: 'app-7' }, owner });
  const steps = [
    ['pods', second],
    ['pods', pod('app-7-0', { labels: { app: 'app-7' }, owner, deletionAt: at(1) })],
    ['endpointslices.discovery.k8s.io', endpointSlice('app-7', { ready: 0 })],
  ] as const;
  for (const [source, raw] of steps)
    assert.deepEqual(servicesOf(world.apply(source, [{ is: 'put', raw }], at(1))), [own], source);
  assert.deepEqual(servicesOf(world.apply('pods', [{ is: 'gone', raw: second }], at(2))), [own]);
});

test('a Pod is compared with the selectors that ask for one of its labels, not with all', () => {
  let looked = 0;
  const labels = new Proxy({ app: 'app-7', tier: 'web' } as Record<string, string>, {
    get(target, key, receiver) {
      if (key === 'app') looked += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  assert.deepEqual([...world.servicesFor('shop', labels)], ['Service/shop/app-7']);
  assert.ok(looked <= 3, `${looked} comparisons`);
});

test('a new kind of Pods concerns the Services of its namespace that select nothing, once: the second Pod does not', () => {
  world.apply('services', [{ is: 'put', raw: service('lost', { selector: { app: 'lost' } }) }], at(0));
  world.apply('services', [{ is: 'put', raw: service('other', { namespace: 'blog', selector: { app: 'x' } }) }], at(0));
  const put = (name: string) => {
    const raw = pod(name, { labels: { app: 'found' }, owner: { kind: 'ReplicaSet', name: 'found' } });
    return servicesOf(world.apply('pods', [{ is: 'put', raw }], at(1)));
  };
  assert.deepEqual(put('found-0'), ['Service/shop/lost']);
  assert.deepEqual(put('found-1'), []);
});
