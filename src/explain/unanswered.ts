import type { SignKind } from '../model/sign.ts';

/** What programs say when whom they call does not answer. */
export const unanswered: readonly SignKind[] = [
  ...(['NameNotResolved', 'ConnectionRefused', 'ConnectionTimedOut', 'ConnectionReset', 'HostUnreachable'] as const),
  ...(['ServiceUnavailable', 'CallFailed'] as const),
];
