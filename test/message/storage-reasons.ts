import type { Reason } from '../../src/model/reason.ts';
import { at, condition, node, type PodParts, pod } from '../world/objects.ts';
import {
  attachment,
  claim,
  csiNode,
  event,
  resourceClaim,
  snapshot,
  storageClass,
  unbound,
  volume,
} from '../world/storage-objects.ts';
import { type ClusterStory, long, nodes, sized } from './shop.ts';

type Own = Parameters<typeof claim>[1];

const old = { createdAt: long };
const fast = storageClass('fast', old);
const mounts = (name: string) => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] });

/** The only Pod of StatefulSet db, which mounts a claim. */
const db = (parts: PodParts = {}): ReturnType<typeof pod> =>
  pod('db-0', { owner: { kind: 'StatefulSet', name: 'db' }, createdAt: at(10), ...parts, spec: mounts('data-db-0') });

/** A Pod that the scheduler has placed nowhere since minute 10. */
const unplaced = (says: string): PodParts => ({
  ...{ node: undefined, phase: 'Pending', statuses: [] },
  conditions: [condition('PodScheduled', 'False', at(10), 'Unschedulable', says)],
});

/** A Pod that is on n1 since minute 10, and of which nothing runs. */
const starting: PodParts = {
  ...{
    phase: 'Pending',
    statuses: [{ name: 'api', ready: false, state: { waiting: { reason: 'ContainerCreating' } } }],
  },
  conditions: [condition('PodScheduled', 'True', at(10)), condition('Initialized', 'True', at(10))],
};

const unboundClaims = '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found';

/** StatefulSet db is made, and its claim and Pod are like this. */
function database(own: Own, parts: PodParts, ...others: ReturnType<typeof pod>[]): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, fast);
    k8s.start(at(0));
    k8s.put(at(10), sized('StatefulSet', 'db', 1, 0, { createdAt: at(10) }));
    k8s.put(at(10), claim('data-db-0', { createdAt: at(10), ...own }), ...others, db(parts));
    k8s.wait(at(40));
  };
}

/** Something is there from the beginning, and at minute 10 it becomes something else. */
const becomes =
  (before: readonly ReturnType<typeof pod>[], after: readonly ReturnType<typeof pod>[], until = at(60)): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, fast, ...before);
    k8s.start(at(0));
    k8s.put(at(10), ...after);
    k8s.wait(until);
  };

const waiting = unbound('data-db-0', { createdAt: at(10) });
const noQuota = 'rpc error: code = ResourceExhausted desc = the limit of 40 volumes is reached';
const cannotGrow = condition(
  'ControllerResizeError',
  'True',
  at(10),
  '',
  'rpc error: code = Internal desc = pool is full',
);
const ill = claim('data', old);
const error = { time: '2026-06-01T12:10:00Z', message: 'rpc error: code = Internal desc = the volume is busy' };
const days = 24 * 60;

/** One story for every reason of storage and devices. */
export const storageReasonStories = {
  StorageClassMissing: database({ phase: 'Pending', className: 'fats' }, unplaced(unboundClaims)),
  NoDefaultStorageClass: database({ phase: 'Pending', className: undefined }, unplaced(unboundClaims)),
  ProvisioningFailed: database(
    { phase: 'Pending' },
    unplaced(unboundClaims),
    event(waiting, 'ProvisioningFailed', `failed to provision volume with StorageClass "fast": ${noQuota}`, at(10)),
  ),
  PVCPending: database({ phase: 'Pending' }, unplaced(unboundClaims)),
  PVCLost: becomes(
    [claim('data', old), volume('pv-data', old)],
    [claim('data', { ...old, phase: 'Lost', volume: 'pv-data' })],
  ),
  PVCStuckTerminating: becomes(
    [claim('data', old), pod('web', { ...old, spec: mounts('data') })],
    [claim('data', { ...old, deletionAt: at(10) })],
    at(200),
  ),
  VolumeNodeAffinityConflict: database(
    {},
    unplaced("0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity."),
    volume('pv-data-db-0', { createdAt: at(10), zone: 'eu-1b' }),
  ),
  VolumeAttachFailed: database(
    {},
    starting,
    volume('pv-data-db-0', { createdAt: at(10) }),
    attachment('pv-data-db-0', 'n1', { createdAt: at(10), status: { attachError: error } }),
    csiNode('n1', ['ebs.csi.aws.com']),
  ),
  VolumeDetachFailed: becomes(
    [claim('data', old), volume('pv-data', old), attachment('pv-data', 'n1', { ...old, status: { attached: true } })],
    [attachment('pv-data', 'n1', { ...old, deletionAt: at(10), status: { attached: true, detachError: error } })],
  ),
  CSIDriverMissingOnNode: database({}, starting, volume('pv-data-db-0', { createdAt: at(10) }), csiNode('n1', [])),
  VolumeResizeFailed: becomes(
    [claim('data', old)],
    [
      claim('data', {
        ...old,
        spec: { resources: { requests: { storage: '20Gi' } } },
        status: { conditions: [cannotGrow] },
      }),
    ],
  ),
  FileSystemResizePending: becomes(
    [claim('data', old), pod('web', { ...old, spec: mounts('data') })],
    [claim('data', { ...old, status: { conditions: [condition('FileSystemResizePending', 'True', at(10))] } })],
    at(200),
  ),
  VolumeModifyFailed: becomes(
    [claim('data', old)],
    [
      claim('data', {
        ...old,
        status: { modifyVolumeStatus: { status: 'Infeasible', targetVolumeAttributesClassName: 'gold' } },
      }),
    ],
  ),
  VolumeUnhealthy: (k8s) => {
    k8s.put(long, ...nodes, fast, ill);
    k8s.start(at(0));
    k8s.put(at(10), event(ill, 'VolumeConditionAbnormal', 'The volume is out of range of its pool', at(10)));
    k8s.wait(at(20));
  },
  PVFailed: becomes(
    [volume('pv-data', { ...old, claim: 'data' })],
    [volume('pv-data', { ...old, claim: 'data', phase: 'Failed', since: at(10), message: error.message })],
  ),
  PVReleased: becomes(
    [volume('pv-data', { ...old, claim: 'data', spec: { persistentVolumeReclaimPolicy: 'Retain' } })],
    [
      volume('pv-data', {
        ...{ ...old, claim: 'data', phase: 'Released', since: at(10) },
        spec: { persistentVolumeReclaimPolicy: 'Retain' },
      }),
    ],
    at(8 * days),
  ),
  PVStuckTerminating: becomes(
    [claim('data', old), volume('pv-data', { ...old, claim: 'data' })],
    [volume('pv-data', { ...old, claim: 'data', deletionAt: at(10) })],
    at(200),
  ),
  ManyDefaultStorageClasses: becomes(
    [storageClass('slow', { ...old, isDefault: true })],
    [storageClass('new', { createdAt: at(10), isDefault: true })],
    at(2 * days),
  ),
  SnapshotFailed: becomes(
    [claim('data', old)],
    [snapshot('nightly', 'data', { createdAt: at(10), status: { error } })],
  ),
  ResourceClaimUnallocated: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    const own = { createdAt: at(10), owner: { kind: 'Pod', name: 'train', apiVersion: 'v1' } };
    const says = '0/3 nodes are available: 3 cannot allocate all claims.';
    const spec = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] };
    k8s.put(at(10), resourceClaim('train-gpu', own), pod('train', { createdAt: at(10), ...unplaced(says), spec }));
    k8s.wait(at(30));
  },
  DevicesNotPrepared: (k8s) => {
    k8s.put(long, ...nodes, node('n9', old));
    k8s.start(at(0));
    const train = pod('train', { createdAt: at(10), ...starting });
    const says = 'Failed to prepare dynamic resources: driver gpu.example.com is not registered';
    k8s.put(at(10), train, event(train, 'FailedPrepareDynamicResources', says, at(10)));
    k8s.wait(at(20));
  },
} as const satisfies Partial<Readonly<Record<Reason, ClusterStory>>>;
