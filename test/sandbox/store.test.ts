import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../sandbox/object.ts';
import { createStore } from '../../sandbox/store.ts';
import { fc } from '../fast-check.ts';

const object = (name: string, value: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid: name, resourceVersion: '', creationTimestamp: '' },
  value,
});
const shown = (objects: readonly KubeObject[] | undefined): unknown =>
  objects?.map(({ metadata, value }) => [metadata.name, metadata.resourceVersion, value]);

test('the past can be listed at every version that was, whatever was written since', () => {
  const steps = fc.array(
    fc.record({ name: fc.constantFrom('a', 'b', 'c'), remove: fc.boolean(), other: fc.boolean() }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const store = createStore(1000);
      const past: { version: number; seen: unknown }[] = [];
      for (const [value, { name, remove, other }] of all.entries()) {
        const resource = other ? 'others' : 'things';
        const present = store.get(resource, 'ns', name);
        if (remove && present) store.remove(resource, present);
        else if (!remove) store.put(resource, object(name, value));
        past.push({ version: store.version(), seen: shown(store.list('things')) });
      }
      for (const { version, seen } of past) assert.deepEqual(shown(store.listAt('things', undefined, version)), seen);
    }),
  );
});

test('only so many changes are kept; before them the past is gone', () => {
  const store = createStore(10);
  const first = store.version();
  for (let value = 0; value < 50; value += 1) store.put('things', object('a', value));
  assert.equal(store.changesAfter('things', first), undefined);
  assert.equal(store.listAt('things', undefined, first), undefined);
  const recent = store.changesAfter('things', store.version() - 5);
  assert.deepEqual(
    recent?.map((change) => change.object.value),
    [45, 46, 47, 48, 49],
  );
});

test('after a compaction only the present is known', () => {
  const store = createStore(10);
  store.put('things', object('a', 1));
  const before = store.version() - 1;
  store.compact();
  assert.equal(store.changesAfter('things', before), undefined);
  assert.deepEqual(store.changesAfter('things', store.version()), []);
  assert.equal(store.listAt('things', undefined, store.version())?.length, 1);
});
