import { denied } from '../../model/denied.ts';
import type { Reason } from '../../model/reason.ts';
import { broken, ofFiles } from '../evidence/volumes.ts';
import { longRunning, programs, refusedByParent } from './reasons.ts';
import { any, changeOf, named, type Rule } from './rule.ts';

/** What is wrong with what others are built from. */
const unusable: readonly Reason[] = [
  ...(['StorageClassMissing', 'NoDefaultStorageClass', 'ProvisioningFailed', 'PVCPending', 'PVCLost'] as const),
  ...(['VolumeNodeAffinityConflict', 'PVCStuckTerminating', 'VolumeAttachFailed', 'VolumeDetachFailed'] as const),
  ...(['CSIDriverMissingOnNode', 'ResourceClaimUnallocated', 'PodCertificateRequestFailed'] as const),
  ...(['GatewayClassNotAccepted', 'GatewayNotProgrammed', 'ListenerInvalid', 'CustomResourceFailing'] as const),
];

/** How what is built from it waits. */
const waiting: readonly Reason[] = [
  ...(['Unschedulable', 'ContainerCreating', 'InitContainerWaiting', 'FailedMount', 'FailedAttachVolume'] as const),
  ...(['GatewayNotProgrammed', 'ListenerInvalid', 'RouteNotAccepted', 'SnapshotFailed', 'SecretMissing'] as const),
  'CustomResourceFailing',
];

/** How a Pod waits whose volumes are not mounted. */
const notMounted: readonly Reason[] = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'ContainerCreating'];

/** How a Pod fails that cannot write any more. */
const writing: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'StartError', 'PodFailed'] as const),
  ...(['PodNotReady', 'ReadinessProbeFailed', 'ReadinessFlapping', 'LivenessProbeFailed'] as const),
];

/** What volume drivers report while their backend does not answer (CSI: gRPC status, and ABORTED while an earlier call is pending). */
const noAnswer =
  /deadline ?exceeded|timed? ?out|timeout|connection refused|unavailable|operation with the given volume .{0,200}already exists/i;

/** The causal rules of what objects are built from, and of volumes, which fail before they are mounted or under programs that run. */
export const storageRules: readonly Rule[] = [
  {
    id: 'built-from',
    cause: {
      basis: 'finding',
      kinds: [
        ...['PersistentVolumeClaim', 'ResourceClaim', 'PodCertificateRequest', 'GatewayClass', 'Gateway'],
        'CustomResource',
      ],
      reasons: unusable,
    },
    via: 'built-from',
    effect: { kinds: 'any', reasons: waiting },
    strength: 'stated',
    requires: { states: refusedByParent },
    source:
      'spec fields that refer to what an object is built from (volumes, resourceClaims, gatewayClassName, parentRefs, issuerRef, sourceRef, secretStoreRef): nothing is made, placed or started of what is not ready',
  },
  {
    id: 'full-volume',
    cause: any('PersistentVolumeClaim', ['VolumeFillingUp', 'VolumeInodesFillingUp']),
    via: 'built-from',
    effect: any('Pod', writing),
    strength: 'strong',
    requires: { states: [{ isOfCause: true, fact: 'percent', as: /^(?:9[7-9]|100)/ }] },
    signs: ['NoSpaceLeft'],
    source:
      'write(2) fails with ENOSPC; kubelets let Pods write into a volume until nothing is left (no limit of their own)',
  },
  {
    id: 'volume-cannot-grow',
    cause: any('PersistentVolumeClaim', ['VolumeResizeFailed', 'FileSystemResizePending']),
    via: 'built-from',
    effect: any('Pod', writing),
    strength: 'strong',
    isSaid: true,
    signs: ['NoSpaceLeft'],
    source: 'who asks for a larger volume and is refused has what there was, and writes until nothing of it is left',
  },
  {
    id: 'provisioner-edited',
    cause: changeOf(longRunning),
    via: 'named-workloads',
    effect: any('PersistentVolumeClaim', ['PVCPending', 'ProvisioningFailed']),
    strength: 'strong',
    atMost: 'likely',
    fields: ['image', 'command', 'args', 'env', 'envFrom', 'serviceAccountName', 'containers', 'template'],
    source:
      'a provisioner that runs but may not list what it needs (informers never sync) creates no volume, and says so only in its log',
  },
  {
    id: 'file-server-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'called-servers',
    effect: any('Pod', ['FailedMount', 'ContainerCreating']),
    strength: 'stated',
    fields: ['replicas'],
    requires: { scaled: 'to zero' },
    source:
      'a file server that was scaled to zero has no Pod that could fail by itself; kubelets find nobody behind its Service',
  },
  {
    id: 'volume-backend',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'agents-neighbours',
    effect: any('Pod', notMounted),
    strength: 'stated',
    workloads: 2,
    atMost: 'likely',
    says: noAnswer,
    source:
      'stores in the cluster (Rook, Longhorn, OpenEBS) are in one namespace with the node plug-in of their driver, which waits for them: "context deadline exceeded"',
  },
  {
    id: 'driver-of-attachments',
    cause: named(['DaemonSet']),
    via: 'names',
    effect: any('Pod', ['FailedAttachVolume']),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    says: denied,
    source:
      'CSI ControllerPublishVolume: one controller attaches all volumes of a driver with one identity; of several that it may not attach it is not the volumes',
  },
  {
    id: 'volumes-fail',
    cause: named(['CSIDriver']),
    via: 'built-from',
    effect: programs,
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    requires: { users: 'most fail' },
    isSaid: true,
    signs: ofFiles,
    source:
      'one store is behind all volumes of a driver: several workloads that cannot write, on several Nodes and as many as can, have it in common, and not their own volume',
  },
  {
    id: 'file-server-anew',
    cause: named(longRunning),
    via: 'built-from',
    effect: programs,
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: { startedAnew: true },
    signs: broken,
    source:
      'nfs(5), RFC 8881 NFS4ERR_STALE: a server that was started anew may not know the handles that it gave before; who mounts it anew gets new ones',
  },
];
