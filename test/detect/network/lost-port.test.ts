import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, pod, status } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Service/shop/orders';
const found = [`${ref} ServicePortGone`];

/** The Service that others use, with ports by number. */
const orders = (ports: readonly number[], spec: Record<string, unknown> = { clusterIP: '10.96.0.9' }): RawObject =>
  service('orders', { createdAt: at(-60), selector: undefined, ports: ports.map((port) => ({ port })), spec });

/** A Pod with a variable that names whom it asks. */
const asking = (value: string, parts: object = {}): RawObject =>
  pod('web', {
    createdAt: at(-60),
    containers: [{ name: 'web', image: 'web:1', env: [{ name: 'ORDERS_URL', value }] }],
    statuses: [status('web')],
    ...parts,
  });

/** What is found an hour after the first of some steps; each is a minute behind the other at least. */
function after(before: readonly RawObject[], ...steps: readonly (readonly [minute: number, ...raws: RawObject[]])[]) {
  const cluster = story();
  cluster.put(at(0), endpointSlice('orders', { createdAt: at(-60) }), ...before);
  for (const [minute, ...raws] of steps) cluster.put(at(minute), ...raws);
  cluster.wait(at(59));
  return cluster;
}

test('T49 fires: a port that a Pod asks for and that its Service lost in an edit is told after a minute', () => {
  const { put, wait, finding, says, found: all } = story();
  put(at(0), orders([80, 9000]), endpointSlice('orders', { createdAt: at(-60) }), asking('http://orders:9000/v1'));
  put(at(5), orders([80]));
  wait(at(5, 59));
  assert.deepEqual(all(), []);
  wait(at(6));
  assert.deepEqual(all(), found);
  const { severity, facts } = finding(ref, 'ServicePortGone');
  assert.equal(severity, 'medium');
  assert.deepEqual(facts, { port: 9000, asks: 'Pod shop/web', workloads: 1, open: '80' });
  assert.equal(
    says(ref, 'ServicePortGone'),
    'Pod shop/web asks for port 9000 of it, which it has not had since it was edited; there is 80.',
  );
});

test('T49 fires: a URL without a port means that of its scheme, and a name in full the Service of its namespace', () => {
  for (const value of ['http://orders/v1', 'http://orders.shop.svc.cluster.local', 'orders.shop:80'])
    assert.deepEqual(after([orders([80]), asking(value)], [5, orders([8080])]).found(), found, value);
});

test('T49 clears: the Service has the port again, or nobody asks for it any more', () => {
  const again = after([orders([80, 9000]), asking('orders:9000')], [5, orders([80])], [30, orders([80, 9000])]);
  assert.deepEqual(again.found(), []);
  const moved = after([orders([80, 9000]), asking('orders:9000')], [5, orders([80])], [30, asking('orders:80')]);
  assert.deepEqual(moved.found(), []);
});

test('T49 is quiet: a second edit within a minute sets it right', () => {
  const { put, wait, found: all } = story();
  put(at(0), orders([80, 9000]), asking('orders:9000'));
  put(at(5), orders([80]));
  put(at(5, 50), orders([80, 9000]));
  wait(at(30));
  assert.deepEqual(all(), []);
});

test('T49 is quiet: where it never worked, and where nobody is seen to ask', () => {
  const quiet: Record<string, ReturnType<typeof after>> = {
    'a port that it never had': after([orders([80]), asking('orders:9000')], [5, orders([80, 81])]),
    'no edit': after([orders([80]), asking('orders:9000')]),
    'another port': after([orders([80, 9000]), asking('orders:80')], [5, orders([80])]),
    'no port': after([orders([80, 9000]), asking('orders')], [5, orders([80])]),
    'a namesake elsewhere': after([orders([80, 9000]), asking('orders.crm:9000')], [5, orders([80])]),
    'a target that moved': after(
      [orders([80]), asking('orders:80')],
      [5, service('orders', { createdAt: at(-60), selector: undefined, ports: [{ port: 80, targetPort: 81 }] })],
    ),
    'a Pod that does not serve': after(
      [orders([80, 9000]), asking('orders:9000', { statuses: [status('web', { ready: false })] })],
      [5, orders([80])],
    ),
    'a headless Service': after(
      [orders([80, 9000], { clusterIP: 'None' }), asking('orders:9000')],
      [5, orders([80], { clusterIP: 'None' })],
    ),
  };
  for (const [what, cluster] of Object.entries(quiet))
    assert.deepEqual(
      cluster.found().filter((each) => each.startsWith('Service')),
      [],
      what,
    );
});
