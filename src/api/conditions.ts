import type { Kind } from './group.ts';

/**
 * The conditions of each kind and the reasons each may give: the documented list. `Ready` is the summary, `Reconciling`
 * means work goes on, `Stalled` means that a human must act (kstatus).
 */
export const conditionReasons = {
  AlertProvider: {
    Ready: ['Accepted', 'Suspended', 'Invalid', 'Pending'],
    Reconciling: ['Waiting', 'Settled'],
    Stalled: [
      ...['NotStalled', 'UnknownType', 'InvalidSpec', 'InvalidDestination', 'SecretNotFound', 'SecretKeyMissing'],
      ...['SecretForbidden', 'FallbackNotFound', 'FallbackCycle'],
    ],
    Active: ['Selected', 'CommunityLimit', 'Suspended', 'Invalid', 'FallbackOnly'],
    Delivering: [
      ...['Delivered', 'NothingDelivered', 'AuthFailed', 'RateLimited', 'Timeout', 'ServerError', 'Rejected'],
      ...[
        'Unreachable',
        'BlockedAddress',
        'SecretNotFound',
        'SecretKeyMissing',
        'Expired',
        'ProviderDeleted',
        'FallbackInUse',
      ],
    ],
  },
  Silence: {
    Ready: ['Accepted', 'Invalid'],
    Stalled: ['NotStalled', 'InvalidSpec'],
    Active: ['Active', 'Pending', 'Expired', 'Invalid'],
  },
  MaintenanceWindow: {
    Ready: ['Accepted', 'Invalid', 'NotLicensed', 'Suspended'],
    Stalled: ['NotStalled', 'InvalidSpec', 'InvalidSchedule', 'UnknownTimeZone'],
    Active: ['Open', 'Closed', 'Suspended', 'NotLicensed', 'InvalidSchedule', 'UnknownTimeZone'],
  },
  AlertConfig: {
    Ready: ['Accepted', 'Invalid', 'Ignored'],
    Stalled: [
      ...['NotStalled', 'InvalidSpec', 'WrongName', 'WrongNamespace', 'CommunityProviderNotFound'],
      ...['CommunityProviderUnusable', 'InvalidLicense', 'StateNotDurable'],
    ],
    Covered: ['AllCovered', 'SourceMissing', 'Syncing'],
    Delivering: ['Delivered', 'NothingDelivered', 'ProviderFailing', 'NoProvider'],
  },
} as const satisfies Record<Kind, Record<string, readonly string[]>>;

/** The condition types of a kind. */
export type ConditionType<K extends Kind> = keyof (typeof conditionReasons)[K] & string;

/** The reasons that a condition of a kind may give. */
export type ConditionReason<
  K extends Kind,
  C extends ConditionType<K>,
> = (typeof conditionReasons)[K][C] extends readonly (infer R)[] ? R : never;
