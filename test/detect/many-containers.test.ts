import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, ended, node, pod, status, waiting } from '../world/objects.ts';
import { story } from '../world/story.ts';

const ref = 'Pod/shop/crowd';
const names = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
const containers = names.map((name) => ({ name, image: 'registry.example/shop/api:1.0' }));
const lastState = ended(at(4), at(4, 5));

test('of a Pod of thousands of containers a hundred are kept and judged, those first that are not ready', () => {
  const k8s = story();
  const statuses = names.map((name, index) =>
    index === 1_999 ? waiting(name, 'CrashLoopBackOff', 'back-off 5m0s', { restartCount: 7, lastState }) : status(name),
  );
  k8s.put(at(5), node('n1'), pod('crowd', { containers, statuses }));
  const view = k8s.world.get(ref);
  assert.ok(typeof view === 'object' && view.kind === 'Pod');
  assert.equal(view.containers.length, 100);
  assert.equal(view.containers[0]?.name, 'c1999');
  assert.equal(k8s.finding(ref, 'CrashLoopBackOff').scope, 'c1999');
});

test('a Pod is read once for the judgement of all its containers', () => {
  const k8s = story();
  const statuses = names.map((name) =>
    waiting(name, 'CrashLoopBackOff', 'back-off 5m0s', { restartCount: 7, lastState }),
  );
  k8s.put(at(5), node('n1'), pod('crowd', { containers, statuses }));
  assert.equal(k8s.detection.findings(ref).filter(({ reason }) => reason === 'CrashLoopBackOff').length, 100);
  const view = k8s.world.get(ref);
  k8s.world.restartsAfter(ref, 'c7', at(0));
  k8s.world.since(ref, 'container/c7/crashing');
  assert.equal(k8s.world.get(ref), view, 'the same view as long as nothing has changed');
  k8s.put(at(6), pod('crowd', { containers }));
  assert.notEqual(k8s.world.get(ref), view);
});
