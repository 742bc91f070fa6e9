import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, configMap, managed, pod, status } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'ConfigMap/shop/app';
const found = [`${ref} ConfigMapKeyGone`];

/** The ConfigMap with some keys, as its owner wrote it. */
const app = (...keys: readonly string[]): RawObject =>
  configMap('app', {
    createdAt: at(-60),
    managedFields: [managed('helm', at(-60), { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) })],
  });

/** A Pod that was started with a key of it. */
const started = (ref: object = {}, parts: object = {}, name = 'web'): RawObject =>
  pod(name, {
    createdAt: at(-60),
    containers: [
      {
        name: 'web',
        image: 'web:1',
        env: [{ name: 'URL', valueFrom: { configMapKeyRef: { name: 'app', key: 'url', ...ref } } }],
      },
    ],
    statuses: [status('web')],
    ...parts,
  });

/** What is found an hour after the keys of the ConfigMap were edited. */
function edited(reading: RawObject, ...keys: readonly string[]): readonly string[] {
  const { put, wait, found: all } = story();
  put(at(0), app('mode', 'url'), reading);
  put(at(5), app(...keys));
  wait(at(59));
  return all().filter((each) => each.startsWith('ConfigMap'));
}

test('P40 fires: a key that a Pod was started with is taken from its ConfigMap, told after a minute', () => {
  const { put, wait, finding, says, found: all } = story();
  put(at(0), app('mode', 'url'), started());
  put(at(5), app('mode'));
  wait(at(5, 59));
  assert.deepEqual(all(), []);
  wait(at(6));
  assert.deepEqual(all(), found);
  const { severity, facts } = finding(ref, 'ConfigMapKeyGone');
  assert.equal(severity, 'medium');
  assert.deepEqual(facts, { key: 'url', needs: 'Pod shop/web', workloads: 1 });
  assert.equal(
    says(ref, 'ConfigMapKeyGone'),
    'Pod shop/web was started with its key url, which it has not had since it was edited.',
  );
});

test('P40 fires: a key that a volume names', () => {
  const volumes = [{ name: 'c', configMap: { name: 'app', items: [{ key: 'url', path: 'url' }] } }];
  assert.deepEqual(edited(pod('web', { createdAt: at(-60), spec: { volumes } }), 'mode'), found);
});

test('P40 clears: the key is there again', () => {
  const { put, wait, found: all } = story();
  put(at(0), app('mode', 'url'), started());
  put(at(5), app('mode'));
  wait(at(10));
  assert.deepEqual(all(), found);
  put(at(11), app('mode', 'url'));
  assert.deepEqual(all(), []);
});

test('P40 is quiet: a Pod that came with the edit fails, and says so', () => {
  const { put, wait, found: all } = story();
  put(at(0), app('mode', 'url'), started());
  put(at(5), app('mode'), started({}, { createdAt: at(5, 10), statuses: [status('web', { ready: false })] }, 'web-2'));
  wait(at(30));
  assert.deepEqual(
    all().filter((each) => each.startsWith('ConfigMap')),
    [],
  );
});

test('P40 is quiet: a second edit within a minute, keys that nobody names, optional ones, Pods that do not serve', () => {
  assert.deepEqual(edited(started(), 'url'), [], 'another key');
  assert.deepEqual(edited(started({ optional: true }), 'mode'), [], 'an optional one');
  assert.deepEqual(edited(started({ key: 'port' }), 'mode'), [], 'one that it never had');
  assert.deepEqual(edited(started({}, { statuses: [status('web', { ready: false })] }), 'mode'), [], 'not ready');
  const { put, wait, found: all } = story();
  put(at(0), app('mode', 'url'), started());
  put(at(5), app('mode'));
  put(at(5, 50), app('mode', 'url'));
  wait(at(30));
  assert.deepEqual(all(), []);
});
