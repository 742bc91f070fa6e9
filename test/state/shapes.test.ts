/** What the core and the store write has the shapes that are asked for when it is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNot } from '../../src/model/shape.ts';
import { replay } from '../../src/runtime/recording/replay.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { rowShapes } from '../../src/state/shapes/rows.ts';
import { type ChangeLog, packed } from '../../src/state/tables.ts';
import { logText, recordedNames } from '../scenarios/kit/recorded.ts';

/** One log in so many. */
const stride = 120;

/** Fails for a change that a start would set aside. */
const checking: ChangeLog = {
  append(changes) {
    for (const change of changes) {
      const [table, key, , text] = packed(change);
      if (text !== null)
        assert.equal(whyNot(rowShapes[table], JSON.parse(text)), undefined, `${table} ${key}: ${text}`);
    }
  },
  durable: () => undefined,
};

test('every row that is written while scenarios are replayed would be gone on from', () => {
  const taken = recordedNames('labelled', 'quiet', 'storm').filter((_, index) => index % stride === 0);
  assert.ok(taken.length > 5);
  let incidents = 0;
  for (const name of taken) {
    const store = new MemoryStore();
    store.attach(checking);
    for (const { effects } of replay(logText(name).split('\n'))) {
      store.commit(effects.save);
      for (const { delivery } of store.outbox()) store.begin(delivery.id);
      for (const { delivery } of store.outbox())
        store.settle(delivery.id, { is: 'delivered', at: 1, outcome: { is: 'delivered', ref: { id: '1' } } });
      incidents += effects.save.incidents.length;
    }
  }
  assert.ok(incidents > 50, String(incidents));
});
