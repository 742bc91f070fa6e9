import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, configMap, managed } from '../world/objects.ts';
import { inShort } from './helpers.ts';
import { app, long, podOf, twoNodes } from './proof.ts';
import { house } from './raw.ts';
import { said, saying } from './said.ts';

const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'settings' } }] }] };

/** Settings that a workload has read for an hour are edited at an instant; at 2 it crashes with its last words. */
function played(editedAt: number, words: string): ReturnType<typeof house> {
  const k8s = house();
  k8s.put(long, ...twoNodes, configMap('settings', { createdAt: long }), ...app('api'), podOf('api', 'a', { spec }));
  k8s.wait(at(0));
  const managedFields = [managed('kubectl-edit', editedAt, { 'f:data': { 'f:SIZE': {} } })];
  const edit = (): void => k8s.put(editedAt, configMap('settings', { createdAt: long, generation: 2, managedFields }));
  if (editedAt <= at(2)) edit();
  k8s.put(at(2), podOf('api', 'a', { spec, ...saying(long, at(2), words) }));
  if (editedAt > at(2)) edit();
  k8s.wait(at(6));
  return k8s;
}

const told = (editedAt: number, words: string): readonly string[] =>
  inShort(played(editedAt, words).explain()).map((each) => each.split(' ')[0] ?? '');

test('an edit is not why a run that began before it says something that settings have no part in', () => {
  assert.deepEqual(told(at(1), said.rejected('pg.example.com')), ['Deployment/shop/api']);
});

test('what was edited before what reads it ended in words that nobody can read is told beside that', () => {
  const k8s = played(at(1), 'seat count 51 of 50 used, giving up');
  const [explanation, ...others] = k8s.explain();
  assert.deepEqual([explanation?.root.ref, others], ['Deployment/shop/api', []]);
  assert.deepEqual(
    explanation?.proof.map(({ code }) => code),
    ['EditedBeside'],
  );
});

/** What a program says that reads a file of its settings anew. */
const unusable = 'error loading config file /etc/api/settings.yaml: yaml: line 3: mapping values are not allowed';

test('nor of what a program lacks in its variables, which it reads as it starts', () => {
  assert.deepEqual(told(at(1), said.variable), ['Deployment/shop/api']);
});

test('it may be where the program says that it cannot do with its settings, as files are read anew', () => {
  assert.deepEqual(told(at(1), unusable), ['ConfigMap/shop/settings']);
});

test('nor is it why something began to fail before it, but for what clocks may differ by', () => {
  assert.deepEqual(told(at(2, 20), unusable), ['Deployment/shop/api']);
  assert.deepEqual(told(at(2, 3), unusable), ['ConfigMap/shop/settings']);
});
