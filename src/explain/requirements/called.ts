import { kindOf } from '../../model/ref.ts';
import { leadMs, podsOfWorkload } from '../evidence/bounds.ts';
import { madeWithout } from '../evidence/ignored-webhooks.ts';
import { isDownByItself, lacksWhatItNeeds, workloadsOf } from '../evidence/needs.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { failsForMost, startedAnew } from '../evidence/volumes.ts';
import { podView, workloadOf } from '../evidence/workload.ts';

/** What the API server says of an APIService whose Service has no endpoints, or is not there (`remote_available_controller.go`). */
const emptyReasons: readonly unknown[] = ['MissingEndpoints', 'EndpointsNotFound'];

/** From here on (percent in use) writing may fail: what is set aside for the system is no use to a Pod. */
const fullPercent = 97;
const saysFull = /no space left on device|disk quota exceeded|\bENOSPC\b/i;

/** Of what a program needs: whom it calls, what it mounts, who was to prepare it. */
export const ofCalled = {
  /** A volume is full, or the effect says that it is, which was measured minutes ago. */
  nothingLeft: ({ detail = '' }, _, { finding }) =>
    Number(finding?.facts.percent ?? 0) >= fullPercent || saysFull.test(detail),
  /** The Service leads to others: that members of a group do not find each other behind their own says nothing of it. */
  leadsToOthers: (effect, world, { ref }) => {
    const own = workloadOf(world, effect.subject.ref);
    return (
      kindOf(ref) !== 'Service' ||
      ![
        ...world.linked(ref, 'fronts', 'out', podsOfWorkload),
        ...world.linked(ref, 'selects', 'out', podsOfWorkload),
      ].some((one) => workloadOf(world, one) === own)
    );
  },
  /** A Service that the Pod depends on lost its last endpoint, and the cause is what stands behind it. */
  lacksWhatItNeeds,
  /** Nobody has started with it since, as far as the Pods say that use it and are newer than the failure. */
  helpsNobody: ({ since }, world, { ref }) => {
    for (const user of world.linked(ref, 'uses', 'in', podsOfWorkload)) {
      const pod = podView(world, user);
      if (pod && pod.createdAt >= since - leadMs && pod.containers.some(({ running }) => running)) return false;
    }
    return true;
  },
  /** None of the Pods of the workload is ready, by what these say themselves; of agents of Nodes only the one there is asked. */
  isDown: (_, world, { ref }) => {
    const workload = workloadOf(world, ref);
    return kindOf(workload) === 'DaemonSet' || isDownByItself(workload, world);
  },
  /** Of a route, it is itself refused, and not something that it leads to. */
  refusedByParent: ({ reason, facts }) => reason !== 'RouteNotAccepted' || facts.condition === 'Accepted',
  /** Of an API, who does not answer is there and has no endpoints: an answer that is wrong has other causes. */
  withoutEndpoints: ({ reason, facts }) =>
    reason !== 'APIServiceUnavailable' || emptyReasons.includes(facts.conditionReason),
  /** No workload behind the Service is down by itself: it may select nothing, or lead to the wrong port. */
  nothingBehind: ({ subject }, world, { ref }) =>
    !workloadsOf(ref, subject.ref, world).some((workload) => isDownByItself(workload, world)),
  /** Nothing else is behind the Service. */
  standsAlone: ({ subject }, world) => workloadsOf(subject.ref, subject.ref, world).length === 1,
  /** Most who mount volumes of the driver fail, on several Nodes. */
  failsForMost: (_, world, { ref }) => failsForMost(ref, world),
  /** The server serves, and was started anew shortly before. */
  startedAnew: (effect, world, { ref }) => startedAnew(effect, world, ref),
  /** Its Pods were created while nothing served the webhook. */
  madeWithout: (effect, world, { ref }) => madeWithout(effect, world, ref),
} as const satisfies Readonly<Record<string, Requirement>>;
