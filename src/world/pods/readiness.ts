import type { PodView } from '../kinds/workloads/pod.ts';

/** Whether the Pod serves: its condition `Ready` is true and it is not on its way out. */
export function isReady(pod: PodView): boolean {
  return (
    pod.deletionAt === undefined &&
    pod.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True')
  );
}

/** Since when the Pod's condition `Ready` has been as it is (epoch milliseconds); its age without one. */
export function readySince(pod: PodView): number {
  return pod.conditions.find(({ type }) => type === 'Ready')?.since ?? pod.createdAt;
}
