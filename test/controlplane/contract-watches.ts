import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fieldAt } from '../../sandbox/object.ts';
import type { Chapter } from './contract.ts';
import type { Event } from './environment.ts';
import { nameOf, versionOf } from './workbench.ts';

const seen = (events: readonly Event[]): string[] => events.map(({ type, object }) => `${type} ${nameOf(object)}`);
const count =
  (wanted: number) =>
  (events: readonly Event[]): boolean =>
    events.length >= wanted;
const configMap = (name: string, labels = {}, data = {}): object => ({ metadata: { name, labels }, data });

/** Watches: order, versions, selections, bookmarks and streaming lists. */
export const watchContract: Chapter = (bench) => {
  describe('watches', () => {
    test('show what happened after a version, in order, with rising versions', async () => {
      const { create, get, ask, patch, watch } = bench();
      const path = `/api/v1/namespaces/${await bench().namespace()}/configmaps`;
      await create(path, configMap('a'));
      const from = versionOf(await get(`${path}?labelSelector=x`));
      await create(path, configMap('b'));
      await patch(`${path}/b`, 'merge', { data: { x: '1' } });
      await ask('DELETE', `${path}/b`);
      const events = await watch(`${path}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name=b`, count(3));
      assert.deepEqual(seen(events), ['ADDED b', 'MODIFIED b', 'DELETED b']);
      const versions = events.map(({ object }) => Number(versionOf(object)));
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(versions).size, 3);
      assert.equal(fieldAt(events[0]?.object, 'kind'), 'ConfigMap');
    });

    test('without a version begin with all there is', async () => {
      const path = `/api/v1/namespaces/${await bench().namespace()}/secrets`;
      await bench().create(path, { metadata: { name: 'a' } });
      await bench().create(path, { metadata: { name: 'b' } });
      const events = await bench().watch(`${path}?watch=true`, count(2));
      assert.deepEqual(seen(events).sort(), ['ADDED a', 'ADDED b']);
    });

    test('an object that leaves the selection is deleted for the watcher, one that enters is added', async () => {
      const { create, get, patch, watch } = bench();
      const path = `/api/v1/namespaces/${await bench().namespace()}/configmaps`;
      const from = versionOf(await get(path));
      await create(path, configMap('a', { on: 'yes' }));
      await patch(`${path}/a`, 'merge', { metadata: { labels: { on: 'no' } } });
      await patch(`${path}/a`, 'merge', { metadata: { labels: { on: 'yes' } } });
      const events = await watch(`${path}?watch=true&resourceVersion=${from}&labelSelector=on%3Dyes`, count(3));
      assert.deepEqual(seen(events), ['ADDED a', 'DELETED a', 'ADDED a']);
      // The deletion shows the object as it was picked last.
      assert.equal(fieldAt(events[1]?.object, 'metadata', 'labels', 'on'), 'yes');
    });

    test('a bookmark comes before the end, with a version and nothing else', async () => {
      const { get, watch } = bench();
      const path = `/api/v1/namespaces/${await bench().namespace()}/secrets`;
      const from = versionOf(await get(path));
      const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=4&resourceVersion=${from}`;
      const watching = watch(`${path}?${query}`, (all) => all.some(({ type }) => type === 'BOOKMARK'));
      // Something must happen that the watcher does not see: bookmarks are there to pass that on.
      await delay(500);
      const elsewhere = await bench().namespace();
      await bench().create(`/api/v1/namespaces/${elsewhere}/secrets`, { metadata: { name: 'unseen' } });
      const events = await watching;
      const bookmark = events.find(({ type }) => type === 'BOOKMARK')?.object;
      assert.ok(Number(versionOf(bookmark)) > Number(from));
      assert.deepEqual([fieldAt(bookmark, 'kind'), nameOf(bookmark)], ['Secret', 'undefined']);
    });

    test('end by themselves when their time is over', async () => {
      const path = `/api/v1/namespaces/${await bench().namespace()}/secrets`;
      const from = versionOf(await bench().get(path));
      const started = Date.now();
      const events = await bench().watch(`${path}?watch=true&timeoutSeconds=1&resourceVersion=${from}`, () => false);
      assert.deepEqual(events, []);
      assert.ok(Date.now() - started >= 900);
    });

    test('a streaming list ends its first events with an annotated bookmark and goes on', async () => {
      const { ask, create, watch } = bench();
      const path = `/api/v1/namespaces/${await bench().namespace()}/configmaps`;
      await create(path, configMap('a'));
      await create(path, configMap('b'));
      const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      // The feature gate WatchList is on from 1.34: before, the answer says so, and lists are asked for in pages.
      if ((await bench().minor()) < 34) {
        const { status, body } = await ask('GET', `${path}?${query}`);
        assert.equal(status, 422);
        assert.match(String(fieldAt(body, 'message')), /WatchList feature gate/);
        return;
      }
      let more: Promise<unknown> | undefined;
      const mine = (all: readonly Event[]): Event[] =>
        all.filter(({ object }) => nameOf(object) !== 'kube-root-ca.crt');
      const events = mine(
        await watch(`${path}?${query}`, (all) => {
          if (all.some(({ type }) => type === 'BOOKMARK')) more ??= create(path, configMap('c'));
          return all.some(({ object }) => nameOf(object) === 'c');
        }),
      );
      await more;
      assert.deepEqual(seen(events.slice(0, 2)).sort(), ['ADDED a', 'ADDED b']);
      assert.equal(events[2]?.type, 'BOOKMARK');
      assert.equal(fieldAt(events[2]?.object, 'metadata', 'annotations', 'k8s.io/initial-events-end'), 'true');
      assert.deepEqual(seen(events.slice(3)), ['ADDED c']);
    });

    test('a streaming list must say that the version may be newer', async () => {
      const answer = await bench().ask('GET', '/api/v1/secrets?watch=true&sendInitialEvents=true');
      assert.deepEqual([answer.status, fieldAt(answer.body, 'reason')], [422, 'Invalid']);
      assert.match(
        String(fieldAt(answer.body, 'message')),
        /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/,
      );
    });

    test('metadata alone is watched by those who ask for it', async () => {
      const path = `/api/v1/namespaces/${await bench().namespace()}/secrets`;
      await bench().create(path, { metadata: { name: 'a' }, stringData: { k: 'v' } });
      const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
      const [event] = await bench().watch(`${path}?watch=true`, count(1), accept);
      assert.deepEqual([fieldAt(event?.object, 'kind'), nameOf(event?.object)], ['PartialObjectMetadata', 'a']);
      assert.equal(fieldAt(event?.object, 'data'), undefined);
    });
  });
};
