import { familyOf } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import { shortHash } from '../model/hash.ts';

/**
 * What products know the incident by: the same for the same cluster, root and reason across restarts without state. Of
 * several at the same time the later ones get `#2`, `#3`.
 */
export function alertKeyFor(explanation: Explanation, clusterId: string, isTaken: (key: string) => boolean): string {
  return freeKey(shortHash([clusterId, explanation.root.ref, explanation.reason]), isTaken);
}

/** A key, or the first of its family that nobody has: what goes by keys of one family goes in one lane. */
export function freeKey(key: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(key)) return key;
  const family = familyOf(key);
  for (let count = 2; ; count += 1) if (!isTaken(`${family}#${count}`)) return `${family}#${count}`;
}

/** The opaque id, given when the problem is first seen: it survives a revised root. */
export function incidentId(alertKey: string, seenAt: number): string {
  return shortHash([alertKey, seenAt]);
}
