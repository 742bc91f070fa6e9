import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldAt } from '../../sandbox/object.ts';
import type { Chapter } from './contract.ts';
import { itemsOf, nameOf, versionOf } from './workbench.ts';

const core = (namespace: string): string => `/api/v1/namespaces/${namespace}/events`;
const newer = (namespace: string): string => `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;

/** An Event as kubelets and most controllers write it: core/v1, counted up. */
const fromKubelet = (namespace: string): object => ({
  metadata: { name: 'api-1.kubelet' },
  involvedObject: {
    kind: 'Pod',
    apiVersion: 'v1',
    namespace,
    name: 'api-1',
    uid: 'u1',
    fieldPath: 'spec.containers{api}',
  },
  reason: 'BackOff',
  message: 'Back-off restarting failed container api',
  source: { component: 'kubelet', host: 'n1' },
  firstTimestamp: '2026-06-01T12:00:00Z',
  lastTimestamp: '2026-06-01T12:05:00Z',
  count: 7,
  type: 'Warning',
  reportingComponent: 'kubelet',
  reportingInstance: 'n1',
});

/** An Event as the scheduler writes it: events.k8s.io/v1, a series when it repeats. */
const fromScheduler = (namespace: string): object => ({
  metadata: { name: 'api-1.scheduler' },
  regarding: { kind: 'Pod', apiVersion: 'v1', namespace, name: 'api-1', uid: 'u1' },
  eventTime: '2026-06-01T12:00:00.000000Z',
  reason: 'FailedScheduling',
  action: 'Scheduling',
  note: '0/3 nodes are available: 3 Insufficient cpu.',
  type: 'Warning',
  reportingController: 'default-scheduler',
  reportingInstance: 'default-scheduler-0',
});

/** Events: stored once, served by two groups under different names. */
export const eventContract: Chapter = (bench) => {
  describe('events', () => {
    test('what is written as core/v1 is read as events.k8s.io/v1, with the old fields as deprecated ones', async () => {
      const { create, get } = bench();
      const namespace = await bench().namespace();
      await create(core(namespace), fromKubelet(namespace));
      const event = await get(`${newer(namespace)}/api-1.kubelet`);
      assert.deepEqual([event.kind, event.apiVersion], ['Event', 'events.k8s.io/v1']);
      assert.deepEqual(event.regarding, fieldAt(fromKubelet(namespace), 'involvedObject'));
      assert.deepEqual(event.deprecatedSource, { component: 'kubelet', host: 'n1' });
      const { note, deprecatedCount, deprecatedFirstTimestamp, deprecatedLastTimestamp, reportingController } = event;
      assert.deepEqual(
        [note, deprecatedCount, deprecatedFirstTimestamp, deprecatedLastTimestamp, reportingController],
        [...['Back-off restarting failed container api', 7, '2026-06-01T12:00:00Z', '2026-06-01T12:05:00Z'], 'kubelet'],
      );
      for (const field of ['involvedObject', 'message', 'source', 'count', 'firstTimestamp', 'reportingComponent'])
        assert.ok(!Object.hasOwn(event, field), field);
    });

    test('what is written as events.k8s.io/v1 is read as core/v1, and a series is counted in both', async () => {
      const { create, get, patch } = bench();
      const namespace = await bench().namespace();
      await create(newer(namespace), fromScheduler(namespace));
      const series = { count: 2, lastObservedTime: '2026-06-01T12:03:00.000000Z' };
      await patch(`${newer(namespace)}/api-1.scheduler`, 'strategic', { series });
      const event = await get(`${core(namespace)}/api-1.scheduler`);
      assert.deepEqual(event.involvedObject, fieldAt(fromScheduler(namespace), 'regarding'));
      assert.deepEqual(
        [event.message, event.reportingComponent, event.eventTime, event.action],
        [
          '0/3 nodes are available: 3 Insufficient cpu.',
          'default-scheduler',
          '2026-06-01T12:00:00.000000Z',
          'Scheduling',
        ],
      );
      assert.deepEqual(event.series, series);
      assert.deepEqual((await get(`${newer(namespace)}/api-1.scheduler`)).series, series);
      assert.ok(!Object.hasOwn(event, 'regarding') && !Object.hasOwn(event, 'note'));
    });

    test('both groups list and watch the same objects under one version, each by its own names', async () => {
      const { create, get, patch, watch } = bench();
      const namespace = await bench().namespace();
      const from = versionOf(await get(newer(namespace)));
      await create(core(namespace), fromKubelet(namespace));
      await create(newer(namespace), fromScheduler(namespace));
      await patch(`${core(namespace)}/api-1.kubelet`, 'merge', { count: 8 });
      const [old, now] = [await get(core(namespace)), await get(newer(namespace))];
      assert.deepEqual([old.kind, now.kind, now.apiVersion], ['EventList', 'EventList', 'events.k8s.io/v1']);
      assert.deepEqual(itemsOf(old).map(nameOf), ['api-1.kubelet', 'api-1.scheduler']);
      assert.deepEqual(itemsOf(now).map(versionOf), itemsOf(old).map(versionOf));
      const events = await watch(`${newer(namespace)}?watch=true&resourceVersion=${from}`, ({ length }) => length >= 3);
      assert.deepEqual(
        events.map(({ type, object }) => [type, nameOf(object), fieldAt(object, 'deprecatedCount')]),
        [
          ['ADDED', 'api-1.kubelet', 7],
          ['ADDED', 'api-1.scheduler', undefined],
          ['MODIFIED', 'api-1.kubelet', 8],
        ],
      );
      const about = 'fieldSelector=regarding.name%3Dapi-1,reason%3DBackOff';
      assert.deepEqual(itemsOf(await get(`${newer(namespace)}?${about}`)).map(nameOf), ['api-1.kubelet']);
    });

    test('a limit of one tells the version to watch from', async () => {
      const { create, get, watch } = bench();
      const namespace = await bench().namespace();
      await create(core(namespace), fromKubelet(namespace));
      await create(newer(namespace), fromScheduler(namespace));
      const from = versionOf(await get(`${newer(namespace)}?limit=1`));
      const later = { ...fromScheduler(namespace), metadata: { name: 'later' } };
      await create(newer(namespace), later);
      const events = await watch(`${newer(namespace)}?watch=true&resourceVersion=${from}`, ({ length }) => length >= 1);
      assert.deepEqual(
        events.map(({ object }) => nameOf(object)),
        ['later'],
      );
    });
  });
};
