import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ItemReader } from '../../src/kube/items.ts';
import { decodeWatchLine } from '../../src/kube/lines.ts';
import { parseObject } from '../../src/kube/parse.ts';
import { sourceOf } from '../../src/model/resource.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { namespaces } from '../../src/world/kinds/workloads/namespace.ts';
import { pods } from '../../src/world/kinds/workloads/pod.ts';
import { replicaSets } from '../../src/world/kinds/workloads/workload.ts';
import { fieldsOf, listOf } from '../../src/world/reading/fields.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { fc } from '../fast-check.ts';

/** As an API server (1.36) wrote them. */
const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'testdata', name), 'utf8');
const kinds = [
  ['namespaces.json', namespaces],
  ['pods.json', pods],
  ['replicasets.json', replicaSets],
] as const;

type Metadata = Readonly<Record<string, unknown>>;
const metadataOf = (object: unknown): Metadata => fieldsOf(fieldsOf(object).metadata);
const trimmed = (text: string): unknown => parseObject(Buffer.from(text), true);
const without = (object: unknown): unknown => {
  const { managedFields: _, ...metadata } = metadataOf(object);
  return { ...fieldsOf(object), metadata };
};

for (const [file, kind] of kinds)
  test(`${kind.plural} of a real API server come without managedFields, and give the same view`, () => {
    const items = listOf(fieldsOf(JSON.parse(recorded(file))).items);
    assert.ok(items.length > 0);
    for (const item of items) {
      assert.ok(Array.isArray(metadataOf(item).managedFields));
      const read = trimmed(JSON.stringify(item));
      assert.deepEqual(read, without(item));
      assert.deepEqual(kind.project(fieldsOf(read)), kind.project(item));
    }
  });

test('a list that is taken apart gives its items without them, but the last', () => {
  const body = Buffer.from(recorded('pods.json'));
  for (const size of [1_000, 65_536]) {
    const reader = new ItemReader(true);
    const early: unknown[] = [];
    for (let at = 0; at < body.length; at += size) early.push(...reader.take(body.subarray(at, at + size)));
    const items = listOf(fieldsOf(JSON.parse(body.toString())).items);
    assert.deepEqual(early, items.slice(0, -1).map(without));
    assert.deepEqual(reader.end().items, items.slice(-1));
  }
});

test('events of a streaming list of a real API server come without them too, bookmark and end as they are', () => {
  const lines = recorded('pods.watch.jsonl').trimEnd().split('\n');
  const events = lines.map((line) => [decodeWatchLine(Buffer.from(line)), decodeWatchLine(Buffer.from(line), true)]);
  const types = events.map(([whole]) => whole?.type);
  assert.ok(types.includes('ADDED') && types.includes('BOOKMARK'), types.join());
  for (const [whole, read] of events) {
    assert.ok(whole && read);
    if (whole.type !== 'ADDED' || read.type !== 'ADDED') assert.deepEqual(read, whole);
    else assert.deepEqual(read.object, without(whole.object));
  }
});

test('without being asked nothing is left out', () => {
  const text = JSON.stringify({ metadata: { name: 'a', managedFields: [{ manager: 'm' }] }, spec: {} });
  assert.deepEqual(parseObject(Buffer.from(text), false), JSON.parse(text));
});

const entry = { manager: 'm', fieldsV1: { 'f:metadata': { 'k:{"uid":"7"}': {} } } };

test('texts that hold the marks change nothing', () => {
  const marks = [',"managedFields":[', ']},"spec":{', '\\', '"', ']', ',"managedFields":[{}]},"spec":{"a":['];
  for (const first of marks)
    for (const second of marks) {
      const annotations = { note: first + second, [`${first}x`]: second, [`x${second}x`]: first };
      const own = { name: 'a', annotations };
      const spec = { managedFields: first, text: second };
      for (const object of [
        { metadata: own, spec },
        { metadata: { ...own, managedFields: [entry] }, spec },
      ])
        assert.deepEqual(trimmed(JSON.stringify(object)), without(object));
      const named = { metadata: { ...own, managedFields: [{ ...entry, manager: first + second }] }, spec };
      const { managedFields: _, ...kept } = metadataOf(trimmed(JSON.stringify(named)));
      assert.deepEqual(kept, own);
    }
});

test('written in another way, an object is read as a whole: spaces, another order, other lists within', () => {
  const metadata = { name: 'a', managedFields: [entry], labels: { app: 'x' } };
  const nested = { name: 'a', managedFields: [{ ...entry, fieldsV1: { list: [{ a: ['x'] }], more: 1 } }] };
  const objects = [
    { metadata, spec: {} },
    { metadata: { managedFields: [entry], name: 'a' }, spec: {} },
    { metadata: { name: 'a', managedFields: [entry], owners: [{ list: ['x'] }] }, spec: {} },
    { metadata: nested, spec: {} },
    { metadata: { name: 'a', managedFields: [[{ a: ['x'] }, 'spec']] }, spec: {} },
    { metadata: { name: 'a', managedFields: [entry] } },
    { spec: {}, metadata: { name: 'a', managedFields: [entry] } },
  ];
  for (const object of objects) assert.deepEqual(trimmed(JSON.stringify(object)), object);
  const spaced = JSON.stringify({ metadata: { name: 'a', managedFields: [entry] }, spec: {} }, null, 1);
  assert.deepEqual(trimmed(spaced), JSON.parse(spaced));
});

test('what is no JSON is refused as it is without', () => {
  const text = JSON.stringify({ metadata: { name: 'a', managedFields: [entry] }, spec: { a: 1 } });
  for (const broken of ['', text.slice(0, -1), `${text}}`, text.slice(0, text.indexOf('spec'))])
    assert.throws(() => trimmed(broken), SyntaxError, broken);
});

test('whatever an object holds, it comes as it is or without one list named managedFields', () => {
  const names = fc.constantFrom('managedFields', 'spec', 'a', ']},"spec', ',"managedFields":[', '\\');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, names, fc.nat(9), fc.array(tie('tree'), { maxLength: 3 }), tie('fields')),
    fields: fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value);
      const read = JSON.stringify(trimmed(text));
      assert.ok(read === text || lessOne(value).some((less) => JSON.stringify(less) === read), text);
    }),
    { numRuns: 2_000 },
  );
});

/** The value with one list named managedFields left out, in each possible way. */
function lessOne(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => lessOne(each).map((less) => value.with(at, less)));
  return Object.entries(fieldsOf(value)).flatMap(([name, each]) => {
    const { [name]: _, ...rest } = fieldsOf(value);
    const inside = lessOne(each).map((less) => ({ ...fieldsOf(value), [name]: less }));
    return name === 'managedFields' && Array.isArray(each) ? [rest, ...inside] : inside;
  });
}

test('kinds that ask for that never look at managedFields', () => {
  const asking = watchedKinds.filter((kind) => kind.withoutManagedFields);
  assert.ok(['Pod', 'ReplicaSet', 'Event'].every((kind) => asking.some((row) => row.kind === kind)));
  for (const kind of asking) {
    const metadata = { name: 'a', namespace: 'b' };
    Object.defineProperty(metadata, 'managedFields', { get: () => assert.fail(`${kind.kind} reads managedFields`) });
    const world = new WatchedWorld();
    for (const at of [0, 1])
      world.load(sourceOf(kind), [{ is: 'put', raw: { kind: kind.kind, metadata, spec: { at }, status: {} } }], at);
  }
});
