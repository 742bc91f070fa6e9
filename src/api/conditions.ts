import { failureCodes } from '../model/delivery.ts';
import { licenseStateNames } from '../model/license.ts';
import { activeReasons } from '../model/settings.ts';
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
      ...(['NotStalled', 'UnknownType', 'InvalidSpec', 'InvalidDestination'] as const),
      ...([
        'InvalidCertificate',
        'SecretNotFound',
        'SecretKeyMissing',
        'SecretForbidden',
        'FallbackNotFound',
        'FallbackCycle',
        'NamespaceLimit',
      ] as const),
      'UnreachableRoute',
    ],
    Active: [...activeReasons, 'NamespaceLimit'],
    Delivering: ['Delivered', 'OwnWordsNotUsed', 'NotReadBack', 'NothingDelivered', ...failureCodes, 'FallbackInUse'],
  },
  Silence: {
    Ready: ['Accepted', 'Invalid'],
    Stalled: ['NotStalled', 'InvalidSpec', 'UnknownReason', 'NamespaceLimit'],
    Active: ['Active', 'Pending', 'Expired', 'Invalid', 'NamespaceLimit'],
  },
  MaintenanceWindow: {
    Ready: ['Accepted', 'Invalid', 'NotLicensed', 'Suspended'],
    Stalled: ['NotStalled', 'InvalidSpec', 'InvalidSchedule', 'UnknownTimeZone', 'UnknownReason', 'NamespaceLimit'],
    Active: [
      ...(['Open', 'Closed', 'Suspended', 'NotLicensed', 'Invalid', 'InvalidSchedule', 'UnknownTimeZone'] as const),
      'NamespaceLimit',
    ],
  },
  AlertConfig: {
    Ready: ['Accepted', 'Invalid', 'Ignored'],
    Stalled: [
      ...(['NotStalled', 'InvalidSpec', 'WrongName', 'WrongNamespace', 'CommunityProviderNotFound'] as const),
      ...(['CommunityProviderUnusable', 'InvalidLicense', 'LicenseExpired', 'UnknownTimeZone'] as const),
    ],
    Licensed: licenseStateNames,
    StateSaved: ['Saved', 'NotLicensed', 'StateNotDurable', 'StorageFailing'],
    Covered: ['AllCovered', 'SourceMissing', 'Syncing'],
    Delivering: ['Delivered', 'NothingDelivered', 'ProviderFailing', 'ProviderUnusable', 'NoProvider', 'NoRoute'],
    Heartbeat: ['Sent', 'Pending', 'Withheld', 'Failing'],
    Hub: ['Answering', 'Pending', 'Failing'],
    ServingTLS: ['Serving', 'Pending', 'CannotServe'],
    Auditing: ['Writing', 'CannotWrite', 'NotLicensed'],
  },
} as const satisfies Record<Kind, Record<string, readonly string[]>>;

/** The condition types of a kind. */
export type ConditionType<K extends Kind> = keyof (typeof conditionReasons)[K] & string;

/** The reasons that a condition of a kind may give. */
export type ConditionReason<
  K extends Kind,
  C extends ConditionType<K>,
> = (typeof conditionReasons)[K][C] extends readonly (infer R)[] ? R : never;
