import type { Reason } from '../model/reason.ts';
import type { Projection } from '../world/kinds.ts';
import type { Condition } from '../world/meta.ts';

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

/** Reasons of a Deployment's `Progressing` while a rollout is on its way (deployment controller, `util`). */
export const progressingReasons: ReadonlySet<string> = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
]);
