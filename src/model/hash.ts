import { createHash } from 'node:crypto';

/** A short stable id: the first `length` hex digits (default 16, 64 bits) of the SHA-256 of the parts, separated by NUL. */
export function shortHash(parts: readonly (string | number)[], length = 16): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, length);
}
