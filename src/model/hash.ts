import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A short stable id: the first `length` hex digits (default 16, 64 bits) of the SHA-256 of the parts, separated by NUL. */
export function shortHash(parts: readonly (string | number)[], length = 16): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, length);
}

/** A number of 30 bits that tells whether a text changed (CRC-32). Not for keys: of 30,000 texts two may have the same. */
export function numberHash(text: string): number {
  return crc32(text) & 0x3fffffff;
}
