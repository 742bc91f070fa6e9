import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenantSpecBytes } from '../../src/api/limits.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { refOf } from '../../src/model/ref.ts';
import { OwnObjects } from '../../src/operator/objects.ts';
import { RequestPace } from '../../src/operator/request-pace.ts';
import { trimmed } from '../../src/operator/trimmed.ts';

const silence = (namespace: string, name: string, comment: string): RawObject => ({
  apiVersion: 'tocsin.dev/v1alpha1',
  kind: 'Silence',
  metadata: { name, namespace, uid: `u-${name}`, generation: 1, creationTimestamp: '2026-11-20T09:00:00Z' },
  spec: { selector: { names: Array.from({ length: 100 }, (_, index) => `${comment}${index}`) }, durationSeconds: 60 },
});
/** About 25 KB. */
const large = 'x'.repeat(248);

test('of all objects in a namespace so many bytes are held; one that finds no room says so, and is taken in once there is', () => {
  const objects = new OwnObjects('tocsin');
  const put = (namespace: string, index: number): void => {
    const name = `s${index}`;
    objects.put('Silence', refOf('Silence', namespace, name), silence(namespace, name, large));
  };
  const get = (namespace: string, index: number) => objects.get('Silence', refOf('Silence', namespace, `s${index}`));
  for (let index = 0; index < 200; index += 1) for (const namespace of ['team', 'tocsin']) put(namespace, index);
  const held = [...objects.refsIn('Silence', 'team')].filter((ref) => objects.get('Silence', ref)?.meaning);
  const bytes = held.reduce((sum, ref) => sum + (objects.get('Silence', ref)?.bytes ?? 0), 0);
  assert.ok(bytes <= tenantSpecBytes && bytes > tenantSpecBytes * 0.95, `${bytes} bytes in ${held.length} objects`);
  assert.match(get('team', 199)?.unreadable ?? '', /larger than 4 MiB together/);
  assert.equal(JSON.stringify(get('team', 199)?.object.spec), '{}');
  assert.ok(get('tocsin', 199)?.meaning);
  put('other', 1);
  assert.ok(get('other', 1)?.meaning);

  objects.remove('Silence', refOf('Silence', 'team', 's0'));
  put('team', 199);
  assert.ok(get('team', 199)?.meaning);
});

test('what nobody reads of an object is not held: labels, annotations of others, owners, what applied it', () => {
  const raw: RawObject = {
    ...silence('team', 'a', 'b'),
    metadata: {
      ...silence('team', 'a', 'b').metadata,
      labels: { bulk: 'x' },
      finalizers: ['x'],
      annotations: { 'tocsin.dev/test': '1', 'tocsin.dev/redeliver': '2', bulk: 'x' },
      managedFields: [{ manager: 'kubectl', time: '2026-11-20T09:00:00Z', fieldsV1: { bulk: {} } }],
    },
  };
  assert.doesNotMatch(JSON.stringify(trimmed('Silence', raw)), /bulk|finalizers|managedFields/);
  assert.deepEqual(trimmed('Silence', raw).metadata.annotations, {
    'tocsin.dev/test': '1',
    'tocsin.dev/redeliver': '2',
  });
  assert.deepEqual(trimmed('Silence', raw).spec, raw.spec);
  assert.deepEqual(trimmed('AlertConfig', raw).metadata.managedFields, [{ time: '2026-11-20T09:00:00Z' }]);
});

test('a namespace may ask for ten tests at once and twenty a minute, whatever others ask for; Tocsin’s own for any number', () => {
  const pace = new RequestPace('tocsin');
  const granted = (namespace: string, tries: number, now: number): number =>
    Array.from({ length: tries }, () => pace.take(namespace, now)).filter((waitMs) => waitMs === 0).length;
  assert.equal(granted('attacker', 100, 0), 10);
  assert.ok(pace.take('attacker', 0) > 0 && pace.take('attacker', 0) <= 3_000);
  assert.equal(granted('victim', 3, 0), 3);
  assert.equal(granted('tocsin', 100, 0), 100);
  let minute = 0;
  for (let second = 1; second <= 60; second += 1) minute += granted('attacker', 10, second * 1_000);
  assert.equal(minute, 20);
});
