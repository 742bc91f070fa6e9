import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './support/eventually.ts';
import { sendJson, sendStatus } from './support/fake-api.ts';
import { bookmark, pod, podList, pods, withHarness } from './support/reflector-harness.ts';

test('streaming list: asked for first, objects come as they arrive, and the same stream goes on as the watch', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = harness.open;
    const told = harness.start();
    await eventually('the streaming list is open', () => harness.watches.length === 1);
    const [stream] = harness.watches;
    assert.deepEqual(Object.fromEntries(stream?.query ?? []), {
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '450',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
    });
    stream?.send('ADDED', pod('a', '900'));
    await eventually('the first object is handed over', () => told.events().length === 1);
    assert.deepEqual(told.states(), ['Syncing InitialList']);
    assert.equal(told.reflector.stats().objects, undefined);
    stream?.send('ADDED', pod('b', '5'));
    stream?.send('BOOKMARK', bookmark('1000', true));
    await eventually('it is in sync', () => told.states().length === 2);
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Watching Synced']);
    stream?.send('DELETED', pod('a', '1001'));
    await eventually('the watch goes on', () => told.events().length === 3);
    assert.deepEqual(told.events(), ['put shop/a', 'put shop/b', 'gone shop/a']);
    assert.equal(told.reflector.stats().objects, 1);
    assert.equal(harness.lists().length, 0);
    stream?.response.end();
    await eventually('it watches again', () => harness.watches.length === 2);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '1001');
    assert.equal(harness.watches[1]?.query.has('sendInitialEvents'), false);
  }));

test('streaming list: the bookmark that ends it also tells what has vanished', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = harness.open;
    const told = harness.start();
    told.world.set('shop/old', 'uid-old');
    await eventually('the streaming list is open', () => harness.watches.length === 1);
    harness.watches[0]?.send('ADDED', pod('a'));
    harness.watches[0]?.send('BOOKMARK', bookmark('1000', true));
    await told.synced();
    assert.deepEqual(told.events(), ['put shop/a', 'gone shop/old']);
  }));

test('streaming list: where it is refused, the list comes in pages, and it is not asked for again', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    assert.equal(harness.lists().length, 1);
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Watching Synced']);
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await harness.passUntil('it has listed again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.api.seen.filter((request) => request.query.has('sendInitialEvents')).length, 1);
  }));

test('streaming list: a server that ignores it and stays silent is listed in pages after 30 s', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = harness.open;
    harness.start();
    await eventually('the streaming list is open', () => harness.watches.length === 1);
    await harness.clock.advance(29_000);
    assert.equal(harness.lists().length, 0);
    await harness.passUntil('it lists in pages', 2_000, () => harness.lists().length === 1);
  }));

test('a connection that is cut in a streaming list does not end the use of streaming lists', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = harness.open;
    harness.start();
    await eventually('the streaming list is open', () => harness.watches.length === 1);
    harness.watches[0]?.send('ADDED', pod('a'));
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it streams again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.watches[1]?.query.get('sendInitialEvents'), 'true');
    assert.equal(harness.watches[1]?.query.has('resourceVersion'), false, 'no version before the list is complete');
  }));

test('first list: pages of 250 with no version, each handed over at once with kind and apiVersion', () =>
  withHarness(async (harness) => {
    let second: (() => void) | undefined;
    harness.onList = (request, response) => {
      if (request.query.get('continue') === null)
        sendJson(response, 200, podList('10', [pod('a'), pod('b')], { continue: 'next', remainingItemCount: 1 }));
      else second = () => sendJson(response, 200, podList('10', [pod('c')]));
    };
    const told = harness.start();
    await eventually('the second page is asked for', () => second !== undefined);
    assert.deepEqual(told.events(), ['put shop/a', 'put shop/b']);
    assert.deepEqual(
      told.batches[0]?.map(({ raw }) => [raw.apiVersion, raw.kind]),
      [
        ['v1', 'Pod'],
        ['v1', 'Pod'],
      ],
    );
    assert.deepEqual(told.states(), ['Syncing InitialList']);
    second?.();
    await eventually('it watches', () => harness.watches.length === 1);
    assert.deepEqual(
      harness.lists().map((request) => request.query.toString()),
      ['limit=250', 'limit=250&continue=next'],
    );
    assert.equal(harness.watches[0]?.query.get('resourceVersion'), '10');
    assert.deepEqual(told.events(), ['put shop/a', 'put shop/b', 'put shop/c']);
    assert.equal(told.reflector.stats().objects, 3);
  }));

test('relist: under 5,000 objects in one piece at the last version, without a limit', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.watches[0]?.send('ADDED', pod('a', '17'));
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 500, reason: 'InternalError' });
    await harness.passUntil('it has listed again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists()[1]?.query.toString(), 'resourceVersion=17');
    await told.synced();
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Watching Synced', 'Syncing Relisting', 'Watching Synced']);
  }));

test('relist: 5,000 objects and more come in pages again, without a version', () =>
  withHarness(async (harness) => {
    harness.onList = (request, response) => {
      const page = Number(request.query.get('continue') ?? '0');
      const items = Array.from({ length: 250 }, (_, index) => pod(`p${page}-${index}`));
      sendJson(response, 200, podList('10', items, page < 19 ? { continue: String(page + 1) } : {}));
    };
    const told = harness.start();
    await told.synced();
    assert.equal(told.reflector.stats().objects, 5_000);
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 500, reason: 'InternalError' });
    await harness.passUntil('it has listed again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists()[20]?.query.toString(), 'limit=250');
    assert.equal(harness.lists().length, 40);
  }));

test('an expired continue token: a full list in one piece, if few objects are left', () =>
  withHarness(async (harness) => {
    harness.onList = (request, response) => {
      if (request.query.has('continue')) sendStatus(response, 410, 'Expired', 'the continue token is too old');
      else if (request.query.has('limit')) sendJson(response, 200, podList('10', [pod('a')], { continue: 'old' }));
      else sendJson(response, 200, podList('12', [pod('b')]));
    };
    const told = harness.start();
    await told.synced();
    assert.deepEqual(
      harness.lists().map((request) => request.query.toString()),
      ['limit=250', 'limit=250&continue=old', ''],
    );
    assert.equal(harness.watches[0]?.query.get('resourceVersion'), '12');
    // `a` was in the list that was given up and is not in the whole one: it went in between.
    assert.deepEqual(told.events(), ['put shop/a', 'put shop/b', 'gone shop/a']);
  }));

test('an expired continue token: a large list begins again in pages', () =>
  withHarness(async (harness) => {
    let expired = false;
    harness.onList = (request, response) => {
      const more = { continue: 'next', remainingItemCount: 90_000 };
      if (!request.query.has('continue')) sendJson(response, 200, podList('10', [pod('a')], more));
      else if (expired) sendJson(response, 200, podList('10', [pod('b')]));
      else {
        expired = true;
        sendStatus(response, 410, 'Expired');
      }
    };
    await harness.start().synced();
    assert.equal(harness.lists()[2]?.query.toString(), 'limit=250');
  }));

test('410 on the watch: a list with no version', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.onWatch = (_, response) => sendStatus(response, 410, 'Expired', 'too old resource version');
    harness.watches[0]?.response.end();
    await harness.passUntil('the watch is refused', 1_000, () => harness.watchRequests().length === 2);
    harness.onWatch = harness.open;
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists()[1]?.query.toString(), 'limit=250');
    assert.ok(!told.states().includes('Failing ServerError'));
  }));

test('410 as an ERROR event: a list with no version', () =>
  withHarness(async (harness) => {
    await harness.start().synced();
    harness.watches[0]?.send('ADDED', pod('a', '17'));
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 410, reason: 'Gone' });
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists()[1]?.query.toString(), 'limit=250');
  }));

test('a storm of 410 backs off instead of listing in a loop', () =>
  withHarness(async (harness) => {
    harness.onWatch = (_, response) => sendStatus(response, 410, 'Expired');
    harness.start();
    await harness.passUntil('30 s have passed', 30_000, () => false).catch(() => undefined);
    // 0.4, 0.8, 1.6, 3.2, 6.4, 12.8 s with this random: six waits in 30 s.
    assert.ok(harness.lists().length >= 4 && harness.lists().length <= 8, `${harness.lists().length} lists in 30 s`);
  }));

test('"too large resource version": a list with no version', () =>
  withHarness(async (harness) => {
    await harness.start().synced();
    harness.onWatch = (_, response) =>
      sendStatus(response, 504, 'Timeout', 'Timeout: Too large resource version: 10, current: 3');
    harness.watches[0]?.response.end();
    await harness.passUntil('the watch is refused', 1_000, () => harness.watchRequests().length === 2);
    harness.onWatch = harness.open;
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists()[1]?.query.toString(), 'limit=250');
  }));

test('at most two initial lists at a time', () =>
  withHarness(async (harness) => {
    const waiting: (() => void)[] = [];
    let most = 0;
    let now = 0;
    harness.onList = (_, response) => {
      most = Math.max(most, ++now);
      waiting.push(() => {
        now--;
        sendJson(response, 200, podList('10', []));
      });
    };
    for (let n = 0; n < 5; n++) harness.start();
    for (let answered = 0; answered < 5; answered++) {
      await eventually('a list is asked for', () => waiting.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      waiting.shift()?.();
    }
    await eventually('all watch', () => harness.watches.length === 5);
    assert.equal(most, 2);
  }));

test('objects that vanished unseen are emitted as gone on relist', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) => sendJson(response, 200, podList('10', [pod('a'), pod('b')]));
    const told = harness.start();
    await told.synced();
    harness.onList = (_, response) => sendJson(response, 200, podList('20', [pod('b')]));
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.deepEqual(told.events().slice(2), ['put shop/b', 'gone shop/a']);
    assert.deepEqual(told.batches.at(-1)?.[0]?.raw, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'shop', uid: 'uid-a' },
    });
    assert.deepEqual([...told.world.keys()], ['shop/b']);
  }));

test('an object recreated under its old name: the old uid is gone before the new one is put', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) => sendJson(response, 200, podList('10', [pod('a', '1', 'first')]));
    const told = harness.start();
    await told.synced();
    harness.onList = (_, response) => sendJson(response, 200, podList('20', [pod('a', '15', 'second')]));
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.deepEqual(
      told.batches.flat().map(({ is, raw }) => `${is} ${raw.metadata.uid}`),
      ['put first', 'gone first', 'put second'],
    );
  }));

test('metadata only: asked for as PartialObjectMetadata, and data a server sends all the same goes no further', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) =>
      sendJson(response, 200, podList('10', [{ ...pod('a'), data: { password: 'x' } }]));
    const told = harness.start({ resource: { ...pods, plural: 'configmaps', kind: 'ConfigMap', metadataOnly: true } });
    await eventually('it watches', () => harness.watches.length === 1);
    const [list] = harness.lists();
    assert.equal(list?.headers.accept, 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
    const [watch] = harness.watchRequests();
    assert.equal(watch?.headers.accept, 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
    harness.watches[0]?.send('MODIFIED', { kind: 'PartialObjectMetadata', ...pod('a', '11'), data: { password: 'y' } });
    await eventually('the change is handed over', () => told.events().length === 2);
    for (const { raw } of told.batches.flat())
      assert.deepEqual([raw.kind, Object.keys(raw).sort()], ['ConfigMap', ['apiVersion', 'kind', 'metadata']]);
  }));
