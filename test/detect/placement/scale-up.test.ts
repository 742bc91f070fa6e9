import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { at, condition, configMap, node, pod } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'ConfigMap/kube-system/cluster-autoscaler-status';
const status = configMap('cluster-autoscaler-status', { namespace: 'kube-system' });
const about: RawObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: status.metadata };
const says = 'Scale-up failed for group spot-large: Quota CPUS exceeded. Limit: 24.0';
const waits = pod('api', {
  ...{ createdAt: at(0), node: undefined, phase: 'Pending', statuses: [] },
  conditions: [
    condition('PodScheduled', 'False', at(0), 'Unschedulable', '0/1 nodes are available: 1 Insufficient cpu.'),
  ],
});
const tried = eventOn(waits, 'TriggeredScaleUp', at(0, 5), { type: 'Normal' });
const failed = (time: number): RawObject => eventOn(about, 'FailedToScaleUpGroup', time, { message: says });

test('A12 fires and clears: the Node that was to be made for a Pod cannot be, which is told as soon as the Pod has waited', () => {
  const { put, found, wait, says: sentence } = story('Pro');
  put(at(0), node('n1'), status, waits);
  put(at(0, 5), tried);
  put(at(0, 20), failed(at(0, 20)));
  wait(at(1, 30));
  assert.deepEqual(found(), [`${ref} ScaleUpFailed`, 'Pod/shop/api Unschedulable']);
  assert.equal(sentence(ref, 'ScaleUpFailed'), `The cluster autoscaler cannot add nodes to spot-large: ${says}.`);
  put(at(2), pod('api'));
  assert.deepEqual(found(), []);
});

test('A12 is quiet: nobody waits, another group takes the Pod, the failure was before, and the autoscaler made nothing for it', () => {
  for (const told of [[failed(at(0))], [tried], [failed(at(-3)), tried], [failed(at(0, 20))]]) {
    const { put, found, wait } = story('Pro');
    put(at(-3), node('n1'), status);
    put(at(0), ...(told.length === 1 && told[0] !== tried ? [] : [waits]));
    for (const each of told) put(at(0, 30), each);
    wait(at(10));
    assert.equal(found().includes(`${ref} ScaleUpFailed`), false);
  }
});
