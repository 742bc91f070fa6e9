import { hash } from 'node:crypto';

/** A short stable id: the first `length` hex digits (default 16, 64 bits) of the SHA-256 of the parts, separated by NUL. */
export function shortHash(parts: readonly (string | number)[], length = 16): string {
  return hash('sha256', parts.join('\0'), 'hex').slice(0, length);
}

/** A number of 30 bits that tells whether a text changed (FNV-1a). Not for keys: of 30,000 texts two may have the same. */
export function numberHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & 0x3fffffff;
}
