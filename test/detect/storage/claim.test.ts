import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, eventOf, node, pod } from '../../world/objects.ts';
import { attachment, claim, csiNode, event, storageClass, unbound, volume } from '../../world/storage-objects.ts';
import { story } from '../../world/story.ts';

const data = 'PersistentVolumeClaim/shop/data';
const mounts = { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } };
const placedNowhere = (since: number, says: string) => ({
  ...{ ...mounts, node: undefined, phase: 'Pending', statuses: [], createdAt: since },
  conditions: [condition('PodScheduled', 'False', since, 'Unschedulable', says)],
});
/** A Pod that mounts the claim and has been on n1 since an instant without starting. */
const starting = (since: number) => ({
  ...{ ...mounts, phase: 'Pending', statuses: [], createdAt: since },
  conditions: [condition('PodScheduled', 'True', since)],
});

test('S12 fires: a claim of a class that does not exist is found within 15 s, conclusively', () => {
  const { put, found, finding, says, wait } = story();
  put(at(0), storageClass('fast'), unbound('data', { className: 'fats' }));
  wait(at(0, 14));
  assert.deepEqual(found(), []);
  wait(at(0, 15));
  assert.deepEqual(found(), [`${data} StorageClassMissing`]);
  assert.equal(finding(data, 'StorageClassMissing').conclusive, true);
  assert.equal(says(data, 'StorageClassMissing'), 'The claim asks for storage class fats, which does not exist.');
});

test('S12 fires: a claim that names no class where none is the default', () => {
  const { put, found, says, wait } = story();
  put(at(0), storageClass('fast'), unbound('data', { className: undefined }));
  wait(at(0, 15));
  assert.deepEqual(found(), [`${data} NoDefaultStorageClass`]);
  const words = 'The claim names no storage class, and the cluster has no default one.';
  assert.equal(says(data, 'NoDefaultStorageClass'), words);
});

test('S12 follows the classes: the default that was is named once it is the only one, and a claim without a class is well once there is a default', () => {
  const { put, gone, found, finding, wait } = story();
  const slow = storageClass('slow');
  put(at(0), storageClass('fast'), slow, unbound('data', { className: undefined }));
  wait(at(0, 15));
  assert.deepEqual(finding(data, 'NoDefaultStorageClass').names, []);
  gone(at(1), slow);
  assert.deepEqual(finding(data, 'NoDefaultStorageClass').names, ['StorageClass//fast']);
  put(at(2), storageClass('fast', { isDefault: true }));
  assert.deepEqual(found(), []);
});

test('S12 fires: two classes that are the default for a day are told of the newest', () => {
  const { put, found, says, wait } = story();
  put(at(0), storageClass('old', { isDefault: true }), storageClass('new', { isDefault: true, createdAt: at(1) }));
  wait(at(23 * 60));
  assert.deepEqual(found(), []);
  wait(at(24 * 60 + 20));
  assert.deepEqual(found(), ['StorageClass//new ManyDefaultStorageClasses']);
  assert.equal(
    says('StorageClass//new', 'ManyDefaultStorageClasses'),
    'Claims that name no class get new, the newest of 2 default storage classes, and not old.',
  );
});

test('S12 is quiet: people make the volumes of the class by hand, or a default class is there, or classes are not seen', () => {
  const { put, found, see, wait } = story();
  put(at(0), volume('disk', { phase: 'Bound', spec: { storageClassName: 'manual' } }));
  put(at(0), storageClass('fast', { isDefault: true }));
  put(at(0), unbound('data', { className: 'manual' }), unbound('other', { className: undefined }));
  wait(at(2));
  assert.deepEqual(found(), []);
  see('StorageClass', 'Denied', at(2));
  put(at(3), unbound('third', { className: 'fats', createdAt: at(3) }));
  wait(at(30));
  assert.deepEqual(found(), ['PersistentVolumeClaim/shop/other PVCPending']);
});

test('S12 fires: volumes that a provisioner made are no sign that people make those of the class by hand', () => {
  const { put, found, wait } = story();
  const provisioned = { 'pv.kubernetes.io/provisioned-by': 'ebs.csi.aws.com' };
  put(at(0), volume('disk', { phase: 'Bound', annotations: provisioned }), unbound('data'));
  wait(at(1));
  assert.deepEqual(found(), [`${data} StorageClassMissing`]);
});

test('S12 clears: the class is made', () => {
  const { put, found, wait } = story();
  put(at(0), unbound('data'));
  wait(at(1));
  assert.deepEqual(found(), [`${data} StorageClassMissing`]);
  put(at(1), storageClass('fast'));
  assert.deepEqual(found(), []);
});

test('S12 clears: what was found stands while classes are not seen', () => {
  const { put, found, see, wait } = story();
  put(at(0), unbound('data'));
  wait(at(1));
  see('StorageClass', 'Denied', at(1));
  wait(at(10));
  assert.deepEqual(found(), [`${data} StorageClassMissing`]);
});

test('S1 fires: a provisioner that fails is told after 60 s, in its own words', () => {
  const { put, found, finding, says, wait } = story();
  const waiting = unbound('data');
  put(at(0), storageClass('fast'), waiting);
  const error =
    'failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = no space';
  put(at(0, 10), event(waiting, 'ProvisioningFailed', error, at(0, 10)));
  wait(at(1, 9));
  assert.deepEqual(found(), []);
  wait(at(1, 10));
  assert.deepEqual(found(), [`${data} ProvisioningFailed`]);
  assert.equal(finding(data, 'ProvisioningFailed').conclusive, false);
  assert.equal(says(data, 'ProvisioningFailed'), `No volume of class fast can be made for the claim: ${error}.`);
});

test('S1 fires: what no repetition changes is told within 15 s', () => {
  const { put, found, finding, wait } = story();
  const waiting = unbound('data');
  put(at(0), storageClass('fast'), waiting);
  put(at(0, 5), event(waiting, 'ProvisioningFailed', 'rpc error: code = InvalidArgument desc = bad type', at(0, 5)));
  wait(at(0, 20));
  assert.deepEqual(found(), [`${data} ProvisioningFailed`]);
  assert.equal(finding(data, 'ProvisioningFailed').conclusive, true);
});

test('S1 fires: a claim of a class that waits for a Pod, once a Node is chosen for that Pod', () => {
  const { put, found, wait } = story();
  const chosen = { 'volume.kubernetes.io/selected-node': 'n1' };
  put(at(0), storageClass('fast', { waits: true }), unbound('data', { annotations: chosen }));
  put(at(1), pod('api', placedNowhere(at(1), 'running PreBind plugin "VolumeBinding": context deadline exceeded')));
  wait(at(2, 29));
  assert.deepEqual(
    found().filter((each) => each.startsWith(data)),
    [],
  );
  wait(at(2, 30));
  assert.deepEqual(
    found().filter((each) => each.startsWith(data)),
    [`${data} PVCPending`],
  );
});

test('S1 is quiet: a claim waits for its first Pod, or for the Node of that Pod', () => {
  const { put, found, wait } = story();
  put(at(0), storageClass('fast', { waits: true }), unbound('data'));
  wait(at(60));
  assert.deepEqual(found(), []);
  put(at(60), pod('api', placedNowhere(at(60), '0/3 nodes are available: 3 Insufficient cpu.')));
  wait(at(90));
  assert.deepEqual(found(), ['Pod/shop/api Unschedulable']);
});

test('S1 clears: the claim is bound', () => {
  const { put, found, says, wait } = story();
  put(at(0), storageClass('fast'), unbound('data'));
  wait(at(3));
  assert.deepEqual(found(), [`${data} PVCPending`]);
  assert.equal(says(data, 'PVCPending'), 'The claim has no volume: nobody says why.');
  put(at(4), claim('data'));
  assert.deepEqual(found(), []);
});

test('S2 fires and clears: a claim that has lost its volume is told at once; it is bound again', () => {
  const { put, found, finding, says } = story();
  put(at(0), storageClass('fast'), claim('data', { phase: 'Lost' }));
  assert.deepEqual(found(), [`${data} PVCLost`]);
  assert.equal(finding(data, 'PVCLost').severity, 'critical');
  const words = 'The volume of the claim, pv-data, no longer exists: the data on it may be lost.';
  assert.equal(says(data, 'PVCLost'), words);
  put(at(1), claim('data'));
  assert.deepEqual(found(), []);
});

test('S2 is quiet: the claim is being deleted', () => {
  const { put, found } = story();
  put(at(0), claim('data', { phase: 'Lost', deletionAt: at(0) }));
  assert.deepEqual(found(), []);
});

test('S17 fires and clears: a claim that a Pod still mounts an hour after it was deleted; it goes', () => {
  const { put, gone, found, says, wait } = story();
  const going = claim('data', { deletionAt: at(0) });
  put(at(0), storageClass('fast'), pod('api', mounts), going);
  wait(at(59));
  assert.deepEqual(found(), []);
  wait(at(60));
  assert.deepEqual(found(), [`${data} PVCStuckTerminating`]);
  const words = 'The claim was deleted but has not gone away: Pod shop/api still mounts it.';
  assert.equal(says(data, 'PVCStuckTerminating'), words);
  gone(at(61), going);
  assert.deepEqual(found(), []);
});

test('S17 is quiet: a claim that goes with its last Pod', () => {
  const { put, gone, found, wait } = story();
  const going = claim('data', { deletionAt: at(0) });
  put(at(0), pod('api', mounts), going);
  gone(at(5), going);
  wait(at(90));
  assert.deepEqual(found(), []);
});

const elsewhere = "0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity.";
const inZone = (name: string, zone: string) => node(name, { labels: { 'topology.kubernetes.io/zone': zone } });

test('S18 fires: the volume is in a zone without Nodes', () => {
  const { put, found, finding, says, wait } = story();
  put(at(0), inZone('n1', 'eu-1b'), claim('data'), volume('pv-data', { zone: 'eu-1a' }));
  put(at(1), pod('api', placedNowhere(at(1), elsewhere)));
  wait(at(1, 30));
  assert.deepEqual(found(), [`${data} VolumeNodeAffinityConflict`]);
  assert.equal(finding(data, 'VolumeNodeAffinityConflict').conclusive, true);
  const words = 'The volume of the claim is in zone eu-1a, where no node takes pods.';
  assert.equal(says(data, 'VolumeNodeAffinityConflict'), words);
});

test('S18 fires: the only Node of the zone has no room, and of two claims the one with the fewest Nodes is told', () => {
  const { put, found, says, wait } = story();
  put(at(0), inZone('n1', 'eu-1a'), inZone('n2', 'eu-1b'), inZone('n3', 'eu-1b'));
  put(at(0), claim('data'), volume('pv-data', { zone: 'eu-1a' }), claim('logs'), volume('pv-logs', { zone: 'eu-1b' }));
  const both = ['data', 'logs'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const text = '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had volume node affinity conflict.';
  put(at(1), pod('api', { ...placedNowhere(at(1), text), spec: { volumes: both } }));
  wait(at(2, 30));
  assert.deepEqual(found().sort(), [`${data} VolumeNodeAffinityConflict`, 'Pod/shop/api Unschedulable'].sort());
  const words = 'The volume of the claim is in zone eu-1a, where the pod does not fit on the only node.';
  assert.equal(says(data, 'VolumeNodeAffinityConflict'), words);
});

test('S18 is quiet: the Pod finds no room, and the volume could be used anywhere', () => {
  const { put, found, wait } = story();
  put(at(0), inZone('n1', 'eu-1a'), claim('data'), volume('pv-data'));
  put(at(1), pod('api', placedNowhere(at(1), '0/1 nodes are available: 1 Insufficient memory.')));
  wait(at(10));
  assert.deepEqual(found(), ['Pod/shop/api Unschedulable']);
});

test('S18 clears: the Pod is scheduled', () => {
  const { put, found, wait } = story();
  put(at(0), inZone('n1', 'eu-1b'), claim('data'), volume('pv-data', { zone: 'eu-1a' }));
  put(at(1), pod('api', placedNowhere(at(1), elsewhere)));
  wait(at(2));
  put(at(3), pod('api', mounts));
  assert.deepEqual(found(), []);
});

const attached = { attached: true };
const attachError = {
  attachError: { time: '2026-06-01T12:01:00Z', message: 'rpc error: code = Internal desc = busy' },
};

test('S10 fires and clears: a volume that a driver has failed to attach for 60 s; it is attached', () => {
  const { put, found, says, wait } = story();
  put(at(0), claim('data'), volume('pv-data'), attachment('pv-data', 'n1'));
  put(at(1), attachment('pv-data', 'n1', { status: attachError }));
  wait(at(1, 59));
  assert.deepEqual(found(), []);
  wait(at(2));
  assert.deepEqual(found(), [`${data} VolumeAttachFailed`]);
  const words = 'The volume cannot be attached to node n1: rpc error: code = Internal desc = busy.';
  assert.equal(says(data, 'VolumeAttachFailed'), words);
  put(at(3), attachment('pv-data', 'n1', { status: attached }));
  assert.deepEqual(found(), []);
});

test('S10 is quiet: it is attached at the second try', () => {
  const { put, found, wait } = story();
  put(at(0), claim('data'), volume('pv-data'), attachment('pv-data', 'n1', { status: attachError }));
  put(at(0, 40), attachment('pv-data', 'n1', { status: attached }));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('S10 clears: what was found stands while attachments are not seen', () => {
  const { put, found, see, wait } = story();
  put(at(0), claim('data'), volume('pv-data'), attachment('pv-data', 'n1', { status: attachError }));
  wait(at(2));
  see('VolumeAttachment', 'Denied', at(2));
  put(at(3), claim('data', { labels: { edited: 'yes' } }));
  assert.deepEqual(found(), [`${data} VolumeAttachFailed`]);
});

test('S11 fires and clears: a volume that is not let go of, after 10 minutes, or after 2 with an error; it is', () => {
  const { put, gone, found, says, wait } = story();
  put(at(0), claim('data'), volume('pv-data'), attachment('pv-data', 'n1', { status: attached, deletionAt: at(0) }));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), [`${data} VolumeDetachFailed`]);
  gone(at(11), attachment('pv-data', 'n1'));
  assert.deepEqual(found(), []);
  const detachError = { time: '2026-06-01T12:20:00Z', message: 'device busy' };
  put(at(20), attachment('pv-data', 'n2', { status: { attached: true, detachError }, deletionAt: at(20) }));
  wait(at(22));
  assert.equal(says(data, 'VolumeDetachFailed'), 'The volume is not detached from node n2: device busy.');
});

test('S11 is quiet: a volume that is let go of within minutes', () => {
  const { put, gone, found, wait } = story();
  const going = attachment('pv-data', 'n1', { status: attached, deletionAt: at(0) });
  put(at(0), claim('data'), volume('pv-data'), going);
  gone(at(6), going);
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('S13 fires and clears: the driver of a volume is not registered on the Node of its Pod; it is, and the Pod starts', () => {
  const { put, found, finding, says, wait } = story();
  put(at(0), node('n1'), csiNode('n1', ['efs.csi.aws.com']), claim('data'), volume('pv-data'));
  put(at(1), pod('api', starting(at(1))));
  wait(at(2, 59));
  assert.deepEqual(found(), []);
  wait(at(3));
  assert.deepEqual(found(), [`${data} CSIDriverMissingOnNode`]);
  assert.deepEqual(finding(data, 'CSIDriverMissingOnNode').names, ['Node//n1']);
  assert.equal(
    says(data, 'CSIDriverMissingOnNode'),
    'CSI driver ebs.csi.aws.com is not registered on node n1, so the volume cannot be mounted there.',
  );
  put(at(4), csiNode('n1', ['efs.csi.aws.com', 'ebs.csi.aws.com']), pod('api', mounts));
  assert.deepEqual(found(), []);
});

test('S13 fires: a driver that registers no more while a Pod starts', () => {
  const { put, found } = story();
  put(at(0), node('n1'), csiNode('n1', ['ebs.csi.aws.com']), claim('data'), volume('pv-data'));
  put(at(1), pod('api', starting(at(1))));
  put(at(4), csiNode('n1', []));
  assert.deepEqual(found(), [`${data} CSIDriverMissingOnNode`]);
});

test('S13 is quiet: the driver itself says why it cannot mount the volume, another Node has it, or another volume lacks its Secret', () => {
  const says = [
    'MountVolume.MountDevice failed for volume "pv-data" : rpc error: code = Internal desc = wrong fs type, bad superblock',
    'Multi-Attach error for volume "pv-data" Volume is already used by pod(s) web-0',
    'MountVolume.SetUp failed for volume "login" : secret "cache-login" not found',
  ];
  for (const note of says) {
    const { put, found, wait } = story();
    put(at(0), node('n1'), csiNode('n1', []), claim('data'), volume('pv-data'));
    const waits = pod('api', starting(at(1)));
    put(at(1), waits);
    put(at(1, 5), eventOf(waits, 'FailedMount', note, at(1, 5)));
    wait(at(5));
    assert.deepEqual(
      found().filter((line) => line.startsWith(data)),
      [],
    );
  }
});

test('S13 is quiet: the Node is young, or its driver registers in time', () => {
  const { put, found, wait } = story();
  put(at(0), node('n1', { createdAt: at(0) }), csiNode('n1', []), claim('data'), volume('pv-data'));
  put(at(1), pod('api', starting(at(1))));
  wait(at(8));
  assert.deepEqual(found(), []);
  put(at(8), csiNode('n1', ['ebs.csi.aws.com']), pod('api', mounts));
  wait(at(30));
  assert.deepEqual(found(), []);
});
