import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, type NodeParts, node } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

/** A Node by its zone and pool. */
const made = (name: string, zone: string, pool: string, parts: NodeParts = {}) =>
  node(name, {
    since: at(-60),
    labels: { 'topology.kubernetes.io/zone': zone, 'eks.amazonaws.com/nodegroup': pool },
    ...parts,
  });
/** `a1` to `a<count>`. */
const several = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
const lost = (since: number): NodeParts => ({ ready: 'Unknown', since });
const groups = (found: readonly string[]): string[] => found.filter((each) => !each.startsWith('Node//'));

test('N23 fires: three of the Nodes of a zone are lost, of whatever pool', () => {
  const { put, found, says, finding, wait } = story();
  for (const zone of ['a', 'b']) put(at(-1), ...several(zone, 4).map((name) => made(name, zone, `p${name}`)));
  put(at(0), ...several('a', 3).map((name) => made(name, 'a', `p${name}`, lost(at(0)))));
  wait(at(0, 20));
  assert.deepEqual(groups(found()), ['Zone//a ZoneOrPoolFailing']);
  assert.equal(says('Zone//a', 'ZoneOrPoolFailing'), '3 of 4 nodes were lost at about the same time.');
  assert.equal(finding('Zone//a', 'ZoneOrPoolFailing').severity, 'critical');
});

test('N23 fires: of a pool over all zones, it is the pool; of one zone of a pool, it is the zone', () => {
  const pool = story();
  const spread = ['a', 'b', 'c'].flatMap((zone) => [`${zone}1`, `${zone}2`].map((name) => [name, zone] as const));
  pool.put(at(-1), ...spread.map(([name, zone]) => made(name, zone, 'gpu')));
  pool.put(at(-1), ...several('x', 3).map((name) => made(name, 'a', 'web')));
  pool.put(at(0), ...spread.map(([name, zone]) => made(name, zone, 'gpu', lost(at(0)))));
  pool.wait(at(1));
  assert.deepEqual(groups(pool.found()), ['NodePool//gpu ZoneOrPoolFailing']);

  const zone = story();
  zone.put(at(-1), ...['a', 'b'].flatMap((z) => several(z, 4).map((name) => made(name, z, 'web'))));
  zone.put(at(0), ...several('a', 4).map((name) => made(name, 'a', 'web', lost(at(0)))));
  zone.wait(at(1));
  assert.deepEqual(groups(zone.found()), ['Zone//a ZoneOrPoolFailing']);
});

test('N23 fires: a pool that is only part of its zone; Nodes that say neither zone nor pool are the cluster', () => {
  const part = story();
  part.put(at(-1), ...several('g', 4).map((name) => made(name, 'a', 'gpu')));
  part.put(at(-1), ...several('w', 6).map((name) => made(name, 'a', 'web')));
  part.put(at(0), ...several('g', 4).map((name) => made(name, 'a', 'gpu', lost(at(0)))));
  part.wait(at(1));
  assert.deepEqual(groups(part.found()), ['NodePool//gpu ZoneOrPoolFailing']);

  const bare = story();
  bare.put(at(-1), ...several('n', 9).map((name) => node(name, { since: at(-60) })));
  bare.put(at(0), ...several('n', 3).map((name) => node(name, lost(at(0)))));
  bare.wait(at(1));
  assert.deepEqual(groups(bare.found()), ['Cluster//nodes ZoneOrPoolFailing']);
});

test('N23 fires: both Nodes of a small zone, lost half a minute apart; two of twenty are two Nodes', () => {
  const lostOf = (all: number): string[] => {
    const { put, found, wait } = story();
    for (const zone of ['a', 'b']) put(at(-1), ...several(zone, all).map((name) => made(name, zone, 'web')));
    put(at(0), made('a1', 'a', 'web', lost(at(0))));
    put(at(0, 30), made('a2', 'a', 'web', lost(at(0, 30))));
    wait(at(2));
    return groups(found());
  };
  assert.deepEqual(lostOf(2), ['Zone//a ZoneOrPoolFailing']);
  assert.deepEqual(lostOf(20), []);
});

test('N23 is quiet: one or two lost Nodes, 3 of 80, and three that were lost on different days', () => {
  const two = story();
  two.put(at(-1), ...several('a', 4).map((name) => made(name, 'a', 'web')));
  two.put(at(0), ...several('a', 2).map((name) => made(name, 'a', 'web', lost(at(0)))));
  two.wait(at(5));
  assert.deepEqual(two.found(), ['Node//a1 NodeUnreachable', 'Node//a2 NodeUnreachable']);

  const large = story();
  large.put(at(-1), ...several('a', 80).map((name) => made(name, 'a', 'web')));
  large.put(at(0), ...several('a', 3).map((name) => made(name, 'a', 'web', lost(at(0)))));
  large.wait(at(5));
  assert.deepEqual(groups(large.found()), []);

  const apart = story();
  apart.put(at(-1), ...several('a', 4).map((name) => made(name, 'a', 'web')));
  for (const [index, name] of several('a', 3).entries()) {
    apart.put(at(index * 600), made(name, 'a', 'web', lost(at(index * 600))));
    apart.wait(at(index * 600 + 10));
  }
  assert.deepEqual(groups(apart.found()), []);
});

test('N23 clears: the Nodes are back', () => {
  const { put, found, finding, wait } = story();
  put(at(-1), ...several('a', 4).map((name) => made(name, 'a', 'web')));
  put(at(0), ...several('a', 4).map((name) => made(name, 'a', 'web', lost(at(0)))));
  wait(at(1));
  assert.equal(finding('Zone//a', 'ZoneOrPoolFailing').clearHoldMs, 180_000);
  put(at(2), ...several('a', 4).map((name) => made(name, 'a', 'web', { since: at(2) })));
  assert.deepEqual(found(), []);
});

test('N1 N2 fires: the last Node of the control plane is critical, one of three is not', () => {
  const { load, put, finding, wait } = story();
  const labels = { 'node-role.kubernetes.io/control-plane': '' };
  load(at(-1), ...several('m', 3).map((name) => node(name, { since: at(-60), labels })));
  put(at(0), node('m1', { labels, ready: 'False', since: at(0) }));
  wait(at(1));
  assert.equal(finding('Node//m1', 'NodeNotReady').severity, 'high');
  put(at(2), ...['m2', 'm3'].map((name) => node(name, { labels, ...lost(at(2)) })));
  wait(at(3));
  assert.equal(finding('Node//m3', 'NodeUnreachable').severity, 'critical');
});

test('N23 fires: a zone is judged again when a pool turns out to account for what it has lost', () => {
  const { put, found, wait } = story();
  const zones = ['a', 'b', 'c'];
  const all = zones.flatMap((zone) => several(zone, 10).map((name, index) => [name, zone, index < 4] as const));
  put(at(-1), ...all.map(([name, zone, gpu]) => made(name, zone, gpu ? 'gpu' : 'web')));
  const gpus = all.filter(([, , gpu]) => gpu);
  for (const [index, [name, zone]] of gpus.entries())
    put(at(0, index * 10), made(name, zone, 'gpu', lost(at(0, index * 10))));
  wait(at(0, 45));
  assert.deepEqual(groups(found()), ['NodePool//gpu ZoneOrPoolFailing']);
  wait(at(4));
  assert.deepEqual(groups(found()), ['NodePool//gpu ZoneOrPoolFailing']);
});

test('N23 fires: a zone with a pool of its own or two is the zone alone', () => {
  const { put, found, wait } = story();
  for (const zone of ['a', 'b'])
    put(at(-1), ...several(zone, 10).map((name, index) => made(name, zone, `${zone}-${index % 2}`)));
  put(at(0), ...several('a', 9).map((name, index) => made(name, 'a', `a-${index % 2}`, lost(at(0, index)))));
  wait(at(1));
  assert.deepEqual(groups(found()), ['Zone//a ZoneOrPoolFailing']);
});

test('N23 is quiet: new machines of a pool that are not ready yet, and cordoned ones, count for nothing beside one that is lost', () => {
  const { put, found, wait } = story();
  put(at(-1), ...several('a', 6).map((name) => made(name, 'a', 'web')));
  put(at(0), made('a1', 'a', 'web', lost(at(0))));
  const young = several('new', 3).map((name) =>
    made(name, 'a', 'web', { createdAt: at(0), ready: 'False', since: at(0) }),
  );
  const cordoned = ['a2', 'a3'].map((name) =>
    made(name, 'a', 'web', { ...lost(at(0)), spec: { unschedulable: true } }),
  );
  put(at(0), ...young, ...cordoned);
  wait(at(1));
  assert.deepEqual(groups(found()), []);
});
