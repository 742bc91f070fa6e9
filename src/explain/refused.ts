import type { SignKind } from '../model/sign.ts';

/** What programs say when whom they call turns them away. */
export const refused: readonly SignKind[] = [
  ...(['CertificateInvalid', 'CredentialsRejected', 'TooManyConnections', 'RateLimited', 'LockHeld'] as const),
  ...(['ServiceUnavailable', 'RequestRefused', 'CallFailed'] as const),
];
