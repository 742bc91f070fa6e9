import { kindOf, type Ref } from '../../model/ref.ts';
import { usedKinds } from './workload.ts';

/** The order of kinds where nothing else decides: what more depends on comes first. */
const kindOrder = [...usedKinds, 'Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet', 'Pod'];
const rankOf = new Map(kindOrder.map((kind, rank) => [kind, rank]));

const rank = (kind: string): number => rankOf.get(kind) ?? kindOrder.length;

/** By kind, then name: the same everywhere and every time. */
export function compareRefs(a: Ref, b: Ref): number {
  if (a === b) return 0;
  const kind = kindOf(a);
  // Most that are compared are of one kind.
  const alike = b.startsWith(kind) && b[kind.length] === '/';
  return (alike ? 0 : rank(kind) - rank(kindOf(b))) || (a < b ? -1 : 1);
}
