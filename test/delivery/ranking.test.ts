import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ranking } from '../../src/delivery/ranking.ts';
import { fc } from '../fast-check.ts';

const change = fc.record({ key: fc.nat(20), rank: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }) });

test('however keys come, go and change their rank, the first is one of the lowest rank', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: 'max' }), (changes) => {
      const ranking = new Ranking<number>();
      const model = new Map<number, number>();
      for (const { key, rank } of changes) {
        if (rank === undefined) ranking.delete(key);
        else ranking.set(key, rank);
        if (rank === undefined) model.delete(key);
        else model.set(key, rank);
        const first = ranking.first();
        const ranks = [...model.values()].sort((one, other) => one - other);
        assert.equal(first?.rank, ranks[0]);
        assert.equal(first && model.get(first.key), ranks[0]);
        assert.equal(ranking.size, model.size);
      }
    }),
  );
});
