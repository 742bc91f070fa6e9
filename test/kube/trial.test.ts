import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { trialSince } from '../../src/kube/trial.ts';
import { type Stage, startStage } from '../runtime/stage.ts';

let stage: Stage;
before(async () => {
  stage = await startStage({});
});
after(() => stage.stop());

test('a trial begins when it is asked for, once, and is as old as its Lease', async () => {
  const first = await trialSince(stage.client, 'tocsin');
  assert.ok(Math.abs(first - Date.now()) < 600_000);
  assert.equal(await trialSince(stage.client, 'tocsin'), first);
  const path = '/apis/coordination.k8s.io/v1/namespaces/tocsin/leases/tocsin-trial';
  const { metadata } = await stage.client.json<{ metadata: { creationTimestamp: string } }>({ path });
  assert.equal(Date.parse(metadata.creationTimestamp), first);
});
