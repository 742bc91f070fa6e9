import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podsOf } from '../../../src/explain/evidence/workload.ts';
import { refOf } from '../../../src/model/ref.ts';
import { WatchedWorld } from '../../../src/world/watched-world.ts';
import { sourceOf } from '../../world/story.ts';
import { app, long, podOf } from '../proof.ts';

test('owners that own each other have no end, and are asked once', { timeout: 10_000 }, () => {
  const job = (name: string, owner: string) => ({
    ...{ apiVersion: 'batch/v1', kind: 'Job', spec: {}, status: {} },
    metadata: {
      ...{ name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: '2026-11-20T00:00:00Z' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: owner, uid: `uid-${owner}`, controller: true }],
    },
  });
  const world = new WatchedWorld();
  const pod = podOf('api', 'a');
  for (const raw of [...app('api'), pod, job('hen', 'egg'), job('egg', 'hen'), job('itself', 'itself')])
    world.apply(sourceOf(raw), [{ is: 'put', raw }], long);
  for (const name of ['hen', 'itself']) assert.deepEqual(podsOf(world, refOf('Job', 'shop', name), 4), []);
  assert.equal(podsOf(world, refOf('Deployment', 'shop', 'api'), 4).length, 1);
});
