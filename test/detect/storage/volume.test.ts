import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, node, pod, status } from '../../world/objects.ts';
import { claim, event, resourceClaim, resourceSlice, snapshot, volume } from '../../world/storage-objects.ts';
import { story } from '../../world/story.ts';

const pv = 'PersistentVolume//pv-data';

test('S3 fires and clears: a volume in phase Failed for 60 s, with what the driver said; it is gone', () => {
  const { put, gone, found, says, wait } = story();
  const failed = volume('pv-data', { phase: 'Failed', since: at(0), claim: 'data', message: 'volume is in use' });
  put(at(0), failed);
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found(), [`${pv} PVFailed`]);
  assert.equal(says(pv, 'PVFailed'), 'The volume cannot be deleted or reused: volume is in use.');
  gone(at(2), failed);
  assert.deepEqual(found(), []);
});

test('S3 fires: a released volume that cannot be deleted for 5 min, and one that does not become available', () => {
  const { put, found, wait } = story();
  const released = volume('pv-data', { phase: 'Released', since: at(0) });
  put(
    at(0),
    released,
    event(released, 'VolumeFailedDelete', 'persistentvolume pv-data is still attached to node n1', at(0)),
  );
  put(at(0), volume('pv-new', { phase: 'Pending', since: at(0) }));
  wait(at(4, 59));
  assert.deepEqual(found(), []);
  wait(at(5));
  assert.deepEqual(found(), [`${pv} PVFailed`, 'PersistentVolume//pv-new PVFailed']);
});

test('S3 is quiet: a volume is being deleted', () => {
  const { put, found, wait } = story();
  put(at(0), volume('pv-data', { phase: 'Released', since: at(0) }));
  wait(at(30));
  assert.deepEqual(found(), []);
});

const retained = { persistentVolumeReclaimPolicy: 'Retain' };

test('S4 fires and clears: a volume that is kept belongs to nobody for 7 days; it is used again', () => {
  const { put, found, finding, says, wait } = story();
  put(at(0), volume('pv-data', { phase: 'Released', since: at(0), claim: 'data', spec: retained }));
  wait(at(7 * 24 * 60 - 1));
  assert.deepEqual(found(), []);
  wait(at(7 * 24 * 60));
  assert.deepEqual(found(), [`${pv} PVReleased`]);
  assert.equal(finding(pv, 'PVReleased').severity, 'low');
  assert.equal(
    says(pv, 'PVReleased'),
    'The volume is kept and has belonged to nobody since its claim was deleted (PersistentVolumeClaim shop/data).',
  );
  put(at(7 * 24 * 60 + 1), volume('pv-data', { phase: 'Bound', claim: 'data', spec: retained }));
  assert.deepEqual(found(), []);
});

test('S4 is quiet: a volume without a claim that nobody has used yet', () => {
  const { put, found, wait } = story();
  put(at(0), volume('pv-data', { phase: 'Available', spec: retained }));
  wait(at(9 * 24 * 60));
  assert.deepEqual(found(), []);
});

test('S17 fires and clears: a volume that its claim holds an hour after it was deleted; it goes', () => {
  const { put, gone, found, says, wait } = story();
  const going = volume('pv-data', { claim: 'data', deletionAt: at(0) });
  put(at(0), claim('data', { className: '' }), going);
  wait(at(60));
  assert.deepEqual(found(), [`${pv} PVStuckTerminating`]);
  assert.equal(
    says(pv, 'PVStuckTerminating'),
    'The volume was deleted but has not gone away: PersistentVolumeClaim shop/data is still bound to it.',
  );
  gone(at(61), going);
  assert.deepEqual(found(), []);
});

const nightly = 'VolumeSnapshot/shop/nightly';
const error = { message: 'rpc error: code = Internal desc = backend busy', time: '2026-06-01T12:00:00Z' };

test('S16 fires and clears: a snapshot that fails for 75 s, or is not ready after 30; it is ready', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), snapshot('nightly', 'data', { status: { error } }), snapshot('slow', 'data'));
  wait(at(1, 14));
  assert.deepEqual(found(), []);
  wait(at(1, 15));
  assert.deepEqual(found(), [`${nightly} SnapshotFailed`]);
  const words = 'The snapshot is not ready to use: rpc error: code = Internal desc = backend busy.';
  assert.equal(says(nightly, 'SnapshotFailed'), words);
  wait(at(30));
  assert.deepEqual(found(), [`${nightly} SnapshotFailed`, 'VolumeSnapshot/shop/slow SnapshotFailed']);
  put(at(31), snapshot('nightly', 'data', { status: { readyToUse: true } }));
  assert.deepEqual(found(), ['VolumeSnapshot/shop/slow SnapshotFailed']);
});

test('S16 is quiet: it is taken at the second try; without a licence nobody looks', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), snapshot('nightly', 'data', { status: { error } }));
  put(at(1), snapshot('nightly', 'data', { status: { readyToUse: true } }));
  wait(at(60));
  assert.deepEqual(found(), []);
  const community = story();
  community.put(at(0), snapshot('nightly', 'data', { status: { error } }));
  community.wait(at(60));
  assert.deepEqual(community.found(), []);
});

const gpu = 'ResourceClaim/shop/gpu';
const asks = { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } };
const waits = (since: number) => ({
  ...{ ...asks, node: undefined, phase: 'Pending', statuses: [], createdAt: since },
  conditions: [
    condition(
      'PodScheduled',
      'False',
      since,
      'Unschedulable',
      '0/2 nodes are available: 2 cannot allocate all claims.',
    ),
  ],
});

test('G22 fires and clears: a Pod waits for devices that nobody has free; they are allocated', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), resourceSlice('n1'), resourceClaim('gpu'));
  put(at(1), pod('train', waits(at(1))));
  wait(at(2, 29));
  assert.deepEqual(found(), []);
  wait(at(2, 30));
  assert.deepEqual(found().sort(), ['Pod/shop/train Unschedulable', `${gpu} ResourceClaimUnallocated`]);
  const words = 'No devices of class gpu.example.com can be found for the claim.';
  assert.equal(says(gpu, 'ResourceClaimUnallocated'), words);
  put(at(3), resourceClaim('gpu', { status: { allocation: { devices: {} } } }));
  assert.deepEqual(found(), ['Pod/shop/train Unschedulable']);
});

test('G22 fires: no driver offers any device, which is told within 15 s; also of a claim that was made for the Pod', () => {
  const { put, found, says, wait } = story('Pro');
  const own = { owner: { kind: 'Pod', name: 'train', apiVersion: 'v1' } };
  const fromTemplate = { spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] } };
  put(at(1), resourceClaim('train-gpu', own), pod('train', { ...waits(at(1)), ...fromTemplate }));
  wait(at(1, 15));
  assert.deepEqual(found(), ['ResourceClaim/shop/train-gpu ResourceClaimUnallocated']);
  assert.equal(
    says('ResourceClaim/shop/train-gpu', 'ResourceClaimUnallocated'),
    'The claim asks for devices of class gpu.example.com, and no driver offers any.',
  );
});

test('G22 fires and clears: the devices of a Pod are not prepared; it starts', () => {
  const { put, found, says, wait } = story('Pro');
  const starts = pod('train', {
    ...{ ...asks, phase: 'Pending', statuses: [] },
    conditions: [condition('PodScheduled', 'True', at(0))],
  });
  const text = 'Failed to prepare dynamic resources: prepare devices: driver gpu.example.com not found';
  put(at(0), node('n1'), starts, event(starts, 'FailedPrepareDynamicResources', text, at(0)));
  wait(at(1));
  assert.deepEqual(found(), ['Pod/shop/train DevicesNotPrepared']);
  assert.match(says('Pod/shop/train', 'DevicesNotPrepared'), /not prepared: Failed to prepare/);
  put(at(2), pod('train', { ...asks, statuses: [status('api')] }));
  assert.deepEqual(found(), []);
});

test('G22 is quiet: nobody waits for the claim', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), resourceClaim('gpu'));
  wait(at(60));
  assert.deepEqual(found(), []);
});
