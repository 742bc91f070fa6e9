import { produced } from '../case.ts';
import type { Hands, Manifest } from '../hands.ts';
import { pod, workload } from '../manifests.ts';

const day = 24 * 3600;
const driver = 'disk.csi.example';
const asked = (storage: string): object => ({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } });

/** A claim for 1 GiB; `spec`: its other fields. */
function claim(name: string, spec: object): Manifest {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec: { ...asked('1Gi'), ...spec } };
}

/** A volume of 1 GiB of the case's class, as a CSI driver would have made it. */
function volume(ns: string, spec: object = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${ns}-v` },
    spec: {
      ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], persistentVolumeReclaimPolicy: 'Retain' },
      ...{ storageClassName: ns, csi: { driver, volumeHandle: `${ns}-v` } },
      ...spec,
    },
  };
}

/** The class named after the case's namespace. */
function storageClass(ns: string, more: object = {}): Manifest {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: ns },
    provisioner: driver,
    ...more,
  };
}

/** What makes a Pod mount the claim `data`. */
const mounting = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

const isBound = async ({ read }: Hands): Promise<boolean> =>
  (await read('PersistentVolumeClaim', 'data', 'status.phase')) === 'Bound';

const isRunning = ({ some }: Hands): Promise<boolean> => some('Pod', 'status.phase', 'Running');

/** A claim `data` that is bound to the volume `<ns>-v`. */
async function bind(hands: Hands, spec: object = {}): Promise<void> {
  const { apply, until, ns } = hands;
  await apply(volume(ns, spec), claim('data', { storageClassName: ns, volumeName: `${ns}-v` }));
  await until('the claim is bound', () => isBound(hands));
}

/** Now, as controllers write it. */
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** Writes a status as its controller does. */
const write = ({ patch }: Hands, kind: string, name: string, status: object): Promise<void> =>
  patch(kind, name, { status }, 'status');

/** A condition of a claim that is True. */
const condition = (type: string, message: string): object => ({
  conditions: [{ type, status: 'True', lastTransitionTime: now(), message }],
});

/** A Warning of a controller that does not exist here. */
async function warn({ apply, get, ns }: Hands, kind: string, name: string, reason: string, message: string) {
  const { apiVersion = 'v1', metadata } = (await get(kind, name)) ?? { metadata: { uid: '' } };
  const namespace = kind === 'PersistentVolume' ? undefined : ns;
  await apply({
    ...{
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${reason.toLowerCase()}`, ...(!namespace && { namespace: 'default' }) },
    },
    ...{ type: 'Warning', reason, message, count: 1, firstTimestamp: now(), lastTimestamp: now() },
    ...{
      source: { component: driver },
      involvedObject: { apiVersion, kind, name, ...(namespace && { namespace }), uid: metadata.uid },
    },
  });
}

/** A running Pod whose volume its Node has been told to attach: the real controller then makes a VolumeAttachment. */
async function attachment(hands: Hands, message?: string): Promise<string> {
  const { addNode, patch, apply, onOwnNodes, until, list, ns } = hands;
  await addNode('n1');
  const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
  await patch('Node', `${ns}-n1`, { metadata: { annotations } });
  await bind(hands);
  const script = message === undefined ? {} : { heldUp: { reason: 'FailedAttachVolume', message } as const };
  await apply(pod('db', { script, pod: { ...mounting, ...onOwnNodes, terminationGracePeriodSeconds: 1 } }));
  let name = '';
  await until('the volume is to be attached', async () => {
    const attachments = (await list('VolumeAttachment')) as { metadata: { name: string }; spec?: unknown }[];
    name = attachments.find(({ spec }) => JSON.stringify(spec).includes(`"${ns}-v"`))?.metadata.name ?? '';
    return name !== '';
  });
  return name;
}

const snapshotDefinition: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'volumesnapshots.snapshot.storage.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-csi/external-snapshotter/pull/814' },
  },
  spec: {
    group: 'snapshot.storage.k8s.io',
    scope: 'Namespaced',
    names: { plural: 'volumesnapshots', singular: 'volumesnapshot', kind: 'VolumeSnapshot' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const snapshot: Manifest = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: { name: 'nightly' },
  spec: { source: { persistentVolumeClaimName: 'data' } },
};

const data = (ns: string): string => `PersistentVolumeClaim/${ns}/data`;
const own = (ns: string): string => `PersistentVolume//${ns}-v`;

/** Claims, volumes and what holds them up. */
export const cases = [
  produced({
    ...{ id: 'S12', reason: 'NoDefaultStorageClass' },
    subject: data,
    before: () => [claim('data', {})],
    async produce({ afterwards, remove }) {
      afterwards(() => remove('PersistentVolumeClaim', 'data'));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedBinding'),
  }),
  produced({
    ...{ id: 'S12', reason: 'StorageClassMissing' },
    subject: data,
    produce: ({ apply, ns }) => apply(claim('data', { storageClassName: ns })),
    settled: ({ some }) => some('Event', 'reason', 'ProvisioningFailed'),
    withinSeconds: 60,
  }),
  produced({
    ...{ id: 'S1', reason: 'ProvisioningFailed' },
    what: 'its Event written as its provisioner does',
    subject: data,
    async produce(hands) {
      await hands.apply(storageClass(hands.ns), claim('data', { storageClassName: hands.ns }));
      const message = `failed to provision volume with StorageClass "${hands.ns}": rpc error: code = ResourceExhausted desc = no space left in the pool`;
      await warn(hands, 'PersistentVolumeClaim', 'data', 'ProvisioningFailed', message);
    },
    settled: ({ some }) => some('Event', 'reason', 'ExternalProvisioning'),
  }),
  produced({
    ...{ id: 'S1', reason: 'PVCPending' },
    what: 'its provisioner says nothing',
    subject: data,
    produce: ({ apply, ns }) => apply(storageClass(ns), claim('data', { storageClassName: ns })),
    settled: ({ some }) => some('Event', 'reason', 'ExternalProvisioning'),
    ...{ withinSeconds: 240, quietBeforeSeconds: 180 },
  }),
  produced({
    ...{ id: 'S1', reason: 'PVCPending' },
    what: 'the volume it asks for is too small',
    subject: data,
    async produce({ apply, ns }) {
      const resources = { requests: { storage: '5Gi' } };
      await apply(volume(ns), claim('data', { storageClassName: ns, volumeName: `${ns}-v`, resources }));
    },
    settled: ({ some }) => some('Event', 'reason', 'VolumeMismatch'),
  }),
  produced({
    ...{ id: 'S1', reason: 'PVCPending' },
    what: 'its Pod finds no volume to bind',
    subject: data,
    async produce({ apply, ns }) {
      const provisioner = 'kubernetes.io/no-provisioner';
      await apply(storageClass(ns, { provisioner, volumeBindingMode: 'WaitForFirstConsumer' }));
      await apply(claim('data', { storageClassName: ns }), pod('db', { pod: mounting }));
    },
    settled: ({ some }) => some('Pod', 'status.conditions.PodScheduled.reason', 'Unschedulable'),
    withinSeconds: 300,
    also: ['Unschedulable'],
  }),
  produced({
    ...{ id: 'S2', reason: 'PVCLost' },
    subject: data,
    async produce(hands) {
      await bind(hands);
      await hands.remove('PersistentVolume', `${hands.ns}-v`);
      await hands.patch('PersistentVolume', `${hands.ns}-v`, { metadata: { finalizers: null } });
    },
    settled: async ({ read }) => (await read('PersistentVolumeClaim', 'data', 'status.phase')) === 'Lost',
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'S3', reason: 'PVFailed' },
    what: 'its plugin cannot delete it',
    subject: own,
    async produce(hands) {
      await bind(hands, { persistentVolumeReclaimPolicy: 'Delete', csi: null, hostPath: { path: '/produced/data' } });
      await hands.remove('PersistentVolumeClaim', 'data');
    },
    settled: async ({ read, ns }) => (await read('PersistentVolume', `${ns}-v`, 'status.phase')) === 'Failed',
  }),
  produced({
    ...{ id: 'S3', reason: 'PVFailed' },
    what: 'released; the Event written as its provisioner does',
    subject: own,
    async produce(hands) {
      await bind(hands, { persistentVolumeReclaimPolicy: 'Delete' });
      await hands.remove('PersistentVolumeClaim', 'data');
      const message = 'rpc error: code = Internal desc = volume is still in use';
      await warn(hands, 'PersistentVolume', `${hands.ns}-v`, 'VolumeFailedDelete', message);
    },
    settled: async ({ read, ns }) => (await read('PersistentVolume', `${ns}-v`, 'status.phase')) === 'Released',
    withinSeconds: 400,
  }),
  produced({
    ...{ id: 'S4', reason: 'PVReleased' },
    subject: own,
    async produce(hands) {
      await bind(hands);
      await hands.remove('PersistentVolumeClaim', 'data');
    },
    settled: async ({ read, ns }) => (await read('PersistentVolume', `${ns}-v`, 'status.phase')) === 'Released',
    ...{ withinSeconds: 8 * day, quietBeforeSeconds: 7 * day },
  }),
  produced({
    ...{ id: 'S7', reason: 'VolumeResizeFailed' },
    what: 'its condition written as its resizer does',
    subject: data,
    async produce(hands) {
      await hands.apply(storageClass(hands.ns, { allowVolumeExpansion: true }));
      await bind(hands);
      await hands.patch('PersistentVolumeClaim', 'data', { spec: asked('5Gi') });
      const status = condition('ControllerResizeError', 'rpc error: code = Internal desc = the pool is full');
      await write(hands, 'PersistentVolumeClaim', 'data', status);
    },
    settled: ({ some }) => some('PersistentVolumeClaim', 'status.conditions.ControllerResizeError.status', 'True'),
  }),
  produced({
    ...{ id: 'S7', reason: 'VolumeResizeFailed' },
    what: 'impossible; its status written as its resizer does',
    subject: data,
    async produce(hands) {
      await hands.apply(storageClass(hands.ns, { allowVolumeExpansion: true }));
      await bind(hands);
      await hands.patch('PersistentVolumeClaim', 'data', { spec: asked('5Gi') });
      const allocatedResourceStatuses = { storage: 'ControllerResizeInfeasible' };
      await write(hands, 'PersistentVolumeClaim', 'data', { allocatedResourceStatuses });
    },
    settled: ({ some }) =>
      some('PersistentVolumeClaim', 'status.allocatedResourceStatuses.storage', 'ControllerResizeInfeasible'),
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'S8', reason: 'FileSystemResizePending' },
    what: 'its condition written as its resizer does',
    subject: data,
    async produce(hands) {
      await hands.apply(storageClass(hands.ns, { allowVolumeExpansion: true }));
      await bind(hands);
      await hands.apply(pod('db', { pod: mounting }));
      await hands.until('its Pod runs', () => isRunning(hands));
      await hands.patch('PersistentVolumeClaim', 'data', { spec: asked('5Gi') });
      const message = 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.';
      await write(hands, 'PersistentVolumeClaim', 'data', condition('FileSystemResizePending', message));
    },
    settled: ({ some }) => some('PersistentVolumeClaim', 'status.conditions.FileSystemResizePending.status', 'True'),
    ...{ withinSeconds: 2_000, quietBeforeSeconds: 1_800 },
  }),
  produced({
    ...{ id: 'S9', reason: 'VolumeModifyFailed' },
    what: 'its status written as its resizer does',
    subject: data,
    async produce(hands) {
      await bind(hands);
      const modifyVolumeStatus = { targetVolumeAttributesClassName: 'gold', status: 'Infeasible' };
      const message = 'rpc error: code = InvalidArgument desc = iops: 64000 is more than 16000';
      const status = { modifyVolumeStatus, ...condition('ModifyVolumeError', message) };
      await write(hands, 'PersistentVolumeClaim', 'data', status);
    },
    settled: ({ some }) => some('PersistentVolumeClaim', 'status.modifyVolumeStatus.status', 'Infeasible'),
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'S10', reason: 'VolumeAttachFailed' },
    what: 'its error written as its attacher does',
    subject: data,
    async produce(hands) {
      const message = 'rpc error: code = NotFound desc = volume not found';
      const name = await attachment(hands, `AttachVolume.Attach failed for volume "${hands.ns}-v" : ${message}`);
      const status = { attached: false, attachError: { time: now(), message } };
      await write(hands, 'VolumeAttachment', name, status);
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedAttachVolume'),
    also: ['FailedAttachVolume'],
  }),
  produced({
    ...{ id: 'S11', reason: 'VolumeDetachFailed' },
    what: 'its error written as its attacher does',
    subject: data,
    async produce(hands) {
      const name = await attachment(hands);
      await hands.patch('VolumeAttachment', name, { metadata: { finalizers: [`external-attacher/${driver}`] } });
      await write(hands, 'VolumeAttachment', name, { attached: true });
      await hands.until('it is attached', () =>
        hands.some('Node', 'status.volumesAttached.0.name', new RegExp(hands.ns)),
      );
      await hands.remove('Pod', 'db');
      await hands.until('it is to be detached', async () =>
        Boolean(await hands.read('VolumeAttachment', name, 'metadata.deletionTimestamp')),
      );
      const detachError = { time: now(), message: 'rpc error: code = Internal desc = the volume is busy' };
      await write(hands, 'VolumeAttachment', name, { attached: true, detachError });
    },
    settled: ({ some }) => some('VolumeAttachment', 'status.detachError.message', /is busy/),
    withinSeconds: 240,
  }),
  produced({
    ...{ id: 'S13', reason: 'CSIDriverMissingOnNode' },
    subject: data,
    async produce(hands) {
      await hands.addNode('n1');
      await bind(hands);
      const message = `MountVolume.MountDevice failed for volume "${hands.ns}-v" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${driver} not found in the list of registered CSI drivers`;
      const script = { heldUp: { reason: 'FailedMount', message } } as const;
      await hands.apply(pod('db', { script, pod: { ...mounting, ...hands.onOwnNodes } }));
    },
    settled: ({ some }) => some('Event', 'reason', 'FailedMount'),
    withinSeconds: 800,
    also: ['FailedMount'],
  }),
  produced({
    ...{ id: 'S14', reason: 'VolumeUnhealthy' },
    what: 'its Event written as the health monitor does',
    subject: data,
    async produce(hands) {
      await bind(hands);
      await warn(hands, 'PersistentVolumeClaim', 'data', 'VolumeConditionAbnormal', 'the volume is not found');
    },
    settled: isBound,
  }),
  produced({
    ...{ id: 'S16', reason: 'SnapshotFailed', edition: 'Pro' },
    what: 'its error written as the snapshotter does',
    subject: (ns) => `VolumeSnapshot/${ns}/nightly`,
    before: () => [snapshotDefinition],
    async produce(hands) {
      await bind(hands);
      await hands.apply(snapshot);
      const message = 'Failed to check and update snapshot content: rpc error: code = Internal desc = quota exceeded';
      await write(hands, 'VolumeSnapshot', 'nightly', { readyToUse: false, error: { time: now(), message } });
    },
    settled: ({ some }) => some('VolumeSnapshot', 'status.readyToUse', false),
    ...{ withinSeconds: 180, quietBeforeSeconds: 120 },
  }),
  produced({
    ...{ id: 'S16', reason: 'SnapshotFailed', edition: 'Pro' },
    what: 'nobody takes it',
    subject: (ns) => `VolumeSnapshot/${ns}/nightly`,
    before: () => [snapshotDefinition],
    async produce(hands) {
      await bind(hands);
      await hands.apply(snapshot);
    },
    settled: async ({ get }) => Boolean(await get('VolumeSnapshot', 'nightly')),
    ...{ withinSeconds: 2_000, quietBeforeSeconds: 1_800 },
  }),
  produced({
    ...{ id: 'S17', reason: 'PVCStuckTerminating' },
    what: 'a Pod mounts it',
    subject: data,
    async produce(hands) {
      await bind(hands);
      await hands.apply(pod('db', { pod: mounting }));
      await hands.until('its Pod runs', () => isRunning(hands));
      await hands.remove('PersistentVolumeClaim', 'data');
    },
    settled: async ({ read }) => Boolean(await read('PersistentVolumeClaim', 'data', 'metadata.deletionTimestamp')),
    ...{ withinSeconds: 4_000, quietBeforeSeconds: 3_600 },
  }),
  produced({
    ...{ id: 'S17', reason: 'PVStuckTerminating' },
    what: 'a claim is bound to it',
    subject: own,
    async produce(hands) {
      await bind(hands);
      await hands.remove('PersistentVolume', `${hands.ns}-v`);
    },
    settled: async ({ read, ns }) => Boolean(await read('PersistentVolume', `${ns}-v`, 'metadata.deletionTimestamp')),
    ...{ withinSeconds: 4_000, quietBeforeSeconds: 3_600 },
  }),
  produced({
    ...{ id: 'S18', reason: 'VolumeNodeAffinityConflict' },
    what: 'no Node is in its zone',
    subject: data,
    async produce(hands) {
      const matchExpressions = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-1z'] }];
      await bind(hands, { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } });
      await hands.apply(workload('StatefulSet', 'db', { pod: mounting }));
    },
    settled: ({ some }) => some('Pod', 'status.conditions.PodScheduled.reason', 'Unschedulable'),
    also: ['Unschedulable', 'StatefulSetUnavailable'],
  }),
  produced({
    ...{ id: 'S12', reason: 'ManyDefaultStorageClasses' },
    subject: (ns) => `StorageClass//${ns}-*`,
    async produce({ api, until, apply, afterwards, remove, ns }) {
      // The default is given to all claims without a class, and one case is about these.
      await until('no claim lacks a class', async () => {
        const { items } = await api.json<{ items: { spec: object }[] }>({ path: '/api/v1/persistentvolumeclaims' });
        return items.every(({ spec }) => 'storageClassName' in spec);
      });
      const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
      for (const name of [`${ns}-a`, `${ns}-b`]) {
        afterwards(() => remove('StorageClass', name));
        await apply({ ...storageClass(ns), metadata: { name, annotations } });
      }
    },
    settled: async ({ get, ns }) => Boolean(await get('StorageClass', `${ns}-b`)),
    ...{ withinSeconds: day + 700, quietBeforeSeconds: day },
  }),
];
