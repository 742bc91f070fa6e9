import { kindOf, type Ref } from '../model/ref.ts';
import { usedKinds } from './workload.ts';

/** The order of kinds where nothing else decides: what more depends on comes first. */
const kindOrder = [...usedKinds, 'Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet', 'Pod'];
const rankOf = new Map(kindOrder.map((kind, rank) => [kind, rank]));

/** By kind, then name: the same everywhere and every time. */
export function compareRefs(a: Ref, b: Ref): number {
  if (a === b) return 0;
  const rank = (ref: Ref): number => rankOf.get(kindOf(ref)) ?? kindOrder.length;
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}
