import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteOrder } from '../../src/dump/write-order.ts';
import type { RawObject } from '../../src/model/raw-object.ts';

const day = 24 * 60 * 60_000;
const now = Date.parse('2026-11-22T12:00:00Z');
const made = new Date(now - day).toISOString();

type Parts = Partial<RawObject> & { readonly version: number; readonly generation?: number };

const object = (kind: string, { version, generation, ...parts }: Parts): RawObject => ({
  kind,
  ...parts,
  metadata: { name: 'one', resourceVersion: String(version), creationTimestamp: made, generation, ...parts.metadata },
});

/** A cluster in which all was made a day ago, and a kubelet said an hour and a minute ago that it lives. */
function order(): WriteOrder {
  const order = new WriteOrder();
  order.note(object('Node', { version: 900 }), now - 60_000);
  order.note(object('Node', { version: 500 }), now - 3_600_000);
  order.note(object('Pod', { version: 100 }), now - day);
  return order;
}

function writeOf(raw: RawObject) {
  const [write, ...others] = (raw.metadata.managedFields ?? []) as readonly {
    readonly time: string;
    readonly fieldsV1: object;
  }[];
  assert.deepEqual(others, []);
  return write && { minutesAgo: (now - Date.parse(write.time)) / 60_000, owned: write.fieldsV1 };
}

test('what has a higher number than others was written after what these tell of', () => {
  const told = (version: number) => writeOf(order().told(object('ConfigMap', { version, data: { 'app.yaml': 'x' } })));
  assert.equal(told(99), undefined, 'when it was made');
  assert.equal(told(101), undefined, 'when it was made');
  const owned = { 'f:data': { 'f:app.yaml': {} }, 'f:binaryData': {} };
  assert.deepEqual(told(501), { minutesAgo: 60, owned });
  assert.deepEqual(told(899), { minutesAgo: 60, owned });
  assert.deepEqual(told(1000), { minutesAgo: 1, owned });
});

test('an older time of a higher number takes nothing back', () => {
  const known = order();
  known.note(object('ReplicaSet', { version: 700 }), now - day);
  assert.equal(writeOf(known.told(object('ConfigMap', { version: 800 })))?.minutesAgo, 60);
});

test('only what people alone write tells an edit', () => {
  const owned = (kind: string, parts: Omit<Parts, 'version'>) =>
    writeOf(order().told(object(kind, { version: 600, ...parts })))?.owned;
  assert.deepEqual(owned('Service', { spec: { type: 'ClusterIP' } }), { 'f:spec': { 'f:selector': {} } });
  assert.deepEqual(owned('Service', { spec: { type: 'ExternalName', externalName: 'db.example' } }), {
    'f:spec': { 'f:externalName': {} },
  });
  assert.equal(owned('Service', { spec: { type: 'LoadBalancer' } }), undefined, 'its address may have come');
  assert.deepEqual(owned('Namespace', {}), { 'f:metadata': { 'f:labels': {} } });
  assert.deepEqual(owned('NetworkPolicy', { generation: 2 }), { 'f:spec': {} });
  assert.equal(owned('NetworkPolicy', { generation: 1 }), undefined, 'its labels were written');
  assert.equal(owned('NetworkPolicy', { generation: 2, status: { conditions: [] } }), undefined, 'its status was');
  assert.deepEqual(owned('StatefulSet', { generation: 2, spec: { replicas: 0 }, status: { replicas: 0 } }), {
    'f:spec': { 'f:replicas': {} },
  });
  assert.equal(owned('StatefulSet', { generation: 2, spec: { replicas: 1 }, status: { replicas: 1 } }), undefined);
  assert.equal(owned('Pod', { generation: 2, status: { phase: 'Running' } }), undefined);
});

test('what tells its writes itself stays as it is, and so does what has no number', () => {
  const managedFields = [{ manager: 'kubectl', time: made }];
  const metadata = { name: 'one', resourceVersion: '600', creationTimestamp: made };
  const own = { kind: 'ConfigMap', metadata: { ...metadata, managedFields } };
  assert.equal(order().told(own), own);
  for (const resourceVersion of ['', 'W/"5"', '0', undefined]) {
    const raw = { kind: 'ConfigMap', metadata: { name: 'one', creationTimestamp: made, resourceVersion } } as RawObject;
    assert.equal(order().told(raw), raw);
  }
});
