import type { Edition } from './edition.ts';
import type { Secret } from './secret.ts';
import type { SecretLocation } from './settings.ts';

/** What a state means for whoever looks: the condition `Licensed`, and whether a human must act. */
export type LicenseStateRow = {
  readonly licensed: 'True' | 'False' | 'Unknown';
  /** How bad a change to it is. */
  readonly event: 'Normal' | 'Warning';
  /** What `/health` says of it. */
  readonly health?: 'LicenseExpired' | 'LicenseInvalid' | 'LicenseUnread';
};

const invalid = { licensed: 'False', event: 'Warning', health: 'LicenseInvalid' } as const;

/** Every state that a licence can be in, one row each. */
export const licenseStates = {
  NoLicense: { licensed: 'False', event: 'Normal' },
  Valid: { licensed: 'True', event: 'Normal' },
  Trial: { licensed: 'True', event: 'Normal' },
  TrialEnded: { licensed: 'False', event: 'Warning' },
  GracePeriod: { licensed: 'True', event: 'Warning', health: 'LicenseExpired' },
  Expired: { licensed: 'False', event: 'Warning', health: 'LicenseExpired' },
  NotYetValid: invalid,
  WrongCluster: invalid,
  Empty: invalid,
  Malformed: invalid,
  WrongAlgorithm: invalid,
  UnknownKey: invalid,
  BadSignature: invalid,
  InvalidClaims: invalid,
  SecretNotFound: invalid,
  SecretKeyMissing: invalid,
  SecretForbidden: invalid,
  Unread: { licensed: 'Unknown', event: 'Warning', health: 'LicenseUnread' },
} as const satisfies Readonly<Record<string, LicenseStateRow>>;

/** Name of a state of the licence: the reason of the condition `Licensed`. */
export type LicenseState = keyof typeof licenseStates;

/** Every state, in the order of the table. */
export const licenseStateNames = Object.keys(licenseStates) as readonly LicenseState[];

/** How the licence stands at an instant, and the edition that follows. Times are epoch milliseconds. */
export type LicenseStanding = {
  readonly state: LicenseState;
  readonly edition: Edition;
  /**
   * False while the licence cannot be read, or for a few minutes after it became unusable: `edition` is then what was known last,
   * and nothing that could be needed again should be thrown away.
   */
  readonly isKnown: boolean;
  /** One sentence or two for people. */
  readonly message: string;
  /** Who holds it; absent when no licence whose signature is good has been read. */
  readonly licensee?: string;
  readonly expiresAt?: number;
  /** When time alone changes the standing. */
  readonly changesAt?: number;
};

/** What applies without a licence. */
export const withoutLicense: LicenseStanding = {
  state: 'NoLicense',
  edition: 'Community',
  isKnown: true,
  message: 'No licence is configured: Tocsin runs as Community.',
};

/** Where `spec.license` says that the licence is, and the value itself where the object holds it. */
export type LicenseSource = { readonly location: SecretLocation; readonly inline?: Secret };

/** What gives an edition: a licence, or the cluster's trial. */
export type EditionSource = LicenseSource | 'trial';
