import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, node, pod } from '../../world/objects.ts';
import { claim, nodeStats } from '../../world/storage-objects.ts';
import { story } from '../../world/story.ts';

const gib = 1024 ** 3;
const data = { namespace: 'shop', name: 'data' };
const volume = (percent: number, own: Record<string, unknown> = {}) => ({
  ...{ of: 'claimBytes', percent, used: (percent * gib) / 10, capacity: 10 * gib, ...data },
  ...own,
});
const inodes = { of: 'claimInodes', percent: 90, used: 90, capacity: 100, ...data };
const pvc = 'PersistentVolumeClaim/shop/data';

test('S5 S6 fires and clears: a volume that is nearly full, until its kubelet says no more of it', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), node('n1'), claim('data'), nodeStats('n1', [volume(90), inodes]));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  wait(at(1));
  assert.deepEqual(found().sort(), [`${pvc} VolumeFillingUp`, `${pvc} VolumeInodesFillingUp`]);
  assert.equal(says(pvc, 'VolumeFillingUp'), 'The volume is 90 % full (9.0 GiB of 10 GiB).');
  assert.match(says(pvc, 'VolumeInodesFillingUp'), /used up 90 % of its inodes/);
  put(at(5), nodeStats('n1', []));
  assert.deepEqual(found(), []);
});

test('S5 fires: worse where it is full soon, and worst where nothing is left', () => {
  const { put, finding, says, wait } = story('Pro');
  put(at(0), node('n1'), claim('data'), nodeStats('n1', [volume(90)]));
  wait(at(1));
  assert.equal(finding(pvc, 'VolumeFillingUp').severity, 'medium');
  put(at(5), nodeStats('n1', [volume(91, { fullInHours: 60 })]));
  assert.equal(finding(pvc, 'VolumeFillingUp').severity, 'high');
  assert.match(says(pvc, 'VolumeFillingUp'), /, and will be full in about 3 days at this rate\.$/);
  put(at(10), nodeStats('n1', [volume(98)]));
  assert.equal(finding(pvc, 'VolumeFillingUp').severity, 'critical');
});

test('S5 S6 is quiet: what is only read, what people leave out, and another claim', () => {
  const { put, found, wait } = story('Pro');
  const only = (name: string, own: Parameters<typeof claim>[1]) => [
    claim(name, own),
    nodeStats(`n-${name}`, [volume(99, { name }), { ...inodes, name }]),
  ];
  put(at(0), ...only('read', { spec: { accessModes: ['ReadOnlyMany'] } }));
  put(at(0), ...only('left', { labels: { 'tocsin.dev/volume-usage': 'ignore' } }), claim('data'));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('S5 clears: not because kubelets may not be asked any more', () => {
  const { put, found, see, wait } = story('Pro');
  put(at(0), node('n1'), claim('data'), nodeStats('n1', [volume(90)]));
  wait(at(1));
  see('NodeStats', 'Denied', at(2));
  put(at(3), claim('data', { labels: { edited: 'yes' } }));
  assert.deepEqual(found(), [`${pvc} VolumeFillingUp`]);
});

const n1 = 'Node//n1';

test('N16 fires and clears: the file systems of a Node are nearly full', () => {
  const { put, found, finding, says, wait } = story('Pro');
  const full = { of: 'nodeBytes', percent: 88, used: 88 * gib, capacity: 100 * gib };
  put(at(0), node('n1'), nodeStats('n1', [full, { of: 'imageInodes', percent: 98, used: 98, capacity: 100 }]));
  wait(at(4, 59));
  assert.deepEqual(found(), []);
  wait(at(5));
  assert.deepEqual(found().sort(), [`${n1} NodeFilesystemHigh`, `${n1} NodeInodesHigh`]);
  assert.equal(says(n1, 'NodeFilesystemHigh'), 'The node has its file system 88 % full (88 GiB of 100 GiB).');
  assert.equal(finding(n1, 'NodeInodesHigh').severity, 'critical');
  put(at(10), nodeStats('n1', []));
  assert.deepEqual(found(), []);
});

test('N17 fires and clears: everything on a Node waits for memory for 15 min', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), node('n1'), nodeStats('n1', [{ of: 'memoryStall', percent: 30 }]));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), [`${n1} NodePressureStall`]);
  const words = 'For 30 % of the time everything on the node waits for memory.';
  assert.equal(says(n1, 'NodePressureStall'), words);
  put(at(20), nodeStats('n1', []));
  assert.deepEqual(found(), []);
});

test('N21 fires and clears: the swap of a Node is full for 30 min', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), node('n1'), nodeStats('n1', [{ of: 'swap', percent: 83, used: 3.32 * gib, capacity: 4 * gib }]));
  wait(at(30));
  assert.deepEqual(found(), [`${n1} SwapPressure`]);
  assert.equal(says(n1, 'SwapPressure'), 'The swap of the node is 83 % full (3.3 GiB of 4.0 GiB).');
  put(at(35), nodeStats('n1', []));
  assert.deepEqual(found(), []);
});

const away = { failures: 3, message: 'error trying to reach service: dial tcp 10.0.0.7:10250: i/o timeout' };

test('N18 fires and clears: the kubelet of a ready Node is not reached', () => {
  const { put, found, says } = story('Pro');
  put(at(0), node('n1'), nodeStats('n1', [], away));
  assert.deepEqual(found(), [`${n1} KubeletUnreachable`]);
  assert.match(says(n1, 'KubeletUnreachable'), /cannot reach the kubelet of the node, so logs, exec/);
  put(at(5), nodeStats('n1', []));
  assert.deepEqual(found(), []);
});

test('N16 N17 N18 N21 is quiet: a Node that is young, cordoned or not ready, a short peak, and no licence', () => {
  const { put, found, wait } = story('Pro');
  const usages = ['nodeBytes', 'nodeInodes', 'memoryStall', 'swap'].map((of) => ({ of, percent: 95 }));
  put(at(0), node('young', { createdAt: at(0) }), nodeStats('young', usages, away));
  put(at(0), node('cordoned', { spec: { unschedulable: true } }), nodeStats('cordoned', usages, away));
  put(at(0), node('peak'), nodeStats('peak', usages));
  put(at(2), nodeStats('peak', []));
  wait(at(9));
  assert.deepEqual(found(), []);
  put(at(9), node('lost', { ready: 'Unknown', since: at(9) }), nodeStats('lost', [], away));
  wait(at(9, 30));
  assert.deepEqual(found(), ['Node//lost NodeUnreachable']);
  const community = story();
  community.put(at(0), node('n1'), nodeStats('n1', usages, away));
  community.wait(at(60));
  assert.deepEqual(community.found(), []);
});

const web = { namespace: 'shop', name: 'web' };
const memory = { of: 'containerMemory', percent: 95, used: 0.95 * gib, capacity: gib, container: 'api', ...web };
const storage = { of: 'podStorage', percent: 90, used: 1.8 * gib, capacity: 2 * gib, ...web };

test('P35 P37 fires and clears: a Pod comes close to its limits', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), node('n1'), pod('web'), nodeStats('n1', [memory, storage]));
  wait(at(5));
  assert.deepEqual(found(), ['Pod/shop/web EphemeralStorageHigh']);
  wait(at(15));
  assert.deepEqual(found().sort(), ['Pod/shop/web ContainerMemoryHigh', 'Pod/shop/web EphemeralStorageHigh']);
  assert.equal(
    says('Pod/shop/web', 'ContainerMemoryHigh'),
    'Container api uses 95 % of its memory limit (973 MiB of 1.0 GiB): at 100 % it is killed.',
  );
  assert.match(says('Pod/shop/web', 'EphemeralStorageHigh'), /^The pod has written 90 % of what it may outside/);
  put(at(20), nodeStats('n1', []));
  assert.deepEqual(found(), []);
});

test('P35 P37 is quiet: a short peak, and a Pod on its way out', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), node('n1'), pod('web'), nodeStats('n1', [memory, storage]));
  put(at(4), nodeStats('n1', []));
  wait(at(30));
  put(at(30), pod('web', { deletionAt: at(30) }), nodeStats('n1', [memory, storage]));
  wait(at(34));
  assert.deepEqual(found(), []);
});
