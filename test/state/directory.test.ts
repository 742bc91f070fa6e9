import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commit, contents, explained, incident, start, temporaryDirectory, told } from './stage.ts';

test('what was committed, begun and settled is there at the next start', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  assert.deepEqual([first.found.is, first.found.saved?.incidents, first.found.problem], ['read', [], undefined]);
  const { store } = first;
  commit(store, {
    incidents: [incident('a'), incident('b', { left: { shop: explained('b', 1) } }), incident('c')],
    enqueue: [told('a', 'open', 1), told('b', 'open', 1), told('c', 'open', 1)],
    memos: [{ topic: 'storms', key: 'shop', value: { until: 5 } }],
  });
  store.begin(told('a', 'open', 1).id);
  store.settle(told('a', 'open', 1).id, { is: 'delivered', at: 1, outcome: { is: 'delivered', ref: { ts: '1' } } });
  const failure = { class: 'permanent', code: 'Rejected', message: 'no' } as const;
  store.settle(told('b', 'open', 1).id, { is: 'failed', at: 2, failure });
  commit(store, { incidents: [incident('a', { revision: 2 })], forget: ['c'], enqueue: [told('a', 'update', 2)] });
  await store.durable();
  const before = contents(store);
  await first.state.close(1000);

  const second = await start(t, directory);
  assert.deepEqual(contents(second.store), before);
  assert.deepEqual(second.store.reference('a', 'uid-oncall'), { ts: '1' });
  assert.deepEqual([second.found.setAside, second.told], [undefined, []]);
});
