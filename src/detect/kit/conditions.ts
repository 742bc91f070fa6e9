import type { Reason } from '../../model/reason.ts';
import type { NodeView, Taint } from '../../world/kinds/cluster/node.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import type { Condition } from '../../world/reading/meta.ts';

/** A condition of an object, if it has it. */
export function conditionOf(object: Projection, type: string): Condition | undefined {
  return 'conditions' in object ? object.conditions.find((condition) => condition.type === type) : undefined;
}

/**
 * Conditions of Nodes that are bad when True (core/v1 NodeConditionType). A type that is not here is evidence at most:
 * vendors use both polarities.
 */
export const badNodeConditions: readonly { readonly type: string; readonly reason: Reason }[] = [
  { type: 'DiskPressure', reason: 'DiskPressure' },
  { type: 'MemoryPressure', reason: 'MemoryPressure' },
  { type: 'PIDPressure', reason: 'PIDPressure' },
];

/** Conditions that administrators and shutdown managers set while a Node is meant to be away. */
export const leavingConditions: readonly string[] = [
  'MaintenancePlanned',
  'MaintenanceInProgress',
  'DrainInProgress',
  'Drained',
  'GracefulNodeShutdownInProgress',
];

/** Taints of Nodes that are about to go (cluster autoscaler, Karpenter, cloud providers, out-of-service). */
export const leavingTaints: ReadonlySet<string> = new Set([
  'ToBeDeletedByClusterAutoscaler',
  'DeletionCandidateOfClusterAutoscaler',
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption',
  'cloud.google.com/impending-node-termination',
  'aws-node-termination-handler/spot-itn',
  'node.cloudprovider.kubernetes.io/shutdown',
  'node.kubernetes.io/out-of-service',
]);

/**
 * Taints that a Node has until its cloud, its network plug-in, a CSI driver or whoever made it says that Pods may come; those
 * that end in a slash are prefixes. Sources: cloud-provider api.TaintExternalCloudProvider, Cluster API
 * NodeUninitializedTaint, Karpenter karpenter.sh/unregistered, Cilium agent-not-ready-taint-key, aws-ebs-csi-driver and
 * aws-efs-csi-driver agent-not-ready, cluster-autoscaler taint prefixes, node readiness controller.
 */
const startupTaints: readonly string[] = [
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node.cluster.x-k8s.io/uninitialized',
  'karpenter.sh/unregistered',
  'node.cilium.io/agent-not-ready',
  'ebs.csi.aws.com/agent-not-ready',
  'efs.csi.aws.com/agent-not-ready',
  'startup-taint.cluster-autoscaler.kubernetes.io/',
  'ignore-taint.cluster-autoscaler.kubernetes.io/',
  'readiness.k8s.io/',
];

/** The taint of its start that a Node still has. */
export function startupTaint({ taints }: NodeView): Taint | undefined {
  return taints.find(({ key }) =>
    startupTaints.some((known) => (known.endsWith('/') ? key.startsWith(known) : key === known)),
  );
}

/** Reasons of a Deployment's `Progressing` while a rollout is on its way (deployment controller, `util`). */
export const progressingReasons: ReadonlySet<string> = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
]);
