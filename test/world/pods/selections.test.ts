import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { type Ref, refOf } from '../../../src/model/ref.ts';
import { ObjectLinks } from '../../../src/world/reading/object-links.ts';
import { fc } from '../../fast-check.ts';
import { endpointSlice, service } from '../network-objects.ts';
import { pod, start, workload } from '../objects.ts';
import { story } from '../story.ts';

type Labels = Record<string, string>;

const labels = fc.constantFrom<Labels>({ app: 'a' }, { app: 'b' }, { app: 'a', tier: 'a' }, { tier: 'a' }, {});
const namespaces = fc.constantFrom('shop', 'shop', 'shop', 'blog');
const name = fc.constantFrom('one', 'two', 'three');

/** A step: an object comes, changes its labels or goes. `owner`: Pods of one owner and template share what is kept of them. */
const step = fc.record({
  kind: fc.constantFrom('Pod', 'Pod', 'Pod', 'Service', 'Deployment'),
  namespace: namespaces,
  name,
  labels,
  owner: fc.constantFrom('x', 'x', 'y', undefined),
  gone: fc.boolean(),
  uid: fc.constantFrom('first', 'first', 'second'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function rawOf({ kind, namespace, name: called, labels: own, owner, uid }: Step): RawObject {
  const common = { namespace, labels: own, uid };
  if (kind === 'Service') return service(called, { ...common, selector: own });
  if (kind === 'Deployment')
    return workload('Deployment', called, {
      ...common,
      spec: { template: { metadata: { labels: own }, spec: { containers: [] } } },
    });
  return pod(called, { ...common, ...(owner ? { owner: { kind: 'StatefulSet', name: owner } } : {}) });
}

const isSelected = (selector: Labels, own: Labels): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([key, value]) => own[key] === value);

const sorted = (refs: Iterable<Ref>): Ref[] => [...refs].sort();

test('whatever comes, changes its labels and goes in whatever order: who selects whom is what a comparison of all with all says', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const { world } = story();
      const held = new Map<Ref, Step>();
      const source = { Pod: 'pods', Service: 'services', Deployment: 'deployments.apps' } as const;
      for (const each of steps) {
        const kind = each.kind as keyof typeof source;
        const ref = refOf(kind, each.namespace, each.name);
        const known = held.get(ref);
        if (each.gone && !known) continue;
        const raw = rawOf(each.gone && known ? known : each);
        world.apply(source[kind], [{ is: each.gone ? 'gone' : 'put', raw }], start);
        if (each.gone) held.delete(ref);
        else held.set(ref, each);
      }
      const of = (kind: string): [Ref, Step][] => [...held].filter(([, each]) => each.kind === kind);
      for (const [ref, each] of of('Service')) {
        const selected = (kind: string): Ref[] =>
          of(kind)
            .filter(([, other]) => other.namespace === each.namespace && isSelected(each.labels, other.labels))
            .map(([other]) => other)
            .sort();
        assert.deepEqual(sorted(world.linked(ref, 'selects', 'out')), selected('Pod'));
        assert.deepEqual(sorted(world.linked(ref, 'fronts', 'out')), selected('Deployment'));
      }
      for (const [kind, link] of [
        ['Pod', 'selects'],
        ['Deployment', 'fronts'],
      ] as const)
        for (const [ref, each] of of(kind)) {
          const selecting = of('Service').filter(
            ([, other]) => other.namespace === each.namespace && isSelected(other.labels, each.labels),
          );
          assert.deepEqual(sorted(world.linked(ref, link, 'in')), selecting.map(([other]) => other).sort());
        }
      for (const namespace of ['shop', 'blog']) {
        const there = [...of('Pod'), ...of('Deployment')].filter(([, other]) => other.namespace === namespace);
        const distinct = (all: Iterable<Labels>): string[] =>
          [...new Set(Array.from(all, (own) => JSON.stringify(Object.entries(own).sort())))].sort();
        assert.deepEqual(distinct(world.podLabels(namespace)), distinct(there.map(([, other]) => other.labels)));
      }
    }),
    { numRuns: 1000 },
  );
});

test('a link by name is found from its target as long as somebody states it, in whatever order they come and go', () => {
  const link = fc.record({
    from: fc.constantFrom<Ref>('Ingress/shop/a', 'Ingress/shop/b'),
    links: fc.array(
      fc.record({
        type: fc.constantFrom('routes-to' as const, 'of-class' as const),
        to: fc.constantFrom<Ref>('Service/shop/x', 'Service/shop/y'),
      }),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(fc.array(link, { maxLength: 20 }), (steps) => {
      const index = new ObjectLinks();
      const stated = new Map<Ref, (typeof steps)[number]['links']>();
      for (const { from, links } of steps) {
        index.remove(from, stated.get(from) ?? []);
        index.add(from, links);
        stated.set(from, links);
      }
      const holds = (to: Ref, type: string): Ref[] =>
        [...stated].filter(([, links]) => links.some((one) => one.to === to && one.type === type)).map(([ref]) => ref);
      for (const to of ['Service/shop/x', 'Service/shop/y'] as const) {
        for (const type of ['routes-to', 'of-class'] as const)
          assert.deepEqual(sorted(index.to(to, type)), holds(to, type).sort());
        const any = [...stated].filter(([, links]) => links.some((one) => one.to === to)).map(([ref]) => ref);
        assert.deepEqual([...new Set(index.toAny(to))].sort(), any.sort());
      }
    }),
    { numRuns: 300 },
  );
});

test('a Pod like its first sibling is selected although that one has other labels by now', () => {
  const { world, put } = story();
  const owner = { kind: 'StatefulSet', name: 'db' };
  put(start, pod('db-0', { labels: { app: 'db' }, owner }));
  put(start, pod('db-0', { labels: { app: 'old' }, owner }));
  put(start, service('db'));
  put(start, pod('db-1', { labels: { app: 'db' }, owner }));
  assert.deepEqual([...world.linked('Service/shop/db', 'selects', 'out')], ['Pod/shop/db-1']);
});

test('an EndpointSlice tells how many endpoints get traffic: one of which nobody says otherwise does, one on its way out is none', () => {
  const { world, put } = story();
  const endpoints = [
    { conditions: { ready: true, serving: true, terminating: false } },
    { conditions: { ready: false, serving: false, terminating: false } },
    { conditions: { ready: false, serving: true, terminating: true } },
    { conditions: {} },
    {},
  ];
  put(start, endpointSlice('api', { endpoints, ports: [{ name: 'http', port: 8080 }, { port: 9090 }] }));
  const view = world.get('EndpointSlice/shop/api-x');
  assert.ok(typeof view === 'object' && view.kind === 'EndpointSlice');
  const { endpoints: all, ready, serving, ports, labels, owner } = view;
  const kept = { all, ready, serving, ports, labels, owner };
  assert.deepEqual(kept, { all: 4, ready: 3, serving: 4, ports: ['http', ''], labels: {}, owner: undefined });
  assert.deepEqual([...world.linked('Service/shop/api', 'backs', 'in')], ['EndpointSlice/shop/api-x']);
});
