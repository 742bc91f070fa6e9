import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../src/model/settings.ts';
import { app, crashing, long, podOf, twoNodes } from '../explain/proof.ts';
import { watchedCluster } from '../message/cluster.ts';
import { at } from '../world/objects.ts';

test('with holdSeconds 0 an incident ends as soon as everything is healthy, though nothing else happens', () => {
  const k8s = watchedCluster({ incidents: { ...defaultSettings.incidents, holdSeconds: 0 } });
  k8s.put(long, ...twoNodes, ...app('api', { replicas: 1 }), podOf('api', 'a'));
  k8s.start(at(0));
  k8s.put(at(1), podOf('api', 'a', crashing(long, at(1))));
  k8s.gone(at(10), podOf('api', 'a'), ...app('api'));
  k8s.wait(at(30));
  const [end] = k8s.told().filter(({ act }) => act === 'resolve');
  assert.ok(end !== undefined && end.at < at(11), String(end && (end.at - at(10)) / 1000));
});
