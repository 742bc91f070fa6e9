import type { Explanation } from '../model/explanation.ts';
import { shortHash } from '../model/hash.ts';
import type { Incident } from '../model/incident.ts';

/**
 * What products know the incident by: the same for the same cluster, root and reason across restarts without state. Of
 * two that are open at the same time the later one gets `#2`.
 */
export function alertKeyFor(explanation: Explanation, clusterId: string, incidents: Iterable<Incident>): string {
  const key = shortHash([clusterId, explanation.root.ref, explanation.reason]);
  const taken = new Set<string>();
  for (const { state, alertKey } of incidents) if (state === 'Open' || state === 'Recovering') taken.add(alertKey);
  if (!taken.has(key)) return key;
  for (let count = 2; ; count += 1) if (!taken.has(`${key}#${count}`)) return `${key}#${count}`;
}

/** The opaque id: it survives a revised root. */
export function incidentId(alertKey: string, openedAt: number): string {
  return shortHash([alertKey, openedAt]);
}

/** A passing name for what is still settling: nobody outside is told of it. */
export function settlingId(explanation: Explanation, now: number, taken: (id: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const id = shortHash(['settling', explanation.root.ref, explanation.reason, now, count]);
    if (!taken(id)) return id;
  }
}
