import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import type { ResourceClaimView } from '../../world/kinds/storage/resource-claim.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { unplacedSince } from '../kit/claim-facts.ts';
import { conditionOf } from '../kit/conditions.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** Pods of one claim that are looked at. */
const maxPods = 16;

/** The Pods that ask for a claim: the one it was made for, or those that name it. */
function podsOf({ ref, owner }: ResourceClaimView, world: ObservedWorld): readonly Ref[] {
  return owner !== undefined && kindOf(owner) === 'Pod'
    ? [owner]
    : [...world.linked(ref, 'uses', 'in', maxPods)].sort();
}

const resourceClaimUnallocated = detector({
  judges: 'ResourceClaim',
  id: 'G22',
  reasons: [{ reason: 'ResourceClaimUnallocated', family: 'storage', sure: 'likely' }],
  reads: ['Pod', 'ResourceSlice'],
  severity: 'high',
  forSeconds: 90,
  source: 'resource.k8s.io ResourceClaim.status.allocation; core/v1 Pod condition PodScheduled',
  predicate:
    'a Pod has not been scheduled for 90 s because its claim for devices is not met, or for 15 s while no driver offers any device',
  clears: 'the claim is allocated, or nobody waits for it',
  symptom: 'start',
  patience: '90 s: other Pods give devices back; 15 s while there are none at all',
  isNot: 'a claim that no Pod waits for',
  judge: (claim, world) => {
    if (claim.isAllocated) return false;
    for (const ref of podsOf(claim, world)) {
      const pod = world.get(ref);
      const waits = typeof pod === 'object' && pod.kind === 'Pod' ? unplacedSince(pod) : undefined;
      if (!waits || !/claim/.test(waits.text)) continue;
      const noDriver = world.count('ResourceSlice') === 0 && world.get(refOf('ResourceSlice', '', '')) === 'absent';
      return {
        since: waits.since,
        ...(noDriver && ({ forSeconds: 15, settle: 'conclusive' } as const)),
        detail: waits.text,
        facts: {
          deviceClasses: claim.deviceClasses.join(', '),
          ...given({ offered: noDriver ? 'nothing' : undefined }),
        },
        names: [ref],
      };
    }
    return false;
  },
});

/** What is told by Events alone, of a Pod that has not started. */
const preparationEvents: ReadonlySet<string> = new Set([
  'FailedPrepareDynamicResources',
  'FailedResourceClaimCreation',
]);
/** How long after the last such Event nothing is said any more (ms): kubelets and controllers try again within minutes. */
const quietMs = 15 * 60_000;

const devicesNotPrepared = detector({
  judges: 'Pod',
  id: 'G22',
  reasons: [{ reason: 'DevicesNotPrepared', family: 'config', sure: 'likely' }],
  severity: 'high',
  forSeconds: 60,
  exemptions: ['terminating', 'completed', 'disrupted', 'leavingNode', 'staleNode'],
  source: 'Events FailedPrepareDynamicResources (kubelet), FailedResourceClaimCreation (resourceclaim controller)',
  predicate: 'the devices of a Pod that does not start have not been prepared, or not been asked for, for 60 s',
  clears: 'a container runs, or nothing has been said of it for 15 min',
  symptom: 'start',
  patience: '60 s: kubelets and drivers try again',
  isNot: 'a Pod that has started since; one on a Node that is going',
  judge: (pod, world, now) => {
    if (pod.phase !== 'Pending' || pod.containers.some(({ running }) => running)) return false;
    const said = world.events(pod.ref).filter(({ reason }) => preparationEvents.has(reason));
    const last = said.at(-1);
    if (!last || now >= last.lastAt + quietMs) return false;
    const since = said.reduce((first, { firstAt }) => Math.min(first, firstAt), last.firstAt);
    const scheduled = conditionOf(pod, 'PodScheduled');
    return {
      ...{ since: Math.max(since, pod.createdAt), lookAgainAt: last.lastAt + quietMs, detail: last.message },
      facts: given({ node: scheduled?.status === 'True' ? pod.node : undefined }),
    };
  },
});

/** Devices that Pods ask for. */
export const deviceClaimDetectors: readonly Detector[] = [resourceClaimUnallocated, devicesNotPrepared];
