import { earliest } from '../../model/instants.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { NamedDetector } from '../kit/detector.ts';
import { lastTold } from '../kit/told.ts';

/** About this the cluster autoscaler writes what is of no single Pod. */
const statusOfAutoscaler = refOf('ConfigMap', 'kube-system', 'cluster-autoscaler-status');

/** Clocks of the API server and of the autoscaler differ (ms). */
const clockMs = 60_000;

/** What was told of the last failure; the Events tell it, whether the ConfigMap can be seen or not. */
function failure(world: ObservedWorld, now: number) {
  return lastTold(statusOfAutoscaler, { reasons: ['FailedToScaleUpGroup'] }, world, now);
}

/** What says that the Node which was to be made for a Pod cannot be: the autoscaler tried, and has failed since. */
export function failedScaleUpFor(pod: PodView, world: ObservedWorld, now: number): Ref | undefined {
  const tried = lastTold(pod.ref, { reasons: ['TriggeredScaleUp'], after: now - 3_600_000 }, world, now);
  const failed = tried && failure(world, now);
  return failed && failed.lastAt >= tried.lastAt - clockMs ? statusOfAutoscaler : undefined;
}

/** Nodes that the cluster autoscaler wants to make for Pods and cannot. */
export const scaleUpFailed: NamedDetector = {
  id: 'A12',
  judges: 'ConfigMap',
  reasons: [{ reason: 'ScaleUpFailed', family: 'named', sure: 'high' }],
  severity: 'high',
  settle: 'conclusive',
  source:
    'Event FailedToScaleUpGroup about ConfigMap kube-system/cluster-autoscaler-status, after TriggeredScaleUp about a Pod that still waits (cluster-autoscaler, eventing scale-up status processor)',
  predicate: 'Pods wait for a Node that the cluster autoscaler could not make, reported within the last 15 min',
  clears: 'no such Pod waits any more, or nothing more has been reported for 15 min',
  symptom: 'scaling',
  patience: 'not at all: the Pods have waited 90 s',
  isNot: 'a group that fails while another one takes the Pods; Pods that fit on no Node that could be made',
  judge: (ref, naming, world, now) => {
    const failed = ref === statusOfAutoscaler ? failure(world, now) : undefined;
    const waiting = [...naming.values()].flat().filter(({ reason }) => reason === 'Unschedulable');
    if (!failed || waiting.length === 0) return false;
    const [, group] = /group (\S+?):? /.exec(failed.message) ?? [];
    return {
      since: earliest(waiting.map(({ since }) => since)),
      facts: { pods: waiting.length, ...given({ group }) },
      detail: failed.message,
      lookAgainAt: failed.lastAt + 15 * 60_000,
    };
  },
};
