/** What a program says that it lacks or runs into. */
export type SignKind =
  | 'NameNotResolved'
  | 'ConnectionRefused'
  | 'ConnectionTimedOut'
  | 'ConnectionReset'
  | 'HostUnreachable'
  | 'ServiceUnavailable'
  | 'RequestRefused'
  | 'CallFailed'
  | 'CertificateInvalid'
  | 'CredentialsRejected'
  | 'CredentialsMissing'
  | 'SecretUnusable'
  | 'AccessForbidden'
  | 'PermissionDenied'
  | 'ReadOnlyFileSystem'
  | 'NoSpaceLeft'
  | 'FileSystemFailing'
  | 'AddressInUse'
  | 'ExecFormat'
  | 'VariableMissing'
  | 'KeyMissing'
  | 'FileMissing'
  | 'SettingsUnusable'
  | 'OptionUnknown'
  | 'ModuleMissing'
  | 'KindMissing'
  | 'CacheNotSynced'
  | 'RuntimeOutOfMemory'
  | 'TooManyConnections'
  | 'RateLimited'
  | 'TooManyOpenFiles'
  | 'TooManyProcesses'
  | 'LockHeld'
  | 'SchemaMismatch'
  | 'DataUnusable'
  | 'HostSettingTooLow'
  | 'WorkerTimedOut'
  | 'Panic'
  | 'UncaughtException';

/** Whom a program could not reach, as its line says it: a name or an address without brackets. */
export type SignTarget = { readonly host: string; readonly port?: number };

/** What one line of a program's log says about why the program fails. */
export type Sign = {
  readonly kind: SignKind;
  /** Whom it could not reach. */
  readonly target?: SignTarget;
  /** The path, variable, key, module, user or exception. */
  readonly name?: string;
  /** The line that says it, cut to 300 characters. */
  readonly line: string;
  /** It stands among the last errors that were said: where the program has ended, it ended with it. */
  readonly closing?: true;
};
