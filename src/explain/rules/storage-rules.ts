import type { Reason } from '../../model/reason.ts';
import { any, changeOf, missing, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

/** A claim that no Pod can be scheduled with. */
const withoutVolume: readonly Reason[] = [
  ...(['StorageClassMissing', 'NoDefaultStorageClass', 'ProvisioningFailed', 'PVCPending', 'PVCLost'] as const),
  ...(['VolumeNodeAffinityConflict', 'PVCStuckTerminating'] as const),
];

/** A claim whose volume does not come to the Node of its Pod. */
const notBrought: readonly Reason[] = ['VolumeAttachFailed', 'VolumeDetachFailed', 'CSIDriverMissingOnNode'];

/** How a Pod waits whose volumes are not mounted. */
const notMounted: readonly Reason[] = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'ContainerCreating'];

/** How a Pod fails that cannot write any more. */
const writing: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'StartError', 'PodFailed'] as const),
  ...(['PodNotReady', 'ReadinessProbeFailed', 'ReadinessFlapping', 'LivenessProbeFailed'] as const),
];

/** Why Pods that need volumes or devices wait, and what the failures of claims have in common. */
export const storageRules: readonly Rule[] = [
  {
    id: 'claim-unbound',
    cause: any('PersistentVolumeClaim', withoutVolume),
    via: 'mounts',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    source:
      'scheduler, VolumeBinding: a Pod is placed once its claims are bound or can be, where their volumes can be used',
  },
  {
    id: 'claim-not-brought',
    cause: any('PersistentVolumeClaim', [...withoutVolume, ...notBrought]),
    via: 'mounts',
    effect: any('Pod', ['ContainerCreating', 'InitContainerWaiting', 'FailedMount', 'FailedAttachVolume']),
    strength: 'strong',
    source: 'kubelet: no container is made before the volumes of the Pod are attached and mounted',
  },
  {
    id: 'full-volume',
    cause: any('PersistentVolumeClaim', ['VolumeFillingUp', 'VolumeInodesFillingUp']),
    via: 'mounts',
    effect: any('Pod', writing),
    strength: 'strong',
    requires: ['nothingLeft'],
    signs: ['NoSpaceLeft'],
    source:
      'write(2) fails with ENOSPC; kubelets let Pods write into a volume until nothing is left (no limit of their own)',
  },
  {
    id: 'class-missing',
    cause: missing(['StorageClass']),
    via: 'names',
    effect: any('PersistentVolumeClaim', ['StorageClassMissing']),
    strength: 'stated',
    source: 'pv_controller.go: no volume is made for a claim before its class exists, whoever asks for it',
  },
  {
    id: 'class-of-claims',
    cause: named(['StorageClass']),
    via: 'names',
    effect: any('PersistentVolumeClaim', ['ProvisioningFailed']),
    strength: 'strong',
    workloads: 2,
    source: 'one provisioner serves all claims of a class; of one claim alone its own request may be at fault',
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
    id: 'file-server',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'named-workloads',
    effect: any('Pod', ['FailedMount', 'ContainerCreating']),
    strength: 'strong',
    requires: ['isDown', 'asksForFiles'],
    source:
      'core/v1 NFSVolumeSource.server: kubelets mount by the address of a Service of the cluster, and nobody is behind it',
  },
  {
    id: 'file-server-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'called-servers',
    effect: any('Pod', ['FailedMount', 'ContainerCreating']),
    strength: 'stated',
    withinSeconds: 3600,
    fields: ['replicas'],
    requires: ['scaledToZero', 'asksForFiles'],
    source:
      'a file server that was scaled to zero has no Pod that could fail by itself; kubelets find nobody behind its Service',
  },
  {
    id: 'node-without-driver',
    cause: named(['Node']),
    via: 'names',
    effect: any('PersistentVolumeClaim', ['CSIDriverMissingOnNode']),
    strength: 'stated',
    requires: ['agentsAreWell'],
    source: 'CSINode: a driver registers with the kubelet of each Node by itself; the claim is as good as elsewhere',
  },
  {
    id: 'node-mounts-without-driver',
    cause: named(['Node']),
    via: 'names',
    effect: any('Pod', ['FailedMount']),
    strength: 'stated',
    requires: ['agentsAreWell'],
    source:
      'kubelet csi_client.go: "driver name <name> not found in the list of registered CSI drivers", which is the list of its Node',
  },
  {
    id: 'driver-agent',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'named-agents',
    effect: {
      kinds: ['Pod', 'PersistentVolumeClaim'],
      reasons: ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'ContainerCreating', 'CSIDriverMissingOnNode'],
    },
    strength: 'strong',
    source:
      'CSI: the node plug-in of a driver runs as a Pod of a DaemonSet and registers itself with the kubelet; without it no volume of the driver is mounted there',
  },
  {
    id: 'volume-backend',
    cause: named(longRunning),
    via: 'agents-neighbours',
    effect: any('Pod', notMounted),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['isNotAnswered', 'hasFailing'],
    source:
      'stores in the cluster (Rook, Longhorn, OpenEBS) are in one namespace with the node plug-in of their driver, which waits for them: "context deadline exceeded"',
  },
  {
    id: 'driver-of-mounts',
    cause: named(['DaemonSet']),
    via: 'names',
    effect: any('Pod', ['FailedMount', 'FailedMapVolume']),
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    source:
      'CSI NodeStageVolume: one node plug-in mounts all volumes of a driver; of one volume alone the volume may be at fault',
  },
  {
    id: 'driver-of-attachments',
    cause: named(['DaemonSet']),
    via: 'names',
    effect: any('Pod', ['FailedAttachVolume']),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['isAnswered', 'isDenied'],
    source:
      'CSI ControllerPublishVolume: one controller attaches all volumes of a driver with one identity; of several that it may not attach it is not the volumes',
  },
  {
    id: 'volume-secret',
    cause: named(['Secret']),
    via: 'names',
    effect: any('Pod', notMounted),
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    requires: ['isDenied'],
    source:
      'core/v1 CSIPersistentVolumeSource.nodeStageSecretRef: a driver logs in with it for every volume of its class; several that are denied have it in common',
  },
  {
    id: 'node-lost-volume',
    cause: any('Node', ['NodeNotReady', 'NodeUnreachable']),
    via: 'names',
    effect: any('PersistentVolumeClaim', ['VolumeAttachFailed', 'VolumeDetachFailed', 'VolumeUnhealthy']),
    strength: 'stated',
    source:
      'attach/detach controller: the volume of a lost node is let go of by force after 6 min; health monitor: failed node',
  },
  {
    id: 'claim-of-snapshot',
    cause: any('PersistentVolumeClaim', withoutVolume),
    via: 'uses',
    effect: any('VolumeSnapshot', ['SnapshotFailed']),
    strength: 'strong',
    source: 'external-snapshotter: no snapshot is taken of a claim that is not bound',
  },
  {
    id: 'devices-missing',
    cause: any('ResourceClaim', ['ResourceClaimUnallocated']),
    via: 'uses',
    effect: any('Pod', ['Unschedulable']),
    strength: 'strong',
    source: 'scheduler, DynamicResources: a Pod is placed where all its claims for devices can be met',
  },
];
