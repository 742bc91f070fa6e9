import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, configMap, managed } from '../world/objects.ts';
import { app, crashing, long, podOf, twoNodes } from './proof.ts';
import { house } from './raw.ts';

const spec = { containers: [{ name: 'api', image: 'x', envFrom: [{ configMapRef: { name: 'rules' } }] }] };

/** A ConfigMap is written so many times, a minute apart, and then whoever reads it is started anew and runs out of memory. */
function root(edits: number): string | undefined {
  const k8s = house();
  const written = (minute: number) =>
    configMap('rules', { createdAt: long, managedFields: [managed('operator', at(minute), { 'f:data': {} })] });
  k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a', { spec }), configMap('rules', { createdAt: long }));
  k8s.wait(at(0));
  for (let minute = 1; minute <= edits; minute += 1) k8s.put(at(minute), written(minute));
  const killed = crashing(at(edits, 10), at(edits, 20), { exitCode: 137, reason: 'OOMKilled' });
  k8s.put(at(edits, 20), podOf('api', 'a', { spec, ...killed }));
  k8s.wait(at(edits + 2));
  return k8s.explain()[0]?.root.ref;
}

test('an edit of what is written again and again is no reason why it fails now', () => {
  assert.equal(root(1), 'ConfigMap/shop/rules');
  assert.equal(root(5), 'Deployment/shop/api');
});
