import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { type EventRecord, EventRecorder } from '../../src/kube/events.ts';
import { type FakeApi, type Handler, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { type VirtualClock, virtualClock } from './support/virtual-clock.ts';

const opened: EventRecord = {
  about: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'api', uid: 'u1' },
  type: 'Warning',
  reason: 'IncidentOpened',
  message: 'api crash-loops',
};

type Parts = { api: FakeApi; clock: VirtualClock; recorder: EventRecorder; errors: unknown[] };

async function withRecorder(run: (parts: Parts) => Promise<void>, handler?: Handler): Promise<void> {
  const clock = virtualClock();
  const api = await startFakeApi(handler ?? ((request, response) => sendJson(response, 201, JSON.parse(request.body))));
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock, version: '0' });
  const errors: unknown[] = [];
  const recorder = new EventRecorder({
    client,
    clock,
    component: 'tocsin',
    instance: 'tocsin-0',
    onError: (error) => errors.push(error),
  });
  try {
    await run({ api, clock, recorder, errors });
  } finally {
    await client.close();
    await api.close();
  }
}

test('an Event is written in the namespace of its object, with everything kubectl describe shows', () =>
  withRecorder(async ({ api, recorder }) => {
    recorder.record(opened);
    await recorder.drain();
    assert.equal(api.seen[0]?.path, '/api/v1/namespaces/shop/events');
    const { metadata, ...event } = JSON.parse(api.seen[0]?.body ?? '');
    assert.match(metadata.name, /^api\.[0-9a-f]{16}$/);
    assert.deepEqual(event, {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'api', uid: 'u1' },
      type: 'Warning',
      reason: 'IncidentOpened',
      message: 'api crash-loops',
      source: { component: 'tocsin' },
      reportingComponent: 'tocsin',
      reportingInstance: 'tocsin-0',
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
    });
  }));

test('an Event about a cluster-scoped object goes to the namespace default', () =>
  withRecorder(async ({ api, recorder }) => {
    recorder.record({ ...opened, about: { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u2' } });
    await recorder.drain();
    assert.equal(api.seen[0]?.path, '/api/v1/namespaces/default/events');
    assert.equal(JSON.parse(api.seen[0]?.body ?? '').involvedObject.namespace, undefined);
  }));

test('a repeat within 10 minutes adds to the count of the Event that is there; later it is a new one', () =>
  withRecorder(async ({ api, clock, recorder }) => {
    recorder.record(opened);
    recorder.record(opened);
    await recorder.drain();
    await clock.advance(60_000);
    recorder.record(opened);
    recorder.record({ ...opened, message: 'something else' });
    await recorder.drain();
    await clock.advance(700_000);
    recorder.record(opened);
    await recorder.drain();
    assert.deepEqual(
      api.seen.map((request) => request.method),
      ['POST', 'PATCH', 'POST', 'POST'],
    );
    const first = JSON.parse(api.seen[0]?.body ?? '');
    assert.equal(first.count, 2, 'what comes before the Event is written is told with it');
    assert.equal(api.seen[1]?.path, `/api/v1/namespaces/shop/events/${first.metadata.name}`);
    assert.equal(api.seen[1]?.headers['content-type'], 'application/merge-patch+json');
    assert.deepEqual(JSON.parse(api.seen[1]?.body ?? ''), { count: 3, lastTimestamp: '2026-01-01T00:01:00Z' });
  }));

test('what repeats for hours is one Event: some writes of it at once, then one in five minutes, and the last count is told', () =>
  withRecorder(async ({ api, clock, recorder }) => {
    for (let n = 0; n < 120; n++) {
      recorder.record({ ...opened, message: `request ${n}`, onePerReason: true });
      await recorder.drain();
      await clock.advance(60_000);
    }
    await clock.advance(300_000);
    await recorder.drain();
    const methods = api.seen.map((request) => request.method);
    assert.equal(methods.filter((method) => method === 'POST').length, 1);
    assert.ok(methods.length <= 45, `${methods.length} writes`);
    assert.deepEqual(JSON.parse(api.seen.at(-1)?.body ?? ''), {
      count: 120,
      lastTimestamp: '2026-01-01T01:59:00Z',
      message: 'request 119',
    });
    recorder.record({ ...opened, message: 'something else' });
    await recorder.drain();
    assert.equal(api.seen.at(-1)?.method, 'POST', 'repeats leave room for what is new');
  }));

test('an Event that has expired meanwhile is written anew', () =>
  withRecorder(
    async ({ api, recorder, errors }) => {
      recorder.record(opened);
      await recorder.drain();
      recorder.record(opened);
      await recorder.drain();
      assert.deepEqual(
        api.seen.map((request) => request.method),
        ['POST', 'PATCH', 'POST'],
      );
      assert.deepEqual(errors, []);
    },
    (request, response) =>
      request.method === 'PATCH' ? sendStatus(response, 404, 'NotFound') : sendJson(response, 201, {}),
  ));

test('per object 25 at once, then one per 5 minutes; other objects are not held up', () =>
  withRecorder(async ({ api, clock, recorder }) => {
    for (let n = 0; n < 40; n++) recorder.record({ ...opened, message: `m${n}` });
    await recorder.drain();
    assert.equal(api.seen.length, 25);
    assert.equal(recorder.dropped(), 15);
    recorder.record({ ...opened, about: { ...opened.about, name: 'web', uid: 'u9' } });
    await recorder.drain();
    assert.equal(api.seen.length, 26);
    await clock.advance(299_000);
    recorder.record({ ...opened, message: 'too soon' });
    await clock.advance(2_000);
    recorder.record({ ...opened, message: 'in time' });
    await recorder.drain();
    assert.equal(api.seen.length, 27);
  }));

test('a server that refuses Events never reaches the caller, and the next Event is tried', () =>
  withRecorder(
    async ({ recorder, errors }) => {
      recorder.record(opened);
      recorder.record({ ...opened, message: 'second' });
      await recorder.drain();
      assert.equal(errors.length, 2);
    },
    (_, response) => sendStatus(response, 403, 'Forbidden'),
  ));

test('a message longer than the API takes is cut', () =>
  withRecorder(async ({ api, recorder }) => {
    recorder.record({ ...opened, message: 'x'.repeat(5_000) });
    await recorder.drain();
    assert.equal(JSON.parse(api.seen[0]?.body ?? '').message.length, 1_024);
  }));
