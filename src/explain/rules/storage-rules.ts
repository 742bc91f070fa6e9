import { denied } from '../../model/denied.ts';
import type { Reason } from '../../model/reason.ts';
import { longRunning } from './reasons.ts';
import { any, changeOf, named, type Rule } from './rule.ts';

/** A claim that no Pod can be scheduled with. */
const _withoutVolume: readonly Reason[] = [
  ...(['StorageClassMissing', 'NoDefaultStorageClass', 'ProvisioningFailed', 'PVCPending', 'PVCLost'] as const),
  ...(['VolumeNodeAffinityConflict', 'PVCStuckTerminating'] as const),
];

/** A claim whose volume does not come to the Node of its Pod. */
const _notBrought: readonly Reason[] = ['VolumeAttachFailed', 'VolumeDetachFailed', 'CSIDriverMissingOnNode'];

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

/** Why Pods that need volumes or devices wait, and what the failures of claims have in common. */
export const storageRules: readonly Rule[] = [
  {
    id: 'full-volume',
    cause: any('PersistentVolumeClaim', ['VolumeFillingUp', 'VolumeInodesFillingUp']),
    via: 'built-from',
    effect: any('Pod', writing),
    strength: 'strong',
    requires: ['nothingLeft'],
    signs: ['NoSpaceLeft'],
    source:
      'write(2) fails with ENOSPC; kubelets let Pods write into a volume until nothing is left (no limit of their own)',
  },
  {
    id: 'provisioner-edited',
    cause: changeOf(longRunning),
    via: 'named-workloads',
    effect: any('PersistentVolumeClaim', ['PVCPending', 'ProvisioningFailed']),
    strength: 'strong',
    withinSeconds: 3600,
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
    withinSeconds: 3600,
    fields: ['replicas'],
    requires: ['servesNobody'],
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
];
