import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { Usual } from '../../world/memory/own-normal.ts';
import { given } from '../../world/reading/fields.ts';
import { selectorOf } from '../../world/reading/label-selector.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** Restarts in a day that are many for a workload of which nothing is known. */
const manyRestarts = 5;

/** How many restarts in a day are still nothing: what is usual for it, and one for each Pod, as when all Nodes are started anew. */
function bearable(replicas: number, usual: Usual | undefined): number {
  return Math.max(manyRestarts - 1, replicas, Math.floor(usual?.most ?? 0));
}

function judge(workload: WorkloadView, world: ObservedWorld) {
  const { ref, replicas } = workload;
  const normal = world.ownNormal(ref);
  if (normal === undefined || normal.restarts <= bearable(replicas, undefined)) return false;
  const known = normal.usualRestarts;
  if (normal.restarts <= bearable(replicas, known)) return false;
  const usual = known && Math.round(known.median);
  return {
    since: 'observed' as const,
    facts: { restartsOfDay: normal.restarts, ...selectorOf(workload), ...given({ usual }) },
    ...given({ lookAgainAt: world.restartsChangeAt(ref) }),
  };
}

/** Workloads whose containers are restarted more often than is usual for them. */
export const restartRateDetectors: readonly Detector[] = (['Deployment', 'StatefulSet', 'DaemonSet'] as const).map(
  (judges) =>
    detector<typeof judges>({
      judges,
      id: 'P4',
      reasons: [{ reason: 'HighRestartCount', family: 'consequence', sure: 'unknown' }],
      reads: ['Pod'],
      edition: 'Pro',
      symptom: 'restart',
      severity: 'low',
      exemptions: ['terminating', 'scaledToZero'],
      source: 'core/v1 ContainerStatus.restartCount, as it was seen to grow; never the count itself',
      predicate:
        'containers of a workload were restarted five times or more within 24 h, each time after they had run for 10 min or more, more often than it has Pods, and more often than is usual for it: three deviations above the median of the last 7 days, once there are ten samples',
      clears: 'there were fewer within the last 24 h',
      patience: 'not at all: it is a line of the digest',
      isNot:
        'a crash loop or an OOM kill, which are reasons of their own; a Pod that is a year old and was restarted now and then; restarts in the first 10 min of a Pod, while what it needs boots; Nodes that are restarted',
      judge,
    }),
);

/** Whether so many restarts within a day are nothing new for a workload. */
export function isUsual(workload: Parameters<ObservedWorld['ownNormal']>[0], world: ObservedWorld): boolean {
  const normal = world.ownNormal(workload);
  const usual = normal?.usualRestarts;
  return usual !== undefined && usual.median >= 1 && normal !== undefined && normal.restarts <= usual.most;
}
