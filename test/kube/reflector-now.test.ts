import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../src/model/resource.ts';
import { eventually } from './support/eventually.ts';
import { sendJson } from './support/fake-api.ts';
import { pod, podList, withHarness } from './support/reflector-harness.ts';

const events: Resource = {
  group: 'events.k8s.io',
  versions: ['v1'],
  plural: 'events',
  kind: 'Event',
  namespaced: true,
  startsNow: true,
};

test('what starts now is not listed: one object is asked for, for the version, and the watch goes on from there', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = () => assert.fail('a streaming list sends everything there is');
    harness.onList = (_, response) =>
      sendJson(response, 200, podList('4711', [pod('old')], { continue: 'more', remainingItemCount: 99_999 }));
    const told = harness.start({ resource: events });
    await told.synced();
    assert.deepEqual(
      harness.lists().map(({ path, query }) => [path, Object.fromEntries(query)]),
      [['/apis/events.k8s.io/v1/events', { limit: '1' }]],
    );
    assert.equal(harness.watches[0]?.query.get('resourceVersion'), '4711');
    assert.deepEqual(told.events(), []);
    harness.watches[0]?.send('ADDED', pod('new', '4712'));
    await eventually('the first Event is handed over', () => told.events().length === 1);
    assert.deepEqual(told.events(), ['put shop/new']);
  }));

test('what starts now starts now again when its version is too old, and nothing has vanished for that', () =>
  withHarness(async (harness) => {
    const versions = ['10', '900'];
    harness.onList = (_, response) => sendJson(response, 200, podList(versions.shift() ?? '', [pod('between', '500')]));
    const told = harness.start({ resource: events });
    await told.synced();
    harness.watches[0]?.send('ADDED', pod('new', '11'));
    await eventually('an Event is handed over', () => told.events().length === 1);
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists().length, 2);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '900');
    assert.deepEqual(told.events(), ['put shop/new']);
  }));

test('what starts now watches on from its last version when a watch ends', () =>
  withHarness(async (harness) => {
    const told = harness.start({ resource: events });
    await told.synced();
    harness.watches[0]?.send('ADDED', pod('new', '17'));
    await eventually('an Event is handed over', () => told.events().length === 1);
    harness.watches[0]?.response.end();
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.deepEqual([harness.lists().length, harness.watches[1]?.query.get('resourceVersion')], [1, '17']);
  }));
