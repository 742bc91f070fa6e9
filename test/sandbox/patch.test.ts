import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFields, difference, listKeysOfBuiltIns, union, withoutFields } from '../../sandbox/field-sets.ts';
import { jsonPatch, mergeByKeys, mergePatch } from '../../sandbox/patch.ts';

test('a merge patch follows the examples of RFC 7396', () => {
  const cases: [unknown, unknown, unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [['a'], { a: 'c' }, { a: 'c' }],
  ];
  for (const [target, patch, result] of cases) assert.deepEqual(mergePatch(target, patch), result);
});

test('keyed lists merge by key; $patch deletes an item or replaces them all', () => {
  const target = {
    conditions: [
      { type: 'A', status: 'True', reason: 'R' },
      { type: 'B', status: 'True' },
    ],
  };
  const merge = (conditions: object[]): unknown => mergeByKeys(target, { conditions }, listKeysOfBuiltIns);
  assert.deepEqual(
    merge([
      { type: 'A', status: 'False', reason: null },
      { type: 'C', status: 'True' },
    ]),
    {
      conditions: [
        { type: 'A', status: 'False' },
        { type: 'B', status: 'True' },
        { type: 'C', status: 'True' },
      ],
    },
  );
  assert.deepEqual(merge([{ type: 'A', $patch: 'delete' }]), { conditions: [{ type: 'B', status: 'True' }] });
  assert.deepEqual(merge([{ type: 'C' }, { $patch: 'replace' }]), { conditions: [{ type: 'C' }] });
});

test('a JSON patch changes nothing when one of its operations fails', () => {
  const document = { list: [1, 2], map: { a: 1 } };
  const operations = [
    { op: 'add', path: '/list/-', value: 3 },
    { op: 'remove', path: '/map/nope' },
  ];
  assert.throws(() => jsonPatch(document, operations), /remove \/map\/nope: no such path/);
  assert.deepEqual(document, { list: [1, 2], map: { a: 1 } });
  assert.deepEqual(jsonPatch(document, [{ op: 'add', path: '/list/0', value: 0 }]), { list: [0, 1, 2], map: { a: 1 } });
});

test('sets of fields: what changed, what is left, and taking fields away', () => {
  const before = { data: { x: '1', y: '1' }, conditions: [{ type: 'A', status: 'True' }] };
  const after = {
    data: { x: '2', y: '1' },
    conditions: [
      { type: 'A', status: 'True' },
      { type: 'B', status: 'True' },
    ],
  };
  const changed = changedFields(after, before, listKeysOfBuiltIns) ?? {};
  const b = { 'k:{"type":"B"}': { '.': {}, 'f:type': {}, 'f:status': {} } };
  assert.deepEqual(changed, { 'f:data': { 'f:x': {} }, 'f:conditions': b });
  assert.deepEqual(difference(changed, { 'f:data': { 'f:x': {} } }), { 'f:conditions': b });
  assert.deepEqual(difference(changed, {}), changed);
  assert.equal(difference(changed, changed), undefined);
  assert.deepEqual(union({ 'f:data': { 'f:x': {} } }, { 'f:data': { 'f:y': {} } }), {
    'f:data': { 'f:x': {}, 'f:y': {} },
  });
  assert.deepEqual(withoutFields(after, changed, listKeysOfBuiltIns), {
    data: { y: '1' },
    conditions: before.conditions,
  });
});
