import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tocsin } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Tocsin//tocsin';
const lost = (source: string, reason = 'ServerError', since = at(0)) => ({ source, reason, since });

test('G23 fires: a kind has not been seen for a minute, high where it is required, else medium', () => {
  const k8s = story();
  k8s.put(at(0), tocsin([lost('configmaps'), lost('pods')]));
  k8s.wait(at(0, 59));
  assert.deepEqual(k8s.found(), []);
  k8s.wait(at(1));
  assert.deepEqual(k8s.found(), [`${ref} KindsUnseen`]);
  assert.equal(k8s.finding(ref, 'KindsUnseen').severity, 'high');
  assert.equal(k8s.says(ref, 'KindsUnseen'), 'It cannot watch pods and configmaps (the API server ends the watch).');
  k8s.put(at(2), tocsin([lost('configmaps', 'WatchSilent'), lost('leases.coordination.k8s.io')]));
  assert.equal(k8s.finding(ref, 'KindsUnseen').severity, 'medium');
  assert.equal(k8s.says(ref, 'KindsUnseen'), 'It cannot watch configmaps and leases.coordination.k8s.io.');
  k8s.put(at(3), tocsin(['a', 'b', 'c', 'd', 'e', 'f', 'nodes'].map((source) => lost(source))));
  assert.match(k8s.says(ref, 'KindsUnseen'), /^It cannot watch nodes, a, b, c and 3 more kinds \(/);
});

test('G23 is quiet: less than a minute, and an API server that does not answer for less than three', () => {
  const brief = story();
  brief.put(at(0), tocsin([lost('pods')]));
  brief.wait(at(0, 55));
  brief.put(at(0, 56), tocsin([]));
  brief.wait(at(10));
  assert.deepEqual(brief.found(), []);

  const restart = story();
  restart.put(at(0), tocsin([lost('pods', 'ConnectionLost'), lost('nodes', 'ConnectionLost')]));
  restart.wait(at(2, 59));
  assert.deepEqual(restart.found(), []);
  restart.wait(at(3));
  assert.deepEqual(restart.found(), [`${ref} KindsUnseen`]);
});

test('G23 clears: everything is watched again, for a minute', () => {
  const k8s = story();
  k8s.put(at(0), tocsin([lost('pods')]));
  k8s.wait(at(2));
  assert.equal(k8s.finding(ref, 'KindsUnseen').clearHoldMs, 60_000);
  k8s.put(at(2), tocsin([]));
  assert.deepEqual(k8s.found(), []);
});
