import { hash } from 'node:crypto';

/** A short stable id: the first `length` hex digits (default 16, 64 bits) of the SHA-256 of the parts, separated by NUL. */
export function shortHash(parts: readonly (string | number)[], length = 16): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, length);
}
