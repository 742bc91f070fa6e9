import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOn } from '../../world/events.ts';
import { at, condition, pod } from '../../world/objects.ts';
import { claim, event, storageClass } from '../../world/storage-objects.ts';
import { story } from '../../world/story.ts';

const data = 'PersistentVolumeClaim/shop/data';
const mounts = { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } };
/** The claim asks for 20Gi and has 10. */
const growing = (status: Record<string, unknown>) =>
  claim('data', { spec: { resources: { requests: { storage: '20Gi' } } }, status });

test('S7 fires and clears: growing a volume has failed for 60 s; it has grown', () => {
  const { put, found, says, wait } = story();
  const error = condition(
    'ControllerResizeError',
    'True',
    at(1),
    '',
    'rpc error: code = Internal desc = quota exceeded',
  );
  put(at(1), storageClass('fast'), growing({ conditions: [error] }));
  wait(at(1, 59));
  assert.deepEqual(found(), []);
  wait(at(2));
  assert.deepEqual(found(), [`${data} VolumeResizeFailed`]);
  assert.equal(
    says(data, 'VolumeResizeFailed'),
    'The volume cannot be grown from 10Gi to 20Gi: rpc error: code = Internal desc = quota exceeded.',
  );
  put(at(5), growing({ capacity: { storage: '20Gi' } }));
  assert.deepEqual(found(), []);
});

test('S7 fires and clears: a resizer that writes no condition says again and again that it cannot grow a volume; it has grown', () => {
  const { put, found, wait } = story();
  const says = (when: number) =>
    eventOn(growing({}), 'VolumeResizeFailed', when, {
      firstAt: at(1),
      message: 'rpc error: code = Internal desc = busy',
    });
  put(at(1), storageClass('fast'), growing({}), says(at(1)));
  wait(at(1, 59));
  assert.deepEqual(found(), []);
  put(at(2), says(at(2)));
  wait(at(2, 1));
  assert.deepEqual(found(), [`${data} VolumeResizeFailed`]);
  put(at(8), growing({ capacity: { storage: '20Gi' } }));
  assert.deepEqual(found(), []);
});

test('S7 fires: what a driver answers that cannot be done is told within 15 s by the Event alone', () => {
  const { put, found, finding, wait } = story();
  const message = 'rpc error: code = OutOfRange desc = too large';
  put(at(1), storageClass('fast'), growing({}), eventOn(growing({}), 'VolumeResizeFailed', at(1), { message }));
  wait(at(1, 15));
  assert.deepEqual(found(), [`${data} VolumeResizeFailed`]);
  assert.equal(finding(data, 'VolumeResizeFailed').conclusive, true);
});

test('S7 S9 fires: what the driver says cannot be done is told within 15 s', () => {
  const { put, found, finding, wait } = story();
  const infeasible = {
    allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' },
    modifyVolumeStatus: { status: 'Infeasible', targetVolumeAttributesClassName: 'gold' },
  };
  put(at(1), storageClass('fast'), growing(infeasible));
  wait(at(1, 15));
  assert.deepEqual(found().sort(), [`${data} VolumeModifyFailed`, `${data} VolumeResizeFailed`]);
  assert.equal(finding(data, 'VolumeResizeFailed').conclusive, true);
});

test('S7 is quiet: a volume is being grown', () => {
  const { put, found, wait } = story();
  put(at(1), growing({ conditions: [condition('Resizing', 'True', at(1))] }));
  wait(at(20));
  assert.deepEqual(found(), []);
});

const pending = { conditions: [condition('FileSystemResizePending', 'True', at(0))] };

test('S8 fires and clears: the file system of a volume in use waits for 30 min to be grown; it has', () => {
  const { put, found, says, wait } = story();
  put(at(0), storageClass('fast'), pod('api', mounts), growing(pending));
  wait(at(30));
  assert.deepEqual(found(), [`${data} FileSystemResizePending`]);
  assert.equal(
    says(data, 'FileSystemResizePending'),
    'The volume has grown but its file system has not: its pod probably has to be restarted.',
  );
  put(at(40), growing({ capacity: { storage: '20Gi' } }));
  assert.deepEqual(found(), []);
});

test('S8 is quiet: no Pod mounts the volume', () => {
  const { put, found, wait } = story();
  put(at(0), growing(pending));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('S9 fires and clears: changing the attributes of a volume has failed for 60 s; it is done', () => {
  const { put, found, says, wait } = story();
  const error = condition('ModifyVolumeError', 'True', at(1), '', 'throttled');
  const modifyVolumeStatus = { status: 'InProgress', targetVolumeAttributesClassName: 'gold' };
  put(at(1), storageClass('fast'), growing({ conditions: [error], modifyVolumeStatus }));
  wait(at(2));
  assert.deepEqual(found(), [`${data} VolumeModifyFailed`]);
  const words = 'The volume cannot be changed to attributes class gold: throttled.';
  assert.equal(says(data, 'VolumeModifyFailed'), words);
  put(at(3), growing({}));
  assert.deepEqual(found(), []);
});

test('S9 is quiet: it is being changed', () => {
  const { put, found, wait } = story();
  put(at(1), growing({ conditions: [condition('ModifyingVolume', 'True', at(1))] }));
  wait(at(30));
  assert.deepEqual(found(), []);
});

const ill = 'The volume is out of range of its pool';

test('S14 fires and clears: a driver says that a volume is not healthy; it says that it is', () => {
  const { put, found, says, wait } = story();
  const own = claim('data');
  put(at(0), storageClass('fast'), own, event(own, 'VolumeConditionAbnormal', ill, at(0)));
  wait(at(1));
  assert.deepEqual(found(), [`${data} VolumeUnhealthy`]);
  assert.equal(says(data, 'VolumeUnhealthy'), `The volume is not healthy: ${ill}.`);
  put(at(5), event(own, 'VolumeConditionNormal', 'The volume is healthy', at(5), { type: 'Normal' }));
  assert.deepEqual(found(), []);
});

test('S14 is quiet and clears: it is taken back within a minute; nothing is said for 30 min', () => {
  const { put, found, wait } = story();
  const own = claim('data');
  put(at(0), storageClass('fast'), own, event(own, 'VolumeConditionAbnormal', ill, at(0)));
  put(at(0, 30), event(own, 'VolumeConditionNormal', 'healthy', at(0, 30), { type: 'Normal' }));
  wait(at(2));
  assert.deepEqual(found(), []);
  put(at(10), event(own, 'VolumeConditionAbnormal', ill, at(10), { from: at(10) }));
  wait(at(39, 59));
  assert.deepEqual(found(), [`${data} VolumeUnhealthy`]);
  wait(at(40));
  assert.deepEqual(found(), []);
});

test('S14 fires: what is said of a failed Node names it', () => {
  const { put, finding, wait } = story();
  const own = claim('data');
  const text = 'Pods: [ api ] consuming PVC: data in namespace: shop are now on a failed node: n1';
  put(at(0), storageClass('fast'), own, event(own, 'VolumeConditionAbnormal', text, at(0)));
  wait(at(1));
  assert.deepEqual(finding(data, 'VolumeUnhealthy').names, ['Node//n1']);
});
