import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Fields, fieldAt, type ManagedFields } from '../../sandbox/object.ts';
import type { Chapter } from './contract.ts';
import { statusOf, versionOf } from './workbench.ts';

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const deployment = (name: string): object => ({
  metadata: { name },
  spec: { replicas: 0, selector: { matchLabels: { app: 'x' } }, template },
});
const managersOf = (object: unknown): ManagedFields[] =>
  (fieldAt(object, 'metadata', 'managedFields') ?? []) as ManagedFields[];

/** Creates, updates, patches, deletes, ownership of fields, Leases and Events. */
export const writeContract: Chapter = (bench) => {
  const place = async (plural: string): Promise<string> => `/api/v1/namespaces/${await bench().namespace()}/${plural}`;

  describe('creates', () => {
    test('give uid, version, time and, where asked, a name', async () => {
      const path = await place('secrets');
      const made = await bench().create(path, { metadata: { generateName: 'made-' }, stringData: { k: 'v' } });
      assert.match(String(fieldAt(made, 'metadata', 'name')), /^made-[a-z0-9]{5}$/);
      assert.match(String(fieldAt(made, 'metadata', 'uid')), /^[0-9a-f]{8}-/);
      assert.match(String(fieldAt(made, 'metadata', 'creationTimestamp')), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.match(versionOf(made), /^\d+$/);
      assert.deepEqual([made.kind, made.apiVersion, made.type], ['Secret', 'v1', 'Opaque']);
      assert.deepEqual(made.data, { k: 'dg==' });
    });

    test('a name that is taken gives 409, a namespace that is not there 404, a name that cannot be 422', async () => {
      const path = await place('secrets');
      await bench().create(path, { metadata: { name: 'a' } });
      assert.deepEqual(statusOf(await bench().ask('POST', path, { body: { metadata: { name: 'a' } } })), {
        status: 409,
        kind: 'Status',
        code: 409,
        reason: 'AlreadyExists',
        message: 'secrets "a" already exists',
      });
      const nowhere = await bench().ask('POST', '/api/v1/namespaces/nope/secrets', {
        body: { metadata: { name: 'a' } },
      });
      assert.deepEqual([nowhere.status, fieldAt(nowhere.body, 'message')], [404, 'namespaces "nope" not found']);
      const bad = await bench().ask('POST', path, { body: { metadata: { name: 'Not_Good' } } });
      assert.deepEqual([bad.status, fieldAt(bad.body, 'reason')], [422, 'Invalid']);
      assert.equal((fieldAt(bad.body, 'details', 'causes') as Fields[])[0]?.field, 'metadata.name');
    });

    test('a dry run leaves nothing behind', async () => {
      const path = await place('secrets');
      assert.equal(
        (await bench().ask('POST', `${path}?dryRun=All`, { body: { metadata: { name: 'a' } } })).status,
        201,
      );
      assert.equal((await bench().ask('GET', `${path}/a`)).status, 404);
    });
  });

  describe('updates', () => {
    test('from an old version give 409 Conflict', async () => {
      const path = await place('secrets');
      const old = await bench().create(path, { metadata: { name: 'a' } });
      await bench().patch(`${path}/a`, 'merge', { metadata: { labels: { x: '1' } } });
      assert.deepEqual(statusOf(await bench().ask('PUT', `${path}/a`, { body: old })), {
        status: 409,
        kind: 'Status',
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on secrets "a": the object has been modified; please apply your changes to the latest version and try again',
      });
    });

    test('that change nothing write nothing', async () => {
      const path = await place('configmaps');
      const made = await bench().create(path, { metadata: { name: 'a' }, data: { x: '1' } });
      const same = await bench().ask('PUT', `${path}/a`, { body: made });
      assert.deepEqual([same.status, versionOf(same.body)], [200, versionOf(made)]);
      const patched = await bench().patch(`${path}/a`, 'merge', { data: { x: '1' } });
      assert.equal(versionOf(patched.body), versionOf(made));
    });

    test('generation counts changes of the spec only, and the status has its own door', async () => {
      const path = `/apis/apps/v1/namespaces/${await bench().namespace()}/deployments`;
      const generation = (object: unknown): unknown => fieldAt(object, 'metadata', 'generation');
      const made = await bench().create(path, { ...deployment('d'), status: { replicas: 7 } });
      assert.deepEqual([generation(made), fieldAt(made, 'status', 'replicas')], [1, undefined]);
      const labelled = await bench().patch(`${path}/d`, 'merge', { metadata: { labels: { a: 'b' } } });
      assert.equal(generation(labelled.body), 1);
      const paused = await bench().patch(`${path}/d`, 'merge', {
        spec: { paused: true },
        status: { collisionCount: 3 },
      });
      assert.deepEqual([generation(paused.body), fieldAt(paused.body, 'status', 'collisionCount')], [2, undefined]);
      const through = { status: { collisionCount: 4 }, spec: { paused: false } };
      const status = await bench().patch(`${path}/d/status`, 'merge', through);
      assert.deepEqual(
        [
          generation(status.body),
          fieldAt(status.body, 'spec', 'paused'),
          fieldAt(status.body, 'status', 'collisionCount'),
        ],
        [2, true, 4],
      );
    });

    test('a Lease must say which version it saw', async () => {
      const path = `/apis/coordination.k8s.io/v1/namespaces/${await bench().namespace()}/leases`;
      const spec = { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.000006Z' };
      const made = await bench().create(path, { metadata: { name: 'l' }, spec });
      assert.equal(fieldAt(made, 'spec', 'renewTime'), '2026-01-02T03:04:05.000006Z');
      const blind = await bench().ask('PUT', `${path}/l`, { body: { metadata: { name: 'l' }, spec } });
      assert.deepEqual([blind.status, fieldAt(blind.body, 'reason')], [422, 'Invalid']);
      const taken = { ...made, spec: { ...spec, holderIdentity: 'you' } };
      assert.equal((await bench().ask('PUT', `${path}/l`, { body: taken })).status, 200);
      assert.equal((await bench().ask('PUT', `${path}/l`, { body: { ...made, spec } })).status, 409);
    });
  });

  describe('patches', () => {
    test('merge: null takes away, lists are replaced', async () => {
      const path = await place('configmaps');
      await bench().create(path, {
        metadata: { name: 'a', finalizers: ['example.com/x', 'example.com/y'] },
        data: { x: '1', y: '2' },
      });
      const body = { data: { x: null, z: '3' }, metadata: { finalizers: [] } };
      const patched = (await bench().patch(`${path}/a`, 'merge', body)).body;
      assert.deepEqual(fieldAt(patched, 'data'), { y: '2', z: '3' });
      assert.equal(fieldAt(patched, 'metadata', 'finalizers'), undefined);
    });

    test('merge with a version checks it', async () => {
      const path = await place('configmaps');
      const made = await bench().create(path, { metadata: { name: 'a' } });
      const metadata = { resourceVersion: versionOf(made) };
      assert.equal((await bench().patch(`${path}/a`, 'merge', { metadata, data: { x: '1' } })).status, 200);
      assert.equal((await bench().patch(`${path}/a`, 'merge', { metadata, data: { x: '2' } })).status, 409);
    });

    test('JSON: add, replace, remove, and a test that fails', async () => {
      const path = await place('configmaps');
      await bench().create(path, { metadata: { name: 'a', annotations: { some: 'thing' } }, data: { x: '1', y: '2' } });
      const operations = [
        { op: 'test', path: '/data/x', value: '1' },
        { op: 'add', path: '/metadata/annotations/a~1b', value: '3' },
        { op: 'replace', path: '/data/x', value: '4' },
        { op: 'remove', path: '/data/y' },
      ];
      const patched = await bench().patch(`${path}/a`, 'json', operations);
      assert.deepEqual(fieldAt(patched.body, 'data'), { x: '4' });
      assert.equal(fieldAt(patched.body, 'metadata', 'annotations', 'a/b'), '3');
      assert.equal((await bench().patch(`${path}/a`, 'json', operations)).status, 422);
    });

    test('strategic: conditions are merged by type', async () => {
      const path = `/apis/apps/v1/namespaces/${await bench().namespace()}/deployments`;
      await bench().create(path, deployment('d'));
      const put = (type: string, status: string): Promise<unknown> =>
        bench().patch(`${path}/d/status`, 'strategic', { status: { conditions: [{ type, status }] } });
      await put('One', 'True');
      await put('Two', 'True');
      await put('One', 'False');
      const conditions = fieldAt(await bench().get(`${path}/d`), 'status', 'conditions') as Fields[];
      const own = conditions
        .filter(({ type }) => type === 'One' || type === 'Two')
        .map(({ type, status }) => [type, status]);
      assert.deepEqual(own.sort(), [
        ['One', 'False'],
        ['Two', 'True'],
      ]);
    });

    test('of an unknown kind are refused with 415', async () => {
      const path = await place('configmaps');
      await bench().create(path, { metadata: { name: 'a' } });
      assert.equal(
        (await bench().ask('PATCH', `${path}/a`, { body: {}, contentType: 'application/json' })).status,
        415,
      );
    });
  });

  describe('ownership of fields', () => {
    test('managedFields say who wrote what, and when', async () => {
      const path = await place('configmaps');
      await bench().create(`${path}?fieldManager=first`, { metadata: { name: 'a' }, data: { x: '1', y: '1' } });
      await bench().patch(`${path}/a?fieldManager=second`, 'merge', { data: { x: '2' } });
      const entries = managersOf(await bench().get(`${path}/a`));
      const fields = Object.fromEntries(entries.map((entry) => [entry.manager, entry.fieldsV1]));
      // Who made the map keeps it; the key that was overwritten changes hands.
      assert.deepEqual(fieldAt(fields.second, 'f:data'), { 'f:x': {} });
      assert.deepEqual(
        Object.keys(fieldAt(fields.first, 'f:data') as object).filter((key) => key !== '.'),
        ['f:y'],
      );
      for (const entry of entries) {
        assert.deepEqual([entry.operation, entry.apiVersion, entry.fieldsType], ['Update', 'v1', 'FieldsV1']);
        assert.match(String(entry.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      }
    });

    test('the manager is the User-Agent when nobody names one', async () => {
      const made = await bench().create(await place('configmaps'), { metadata: { name: 'a' }, data: { x: '1' } });
      assert.deepEqual(
        managersOf(made).map((entry) => entry.manager),
        ['contract'],
      );
    });
  });

  describe('deletes', () => {
    test('check the uid, answer with a Status, and then it is gone', async () => {
      const path = await place('secrets');
      const made = await bench().create(path, { metadata: { name: 'a' } });
      const wrong = await bench().ask('DELETE', `${path}/a`, { body: { preconditions: { uid: 'other' } } });
      assert.deepEqual([wrong.status, fieldAt(wrong.body, 'reason')], [409, 'Conflict']);
      const right = await bench().ask('DELETE', `${path}/a`, {
        body: { preconditions: { uid: fieldAt(made, 'metadata', 'uid') } },
      });
      assert.deepEqual(
        [right.status, fieldAt(right.body, 'kind'), fieldAt(right.body, 'status')],
        [200, 'Status', 'Success'],
      );
      assert.equal((await bench().ask('GET', `${path}/a`)).status, 404);
    });

    test('wait for finalizers', async () => {
      const path = await place('configmaps');
      await bench().create(path, { metadata: { name: 'a', finalizers: ['example.com/wait'] } });
      const asked = await bench().ask('DELETE', `${path}/a`);
      assert.match(String(fieldAt(asked.body, 'metadata', 'deletionTimestamp')), /^\d{4}-/);
      assert.equal((await bench().ask('GET', `${path}/a`)).status, 200);
      await bench().patch(`${path}/a`, 'merge', { metadata: { finalizers: null } });
      assert.equal((await bench().ask('GET', `${path}/a`)).status, 404);
    });

    test('of a collection take what the selector picks', async () => {
      const path = await place('secrets');
      for (const name of ['a', 'b', 'c'])
        await bench().create(path, { metadata: { name, labels: { keep: String(name === 'b') } } });
      assert.equal((await bench().ask('DELETE', `${path}?labelSelector=keep%3Dfalse`)).status, 200);
      const left = fieldAt(await bench().get(path), 'items') as { metadata: { name: string } }[];
      assert.deepEqual(
        left.map((item) => item.metadata.name),
        ['b'],
      );
    });
  });

  test('Events are kept as they are written', async () => {
    const path = await place('events');
    const namespace = path.split('/')[4];
    const time = '2026-01-02T03:04:05Z';
    const made = await bench().create(path, {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace, name: 'p', uid: 'u' },
      reason: 'BackOff',
      message: 'Back-off restarting',
      type: 'Warning',
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 3,
    });
    assert.deepEqual([made.reason, made.count, made.lastTimestamp, made.type], ['BackOff', 3, time, 'Warning']);
    const listed = await bench().get(`${path}?fieldSelector=involvedObject.name%3Dp,type%3DWarning`);
    assert.equal((fieldAt(listed, 'items') as unknown[]).length, 1);
  });
};
