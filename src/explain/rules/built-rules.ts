import type { Reason } from '../../model/reason.ts';
import type { Rule } from './rule.ts';

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

/** The causal rule of what is built from other objects, and of the claims of Pods: it is not to be had before they are. */
export const builtRules: readonly Rule[] = [
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
    requires: ['refusedByParent'],
    source:
      'spec fields that refer to what an object is built from (volumes, resourceClaims, gatewayClassName, parentRefs, issuerRef, sourceRef, secretStoreRef): nothing is made, placed or started of what is not ready',
  },
];
