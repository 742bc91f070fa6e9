import { namespaceOf } from '../../model/ref.ts';
import type { WorkloadView } from '../../world/kinds/workloads/workload.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { refusal } from './refused.ts';

/** What the Deployment controller says in a condition and in an Event (deployment_util.go, `FailedRSCreateReason`). */
const createError = 'ReplicaSetCreateError';

/**
 * What its controller says of a ReplicaSet that it cannot make for the newest template, and since when (epoch milliseconds). A
 * Deployment without a progress deadline has no condition Progressing: an Event alone tells it, beside a generation that is not
 * observed, since the controller gets no further.
 */
export function revisionRefused(deployment: WorkloadView, world: ObservedWorld) {
  const progressing = conditionOf(deployment, 'Progressing');
  if (progressing?.status === 'False' && progressing.reason === createError)
    return { says: progressing.message, since: progressing.since };
  if (progressing || deployment.observedGeneration >= deployment.generation) return undefined;
  const event = world.events(deployment.ref).findLast(({ reason, isWarning }) => isWarning && reason === createError);
  return event && { says: event.message, since: event.firstAt };
}

const replicaSetCreateError = detector({
  id: 'W4',
  reasons: [
    { reason: 'ReplicaSetCreateError', family: 'create', sure: 'likely' },
    { reason: 'AdmissionDenied', family: 'create', sure: 'high' },
  ],
  judges: 'Deployment',
  severity: 'high',
  settle: 'conclusive',
  exemptions: ['terminating', 'scaledToZero', 'paused'],
  source:
    'apps/v1 Deployment condition Progressing=False, reason ReplicaSetCreateError; the Event of that name where there is no progress deadline (deployment controller, sync.go)',
  predicate:
    'the ReplicaSet of the newest template cannot be made: for 15 s where a policy refuses it, for 25 s where a quota does, for 30 s where a webhook fails or nobody says why',
  clears: 'it was made, or the template is again one that has a ReplicaSet',
  symptom: 'rollout',
  patience: '15 s, so that one refused attempt is no news; 25 s for a quota; 30 s for a webhook, which may be back',
  isNot: 'a name that is taken, which the controller avoids by itself; a namespace that is being deleted',
  judge: (deployment, world) => {
    const refused = revisionRefused(deployment, world);
    if (!refused) return false;
    const { says, since } = refused;
    const { wanted, ready } = { wanted: deployment.replicas, ready: deployment.ready };
    const problem = refusal(says, since, createError, namespaceOf(deployment.ref), world);
    return problem ? { ...problem, facts: { wanted, ready, ...problem.facts } } : false;
  },
});

/** New revisions that do not come to be. */
export const revisionDetectors: readonly Detector[] = [replicaSetCreateError];
