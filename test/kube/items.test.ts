import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ItemReader } from '../../src/kube/items.ts';
import { fc } from '../fast-check.ts';

/** Reads a body in chunks; `early` are the items that came before its end. */
function read(body: string, size: number): { early: unknown[]; items: unknown[]; metadata: unknown } {
  const bytes = Buffer.from(body);
  const reader = new ItemReader();
  const early: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) early.push(...reader.take(bytes.subarray(at, at + size)));
  const { metadata, items } = reader.end();
  return { early, items: [...early, ...(items ?? [])], metadata };
}

const object = (name: string, more: object = {}) => ({ metadata: { name, labels: { app: 'grüße 🚀' } }, ...more });
const list = (items: readonly unknown[]) => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7', continue: 'next' },
  items,
});
/** Long enough for items to come before the end. */
const spec = { text: 'x'.repeat(300) };

test('items come out whole and in order wherever the chunks are cut, all but the last before the end', () => {
  const items = ['a', 'b', 'c', 'd'].map((name) => object(name, { spec }));
  const body = JSON.stringify(list(items));
  for (let size = 1; size <= body.length + 50; size += 7) {
    const found = read(body, size);
    assert.deepEqual(found.items, items, `chunks of ${size}`);
    assert.deepEqual(found.metadata, { resourceVersion: '7', continue: 'next' });
    assert.equal(found.early.length, 3, `chunks of ${size}`);
  }
});

test('items that begin with their kind, as metadata and custom resources do, come before the end too', () => {
  const items = ['a', 'b', 'c'].map((name) => ({
    kind: 'Silence',
    apiVersion: 'tocsin.dev/v1alpha1',
    ...object(name, { spec }),
  }));
  const { early, items: all } = read(JSON.stringify(list(items)), 100);
  assert.equal(early.length, 2);
  assert.deepEqual(all, items);
});

test('what looks like the end of an item within one, in its fields or in its texts, ends none', () => {
  const embedded = { templates: [object('x'), object('y'), object('z')], text: '},{"metadata":{' };
  const items = [object('a', { embedded, spec }), object('b', { spec }), object('c', { embedded, spec })];
  for (const size of [1, 10, 64, 10_000]) assert.deepEqual(read(JSON.stringify(list(items)), size).items, items);
});

test('items that hold many of their own kind are left for the end instead of being tried again and again', () => {
  const items = [object('a', { list: Array.from({ length: 5_000 }, (_, at) => object(`in-${at}`)) }), object('b')];
  const { early, items: all } = read(JSON.stringify(list(items)), 1_000);
  assert.deepEqual(early, []);
  assert.deepEqual(all, items);
});

test('a list in any other form is read as a whole', () => {
  const items = ['a', 'b', 'c'].map((name) => object(name, { spec }));
  const { metadata, ...rest } = list(items);
  const bodies = [JSON.stringify(list(items), null, 2), JSON.stringify({ ...rest, metadata })];
  for (const body of bodies) {
    const found = read(body, 50);
    assert.deepEqual(found.items, items);
    assert.deepEqual(found.metadata, metadata);
  }
  assert.deepEqual(read('{"kind":"PodList","metadata":{},"items":null}', 5).items, []);
  assert.deepEqual(read('{"kind":"PodList","metadata":{},"items":[]}', 5).items, []);
  assert.deepEqual(read('{"kind":"PodList"}', 5), { early: [], items: [], metadata: undefined });
});

test('a body that is cut or no JSON is an error at its end', () => {
  const body = JSON.stringify(list(['a', 'b', 'c'].map((name) => object(name, { spec }))));
  assert.throws(() => read(body.slice(0, -1), 100), SyntaxError);
  assert.throws(() => read(body.slice(0, 700), 100), SyntaxError);
  assert.throws(() => read(`${body.slice(0, -2)},{"metadata":{"name":"half"]}`, 100), SyntaxError);
  assert.throws(() => read('<html>Bad gateway</html>', 100), SyntaxError);
  assert.throws(() => read('', 100), SyntaxError);
});

test('whatever the items hold, they are those that parsing the whole body gives', () => {
  const item = fc
    .tuple(
      fc.string(),
      fc.array(fc.record({ metadata: fc.record({ name: fc.string() }) }), { maxLength: 3 }),
      fc.json(),
    )
    .map(([name, owners, text]) => ({ metadata: { name, text }, owners, spec }));
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), fc.integer({ min: 1, max: 2_000 }), (items, size) => {
      const body = JSON.stringify(list(items));
      assert.deepEqual(read(body, size).items, JSON.parse(body).items);
    }),
  );
});

test('what is held does not grow with the list', () => {
  const reader = new ItemReader();
  const bytes = Buffer.from(JSON.stringify(list(Array.from({ length: 2_000 }, (_, at) => object(`p${at}`, { spec })))));
  let most = 0;
  for (let at = 0; at < bytes.length; at += 16_384) {
    reader.take(bytes.subarray(at, at + 16_384));
    most = Math.max(most, reader.held);
  }
  assert.ok(most < 2_000, `${most} bytes`);
});
