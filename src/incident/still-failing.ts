import type { Explanation } from '../model/explanation.ts';
import type { Incident } from '../model/incident.ts';
import type { Ref } from '../model/ref.ts';
import type { LifecycleContext } from './lifecycle.ts';

/** Whether what an incident was told to be about fails in one that nobody has been told of yet. */
export function stillFailing(
  incidents: readonly Incident[],
  followedBy: (id: string) => Explanation | undefined,
): LifecycleContext['isStillFailing'] {
  const failing = new Set<Ref>();
  for (const { id, state } of incidents) {
    const explanation = state === 'Settling' ? followedBy(id) : undefined;
    if (explanation) for (const ref of [explanation.root.ref, ...explanation.workloads]) failing.add(ref);
  }
  if (failing.size === 0) return () => false;
  return ({ explanation, blamed }) =>
    [explanation, ...(blamed ? [blamed] : [])].some(
      ({ root, workloads }) => failing.has(root.ref) || workloads.some((ref) => failing.has(ref)),
    );
}
