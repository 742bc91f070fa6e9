import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/model/ref.ts';
import { isSavedNormal, OwnNormals, usualOf } from '../../../src/world/memory/own-normal.ts';
import { at, condition, pod } from '../objects.ts';
import { story } from '../story.ts';

const api: Ref = 'Deployment/shop/api';
const hour = 60;
const day = 24 * hour;

test('what is usual is the median and three deviations, once ten samples tell it; one outlier changes nothing', () => {
  assert.equal(usualOf([1, 2, 3, 4, 5, 6, 7, 8, 9], 1), undefined);
  assert.deepEqual(usualOf([4, 4, 4, 4, 4, 4, 4, 4, 4, 900], 1), { median: 4, most: 7 });
  const spread = usualOf([2, 4, 6, 8, 10, 12, 14, 16, 18, 20], 1);
  assert.equal(spread?.median, 11);
  assert.ok(spread && spread.most > 30 && spread.most < 35);
});

test('restarts of a day are usual after some days of watching, and what is older than seven days is forgotten', () => {
  const normals = new OwnNormals();
  normals.watch(at(0));
  for (let minute = 0; minute < 5 * day; minute += 6 * hour) normals.restarted(api, 1, at(minute));
  assert.equal(normals.of(api, at(-900), at(4 * day)).usualRestarts, undefined);
  const { restarts, usualRestarts } = normals.of(api, at(-900), at(5 * day));
  assert.deepEqual([restarts, usualRestarts], [3, { median: 4, most: 7 }]);
  assert.deepEqual(normals.of(api, at(-900), at(20 * day)).usualRestarts, { median: 0, most: 3 });
  assert.equal(normals.of(api, at(4 * day), at(5 * day)).usualRestarts, undefined, 'one made yesterday');
});

test('it goes on after a restart as it was, as plain JSON, and nothing else is taken for it', () => {
  const before = new OwnNormals();
  before.watch(at(0));
  for (let minute = 0; minute < 6 * day; minute += 6 * hour) before.restarted(api, 2, at(minute));
  for (let index = 0; index < 12; index += 1) before.took(api, 'starts', 600 + index, at(index * hour));
  const saved = JSON.parse(JSON.stringify([...before.takeChanges()])) as [Ref, unknown][];
  const after = new OwnNormals();
  after.restore(new Map(saved.flatMap(([ref, value]) => (isSavedNormal(value) ? [[ref, value] as const] : []))), at(0));
  assert.deepEqual(after.of(api, at(-900), at(6 * day)), before.of(api, at(-900), at(6 * day)));
  assert.equal([...before.takeChanges()].length, 0);
  assert.deepEqual([null, {}, { restarts: [], steps: [['x']], starts: [], runs: [] }].map(isSavedNormal), [
    false,
    false,
    false,
  ]);
});

test('ten thousand workloads are remembered, the one of which nothing was noted for longest goes first', () => {
  const normals = new OwnNormals();
  for (let index = 0; index <= 10_000; index += 1) normals.restarted(`Deployment/shop/${index}`, 1, at(0));
  assert.equal(normals.of('Deployment/shop/0', at(-900), at(1)).restarts, 0);
  assert.equal(normals.of('Deployment/shop/1', at(-900), at(1)).restarts, 1);
  assert.equal(new Map(normals.takeChanges()).get('Deployment/shop/0'), undefined);
});

test('a Pod tells how long it took to be ready once: not when it was only unready for a while', () => {
  const { world, put } = story('Pro');
  const owner = { kind: 'StatefulSet', name: 'db' };
  const was = (name: string, ready: 'True' | 'False', since: number) =>
    pod(name, { owner, conditions: [condition('PodScheduled', 'True', at(0)), condition('Ready', ready, since)] });
  for (let index = 0; index < 12; index += 1) put(at(0), was(`db-${index}`, 'False', at(0)));
  for (let index = 0; index < 12; index += 1) put(at(20), was(`db-${index}`, 'True', at(20)));
  world.expire(at(21));
  assert.deepEqual(world.ownNormal('StatefulSet/shop/db').usualStart, { median: 1200, most: 1560 });
  for (let index = 0; index < 12; index += 1) put(at(60), was(`db-${index}`, 'False', at(60)));
  for (let index = 0; index < 12; index += 1) put(at(61), was(`db-${index}`, 'True', at(61)));
  assert.equal(world.ownNormal('StatefulSet/shop/db').usualStart?.median, 1200);
});
