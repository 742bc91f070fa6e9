import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/model/ref.ts';
import { Recent } from '../../../src/world/memory/recent.ts';

const [one, two, three]: readonly [Ref, Ref, Ref] = ['Pod/shop/1', 'Pod/shop/2', 'Pod/shop/3'];

test('of one object the last so many are remembered, the latest last', () => {
  const recent = new Recent<number>({ ofOne: 2, objects: 9 });
  for (const item of [1, 2, 3]) recent.remember(one, item);
  assert.deepEqual([recent.of(one), recent.of(two)], [[2, 3], []]);
});

test('of too many objects the one that had nothing new for longest is forgotten', () => {
  const recent = new Recent<number>({ ofOne: 2, objects: 2 });
  for (const ref of [one, two, one, three]) recent.remember(ref, 1);
  assert.deepEqual([...recent.keys()], [one, three]);
});

test('what is not kept is forgotten, and only what changed is saved', () => {
  const recent = new Recent<number>({ ofOne: 9, objects: 9 });
  for (const [ref, item] of [[one, 1] as const, [one, 5] as const, [two, 2] as const, [three, 7] as const])
    recent.remember(ref, item);
  assert.equal([...recent.takeChanges()].length, 3);
  recent.keep((item, ref) => item > 4 || ref === 'Pod/shop/4');
  assert.deepEqual(
    [...recent.takeChanges()],
    [
      [one, [5]],
      [two, undefined],
    ],
  );
});
