import { isDenied } from '../../model/denied.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { secretsSaid } from '../../world/view/secret-files.ts';
import type { World } from '../../world/view/world.ts';
import { lacksWhatItNeeds, workloadsOf } from '../evidence/needs.ts';
import { maxPods, noticedLateMs, type Requirement, unreadyOf } from '../evidence/requirement.ts';
import { saysOf } from '../evidence/says.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { podsOf, podView, workloadOf, workloadView } from '../evidence/workload.ts';

/** What the API server says of an APIService whose Service has no endpoints, or is not there (`remote_available_controller.go`). */
const emptyReasons: readonly unknown[] = ['MissingEndpoints', 'EndpointsNotFound'];

/** From here on (percent in use) writing may fail: what is set aside for the system is no use to a Pod. */
const fullPercent = 97;
const saysFull = /no space left on device|disk quota exceeded|\bENOSPC\b/i;

/**
 * Whether a workload has Pods, none of them is ready, and their own containers say so: where a Node is gone, the last that it said of
 * them is that they are well.
 */
function isDownByItself(workload: Ref, world: World): boolean {
  const pods = podsOf(world, workload, maxPods).filter(({ deletionAt }) => deletionAt === undefined);
  return (
    (workloadView(world, workload)?.replicas ?? 0) > 0 &&
    pods.length > 0 &&
    pods.every((pod) => !isReady(pod) && pod.containers.some(({ ready }) => !ready))
  );
}

/** What programs say whom somebody knows as another, or as nobody. */
const notAllowed: readonly SignKind[] = ['AccessForbidden', 'CredentialsRejected', 'CredentialsMissing'];

/** What volume drivers report while their backend does not answer (CSI: gRPC status, and ABORTED while an earlier call is pending). */
const noAnswer =
  /deadline ?exceeded|timed? ?out|timeout|connection refused|unavailable|operation with the given volume .{0,200}already exists/i;

/** Of what a program needs, whom it calls and what it says. */
export const ofCalled = {
  /** A volume is full, or the effect says that it is, which was measured minutes ago. */
  nothingLeft: ({ detail = '' }, _, { finding }) =>
    Number(finding?.facts.percent ?? 0) >= fullPercent || saysFull.test(detail),
  /** The text is about a network, not about a volume. */
  isOfNetwork: ({ reason, detail = '' }) => reason === 'FailedCreatePodSandBox' || /sandbox|\bcni\b/i.test(detail),
  /** Pods of the workload do not serve, by what these say themselves. */
  hasFailing: (_, world, { ref }) =>
    podsOf(world, ref, maxPods).some((pod) => !isReady(pod) && pod.containers.some(({ ready }) => !ready)),
  /** The driver of a volume gets no answer in time, or still waits for that to an earlier call. */
  isNotAnswered: ({ detail = '' }) => noAnswer.test(detail),
  /** The driver of a volume has tried, and failed. */
  isAnswered: ({ detail = '' }) => !noAnswer.test(detail),
  /** The driver of a volume is not let in with what it has. */
  isDenied: ({ detail = '' }) => isDenied(detail),
  /** The Service leads to others: that members of a group do not find each other behind their own says nothing of it. */
  leadsToOthers: (effect, world, { ref }) => {
    const own = workloadOf(world, effect.subject.ref);
    return (
      kindOf(ref) !== 'Service' ||
      ![...world.linked(ref, 'fronts', 'out', maxPods), ...world.linked(ref, 'selects', 'out', maxPods)].some(
        (one) => workloadOf(world, one) === own,
      )
    );
  },
  /** A Service that the Pod depends on lost its last endpoint, and the cause is what stands behind it. */
  lacksWhatItNeeds,
  /** What the program says is of a file that it has from the Secret, or of the only settings that it is given. */
  isGivenBy: (effect, world, { ref }) =>
    saysOf(effect, world).some((sign) =>
      unreadyOf(effect, world).some((pod) => secretsSaid(sign, pod.ref, world).includes(ref)),
    ),
  /** What is named is there, and lacks a key. */
  asksForKey: ({ facts }) => facts.missingKey !== undefined,
  /** No image of a Pod with the Secret has been pulled since, as far as the Pods say that are newer than the failure. */
  pullsNowhere: ({ since }, world, { ref }) => {
    for (const user of world.linked(ref, 'uses', 'in', maxPods)) {
      const pod = podView(world, user);
      if (pod && pod.createdAt >= since - noticedLateMs && pod.containers.some(({ running }) => running)) return false;
    }
    return true;
  },
  /** None of the Pods of the workload is ready, by what these say themselves. */
  isDown: (_, world, { ref }) => isDownByItself(workloadOf(world, ref), world),
  /** A mount says that its file server does not answer. */
  asksForFiles: ({ facts }) => facts.serverSays !== undefined,
  /** The route itself is refused, and not something that it leads to. */
  refusedByParent: ({ facts }) => facts.condition === 'Accepted',
  /** Who does not answer is there and has no endpoints: an answer that is wrong has other causes. */
  withoutEndpoints: ({ reason, facts }) =>
    reason === 'WebhookNoEndpoints' || emptyReasons.includes(facts.conditionReason),
  /** The workload is to serve, and none of its Pods does, by what these say themselves. */
  doesNotServe: (_, world, { ref }) => isDownByItself(ref, world),
  /** No workload behind the Service is down by itself: it may select nothing, or lead to the wrong port. */
  nothingBehind: ({ subject }, world, { ref }) =>
    !workloadsOf(ref, subject.ref, world).some((workload) => isDownByItself(workload, world)),
  /** Who does not answer is not there. */
  withoutService: ({ reason, facts }) =>
    reason === 'WebhookBackendMissing' || facts.conditionReason === 'ServiceNotFound',
  /** What failed says that a certificate is why. */
  saysCertificate: (effect, world) =>
    /x509|certificate|\btls\b/i.test(effect.detail ?? '') ||
    saysOf(effect, world).some(({ kind }) => kind === 'CertificateInvalid'),
  /** The program itself says that whom it calls does not answer. */
  saysUnanswered: (effect, world) => saysOf(effect, world).some(({ kind }) => unanswered.includes(kind)),
  /** The program itself says that it may not do what it asks for, or is not let in. */
  saysNotAllowed: (effect, world) => saysOf(effect, world).some(({ kind }) => notAllowed.includes(kind)),
  /** Nothing else is behind the Service. */
  standsAlone: ({ subject }, world) => workloadsOf(subject.ref, subject.ref, world).length === 1,
  /** Whoever refuses has no connections left. */
  hasNoneLeft: ({ facts }) => facts.sign === 'TooManyConnections',
  /** The program itself says that it cannot resolve a name. */
  saysUnresolved: (effect, world) => saysOf(effect, world)[0]?.kind === 'NameNotResolved',
  /** The program says of a server that its certificate has expired, and not that it cannot tell whose it is. */
  saysExpired: (effect, world) =>
    saysOf(effect, world).some(
      ({ kind, line }) => kind === 'CertificateInvalid' && /\bexpired\b/i.test(line) && !/is before /.test(line),
    ),
} as const satisfies Readonly<Record<string, Requirement>>;
