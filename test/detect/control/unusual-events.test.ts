import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { at, node, pod, status, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const owner = { kind: 'ReplicaSet', name: 'api-r1' };
const says = 'port 8080 is leased to shop/old';

/** A Warning about an object once a minute from one minute to another. */
function repeats(
  k8s: ReturnType<typeof story>,
  about: RawObject,
  from: number,
  to: number,
  reason = 'PortTaken',
): void {
  for (let minute = from; minute <= to; minute += 1) {
    const parts = { count: minute - from + 1, firstAt: at(from), message: says, reporter: 'exposer' };
    k8s.put(at(minute), eventOn(about, reason, at(minute), parts));
  }
}

test('E2 fires and clears: a Warning that no row knows, again and again for 10 min, until it has been quiet', () => {
  const k8s = story();
  const api = pod('api');
  k8s.put(at(0), api);
  repeats(k8s, api, 1, 10);
  assert.deepEqual(k8s.found(), []);
  k8s.put(at(12), eventOn(api, 'PortTaken', at(12), { count: 12, firstAt: at(1), message: says, reporter: 'exposer' }));
  assert.deepEqual(k8s.found(), ['Pod/shop/api UnusualEvent']);
  const { severity, scope, facts } = k8s.finding('Pod/shop/api', 'UnusualEvent');
  assert.deepEqual([severity, scope, facts.events], ['low', 'PortTaken', 12]);
  assert.equal(
    k8s.says('Pod/shop/api', 'UnusualEvent'),
    'The exposer repeats the warning PortTaken: port 8080 is leased to shop/old.',
  );
  k8s.wait(at(47));
  assert.deepEqual(k8s.found(), ['Pod/shop/api UnusualEvent']);
  k8s.wait(at(48));
  assert.deepEqual(k8s.found(), []);
});

test('E2 fires: what keeps an Ingress without an address is worth a message, what goes on beside one is not', () => {
  const severityWith = (addresses: readonly object[]): string | undefined => {
    const k8s = story();
    const way = {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', spec: {} },
      metadata: { name: 'web', namespace: 'shop', uid: 'web', creationTimestamp: new Date(at(0)).toISOString() },
      status: { loadBalancer: { ingress: addresses } },
    };
    k8s.put(at(0), way);
    repeats(k8s, way, 1, 12);
    return k8s.finding('Ingress/shop/web', 'UnusualEvent').severity;
  };
  assert.deepEqual([severityWith([]), severityWith([{ ip: '192.0.2.7' }])], ['medium', 'low']);
});

test('E2 fires: once about each of three Pods of one owner', () => {
  const k8s = story();
  const pods = ['a', 'b', 'c'].map((name) => pod(`api-${name}`, { owner }));
  k8s.put(at(0), workload('ReplicaSet', 'api-r1'), ...pods);
  for (const each of pods) k8s.put(at(1), eventOn(each, 'PortTaken', at(1)));
  k8s.wait(at(11));
  assert.deepEqual(k8s.found(), ['Pod/shop/api-c UnusualEvent']);
});

test('E2 clears: after an hour where the object is not healthy, for all that it is quiet', () => {
  const k8s = story();
  const api = pod('api', { statuses: [status('api', { ready: false })] });
  k8s.put(at(0), api);
  repeats(k8s, api, 1, 12);
  k8s.wait(at(60));
  assert.ok(k8s.found().includes('Pod/shop/api UnusualEvent'));
  k8s.wait(at(73));
  assert.equal(k8s.found().includes('Pod/shop/api UnusualEvent'), false);
});

test('E2 is quiet: what other rows read, remarks that repeat for ever, four times, twice a minute and then no more', () => {
  const k8s = story();
  const names = ['unhealthy', 'dns', 'seldom', 'few', 'normal'] as const;
  const pods = new Map(names.map((name) => [name, pod(name)]));
  k8s.put(at(0), ...pods.values());
  const on = (name: (typeof names)[number]): RawObject => pods.get(name) ?? pod(name);
  repeats(k8s, on('dns'), 1, 40, 'DNSConfigForming');
  k8s.put(at(1), eventOn(on('few'), 'PortTaken', at(40), { count: 4, firstAt: at(38) }));
  k8s.put(at(40), eventOn(on('seldom'), 'PortTaken', at(40), { count: 6, firstAt: at(1) }));
  k8s.put(at(40), eventOn(on('normal'), 'Synced', at(40), { type: 'Normal', count: 100, firstAt: at(1) }));
  k8s.put(at(40), eventOn(on('unhealthy'), 'FailedSync', at(40), { count: 20, firstAt: at(20) }));
  k8s.wait(at(50));
  assert.deepEqual(k8s.found(), []);
});

/** Deployments of one Pod each, and a controller that begins to complain about all of them at an instant after hours of `usual`. */
function loud(apps: number, usual: number, perMinute: number) {
  const k8s = story('Pro');
  k8s.put(at(-400), node('n1'));
  const pods = Array.from({ length: apps }, (_, index) => pod(`app-${index}`, { createdAt: at(-400) }));
  k8s.put(at(-400), ...pods);
  const [first] = pods;
  for (let minute = -390; minute < 0; minute += 30)
    for (let time = 0; first && time < usual / 2; time += 1) {
      const parts = { count: 1, firstAt: at(minute) };
      k8s.put(at(minute), {
        ...eventOn(first, 'Noted', at(minute), parts),
        metadata: { name: `noted${minute}.${time}`, namespace: 'shop', uid: `${minute}.${time}` },
      });
    }
  k8s.world.expire(at(0));
  for (let minute = 1; minute <= 40; minute += 1)
    for (const each of pods)
      k8s.put(at(minute), eventOn(each, 'PortTaken', at(minute), { count: minute * perMinute, firstAt: at(1) }));
  return k8s;
}

test('E3 fires and clears: twenty times as many Warnings as usual about many objects that look healthy are one storm', () => {
  const k8s = loud(12, 4, 1);
  assert.ok(k8s.found().includes('Cluster//events EventStorm'));
  assert.match(
    k8s.says('Cluster//events', 'EventStorm'),
    /^It has had \d+ warnings in half an hour, where 4 an hour are usual, most of them PortTaken \(\d+\)\.$/,
  );
  k8s.wait(at(77));
  assert.deepEqual(k8s.found(), []);
});

test('E3 is quiet: few objects, a cluster that is as loud every hour, and Warnings of less than 3 h', () => {
  for (const k8s of [loud(5, 4, 4), loud(12, 120, 1)])
    assert.equal(k8s.found().includes('Cluster//events EventStorm'), false);
  const young = story('Pro');
  const pods = Array.from({ length: 12 }, (_, index) => pod(`app-${index}`));
  young.put(at(0), ...pods);
  for (const each of pods) repeats(young, each, 1, 40);
  assert.equal(young.found().filter((found) => found.endsWith('UnusualEvent')).length, 12);
  assert.equal(young.found().includes('Cluster//events EventStorm'), false);
});

test('E3 is quiet: a thousand Pods that fail are told by what fails, however many Warnings they bring', () => {
  const k8s = story('Pro');
  const failing = Array.from({ length: 200 }, (_, index) =>
    pod(`app-${index}`, { createdAt: at(-400), statuses: [status('api', { ready: false })] }),
  );
  k8s.put(at(-400), ...failing);
  const [first] = failing;
  if (first) k8s.put(at(-390), eventOn(first, 'Noted', at(-390)));
  for (let minute = 1; minute <= 30; minute += 5)
    for (const each of failing)
      k8s.put(at(minute), eventOn(each, 'PortTaken', at(minute), { count: minute, firstAt: at(1) }));
  assert.equal(k8s.found().includes('Cluster//events EventStorm'), false);
});
