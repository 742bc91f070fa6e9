import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Multimap } from '../../../src/world/reading/multimap.ts';
import { fc } from '../../fast-check.ts';

test('a multimap holds what a map of sets would, in whatever order values come and go', () => {
  const step = fc.record({
    does: fc.constantFrom('add' as const, 'remove' as const),
    key: fc.constantFrom('a', 'b'),
    value: fc.constantFrom('x', 'y', 'z'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const map = new Multimap<string, string>();
      const sets = new Map<string, Set<string>>();
      for (const { does, key, value } of steps) {
        map[does](key, value);
        const set = sets.get(key) ?? new Set();
        if (does === 'add') set.add(value);
        else set.delete(value);
        if (set.size > 0) sets.set(key, set);
        else sets.delete(key);
      }
      assert.deepEqual([...map.keys()].sort(), [...sets.keys()].sort());
      for (const key of ['a', 'b']) assert.deepEqual([...map.get(key)], [...(sets.get(key) ?? [])]);
    }),
    { numRuns: 500 },
  );
});
