import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { at, healthy, life, nextLife, objects, settingsOf, withoutPods } from './lives.ts';

const hour = 3600;
const owned = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'api', uid: 'api', controller: true }];

/** A Pod of Deployment api that is old, and has been restarted so often, the last time then. */
function restarted(restartCount: number, seconds: number): RawObject {
  const pod = healthy('api-a', -90_000);
  const state = { running: { startedAt: at(seconds) } };
  const lastState = {
    terminated: { exitCode: 143, reason: 'Error', startedAt: at(seconds - 3000), finishedAt: at(seconds) },
  };
  const container = { ...{ name: 'app', image: 'x', imageID: 'x', ready: true, restartCount }, state, lastState };
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: at(seconds) }];
  return {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: owned, creationTimestamp: at(-90_000) },
    status: { phase: 'Running', conditions, containerStatuses: [container] },
  };
}

const api = (): RawObject => {
  const deployment = withoutPods('api', 1);
  return { ...deployment, metadata: { ...deployment.metadata, creationTimestamp: at(-90_000) } };
};

test('what is normal for a workload outlives a restart of Tocsin: the fifth restart of a day is told, whoever saw the first four', () => {
  const first = life();
  first.start(0, settingsOf(), objects('deployments.apps', api()), objects('pods', restarted(40, -hour)));
  for (const index of [1, 2, 3, 4]) first.turn(index * hour, objects('pods', restarted(40 + index, index * hour)));
  const reasons = (one: ReturnType<typeof life>) => [...one.core.view.findings()].map(({ reason }) => reason);
  assert.deepEqual(reasons(first), []);
  assert.ok(first.memos.includes('normals/Deployment/shop/api'));

  const second = nextLife(first.kill(), 4.5 * hour);
  const then = [objects('deployments.apps', api()), objects('pods', restarted(44, 4 * hour))];
  second.start(4.5 * hour, settingsOf(), ...then);
  assert.deepEqual(reasons(second), []);
  second.turn(5 * hour, objects('pods', restarted(45, 5 * hour)));
  assert.deepEqual(reasons(second), ['HighRestartCount']);
});
