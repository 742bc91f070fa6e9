import type { Reason } from '../../model/reason.ts';
import { type Ref, refOf } from '../../model/ref.ts';
import type { LeaseView } from '../../world/kinds/cluster/lease.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Judgement, type LookAgain, type Problem } from '../kit/detector.ts';

/** A lease is stale when it was not renewed for this many times its duration. */
const missedDurations = 3;
/** Renewals come to us gathered (`gatherSeconds` of the kind); two gatherings without one are no accident (ms). */
const gatheredMs = 15_000;

/**
 * Whether others have renewed theirs since, by as much as a stale lease is late: then the API server works and we hear of it, and
 * the clock of the holder is not what is compared.
 */
function isLeftBehind(lease: LeaseView, world: ObservedWorld): boolean {
  // Only while leases are watched is silence news.
  if (world.get(refOf('Lease', 'kube-system', '')) !== 'absent') return false;
  const staleAt = lease.renewedAt + lease.durationSeconds * missedDurations * 1000;
  for (const other of world.all('Lease')) if (other.kind === 'Lease' && other.renewedAt >= staleAt) return true;
  return false;
}

/** The Node and the Pods that a holder may be: `n1_2f0c…` for a static Pod on n1, `<pod>_2f0c…` for others. */
function holdersOf({ holder }: LeaseView, component: string): readonly Ref[] {
  const host = holder?.split('_')[0];
  if (host === undefined || host === '') return [];
  return [
    refOf('Node', '', host),
    refOf('Pod', 'kube-system', `${component}-${host}`),
    refOf('Pod', 'kube-system', host),
  ];
}

/**
 * A lease that its holder does not renew. What is said names the renewal: with the next one the wait begins anew, by our own clock
 * and not by that of the holder.
 */
function stale(lease: LeaseView, world: ObservedWorld, now: number): Problem | LookAgain {
  const lateMs = lease.durationSeconds * missedDurations * 1000;
  if (!isLeftBehind(lease, world)) return { lookAgainAt: now + lateMs + gatheredMs };
  return {
    scope: new Date(lease.renewedAt).toISOString(),
    since: 'observed',
    facts: { lease: nameIn(lease), ...given({ holder: lease.holder }) },
    names: holdersOf(lease, nameIn(lease)).filter((ref) => typeof world.get(ref) === 'object'),
  };
}

const nameIn = ({ ref }: LeaseView): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The parts of the control plane that lead by a lease, and what it is called when they do not. */
const components: Readonly<Record<string, Reason>> = {
  'kube-scheduler': 'SchedulerUnavailable',
  'kube-controller-manager': 'ControllerManagerUnavailable',
};

const controlPlaneLease = detector({
  id: 'G15',
  judges: 'Lease',
  edition: 'Pro',
  reasons: [
    { reason: 'SchedulerUnavailable', family: 'named', sure: 'likely' },
    { reason: 'ControllerManagerUnavailable', family: 'named', sure: 'likely' },
  ],
  severity: 'critical',
  forSeconds: 30,
  settle: 'conclusive',
  source: 'coordination.k8s.io/v1 Leases kube-system/kube-scheduler and kube-controller-manager: spec.renewTime',
  predicate:
    'a Lease is three durations behind the newest of kube-system, and no renewal has come for 30 s since: nobody schedules Pods, or nobody runs the controllers',
  clears: 'it is renewed',
  symptom: 'controlPlane',
  patience:
    '75 s or so: a restart on the only Node of a control plane takes 15 s for the lease to run out, and then some',
  isNot:
    'a holder whose clock is wrong; an API server that we or all others cannot reach; components without leader election',
  judge: (lease, world, now): Judgement => {
    const reason = components[nameIn(lease)];
    if (reason === undefined) return false;
    const judged = stale(lease, world, now);
    return 'since' in judged ? { ...judged, reason } : judged;
  },
});

/** Leases that name no component but an identity, and those that are meant to last, are nobody's to renew every few seconds. */
const longLeaseSeconds = 120;

const otherLease = detector({
  id: 'G16',
  judges: 'Lease',
  edition: 'Pro',
  reasons: [{ reason: 'LeaseStale', family: 'consequence', sure: 'likely' }],
  reads: ['Pod'],
  severity: 'medium',
  forSeconds: 300,
  source: 'coordination.k8s.io/v1 Leases of kube-system: spec.renewTime, holderIdentity; the Pod that holds it',
  predicate:
    'a Lease is three durations behind the newest of kube-system for 5 min, and the Pod that holds it still runs',
  clears: 'it is renewed, or its holder has gone',
  symptom: 'controlPlane',
  patience: '5 min: a controller that hangs may be restarted by its probe',
  isNot: 'Leases of what was removed; those of more than 2 min; those of other namespaces',
  judge: (lease, world, now): Judgement => {
    if (nameIn(lease) in components || lease.durationSeconds <= 0 || lease.durationSeconds > longLeaseSeconds)
      return false;
    const judged = stale(lease, world, now);
    if (!('since' in judged)) return judged;
    const pod = judged.names?.find((ref) => ref.startsWith('Pod/'));
    return pod === undefined ? { lookAgainAt: now + 60_000 } : { ...judged, names: [pod] };
  },
});

/** Who leads the parts of the control plane. */
export const leaseDetectors: readonly Detector[] = [controlPlaneLease, otherLease];
