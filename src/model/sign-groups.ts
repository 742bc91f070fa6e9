import type { SignKind } from './sign.ts';

/** What programs say when whom they call cannot be reached. */
export const unreachedSigns: readonly SignKind[] = [
  ...(['NameNotResolved', 'ConnectionRefused', 'ConnectionTimedOut', 'ConnectionReset', 'HostUnreachable'] as const),
];

/** What they say when whom they call is there, turns them away, and tells why. */
export const refusedSigns: readonly SignKind[] = [
  ...(['CertificateInvalid', 'CredentialsRejected', 'TooManyConnections', 'RateLimited', 'LockHeld'] as const),
  ...(['ServiceUnavailable', 'RequestRefused'] as const),
];

/** What says that a program ended, and not why. */
export const bareSigns: readonly SignKind[] = ['Panic', 'UncaughtException'];

/** What the same program says again in its next run: nothing that passes by itself. */
export const lastingSigns: readonly SignKind[] = [
  ...([
    'CredentialsRejected',
    'CredentialsMissing',
    'SecretUnusable',
    'CertificateInvalid',
    'AccessForbidden',
  ] as const),
  ...([
    'PermissionDenied',
    'ReadOnlyFileSystem',
    'ExecFormat',
    'VariableMissing',
    'KeyMissing',
    'FileMissing',
  ] as const),
  ...(['SettingsUnusable', 'OptionUnknown', 'ModuleMissing', 'KindMissing', 'SchemaMismatch'] as const),
];
