import { isDenied } from '../../model/denied.ts';
import { describeRef, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Container, containerFacts, eachContainer, facet, judgesPods, podExemptions } from '../kit/containers.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { driverAgentsOf, driverSecretsOf } from '../kit/driver-agent.ts';
import { missingCustom } from '../kit/missing.ts';
import { lastTold, toldSince } from '../kit/told.ts';
import { startPatience } from '../kit/usual-start.ts';
import { agentsOf } from '../nodes/network-agent.ts';
import { beganOnYoungNode, isHeldUp, obstacle, youngNodeSeconds } from './held-up.ts';
import { missingSeconds, mountProblem, troubleSeconds } from './mount-problem.ts';
import { failedSandbox, sandboxCause, sandboxReasons } from './sandbox.ts';

/** A large image may be on its way for so long. */
const pullSeconds = 1800;

const mountReasons = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume'] as const;

const failedMount = detector({
  ...judgesPods,
  id: 'P10',
  reasons: [
    { reason: 'FailedMount', family: 'start', sure: 'unknown' },
    { reason: 'FailedAttachVolume', family: 'start', sure: 'unknown' },
    { reason: 'FailedMapVolume', family: 'start', sure: 'unknown' },
  ],
  severity: 'high',
  forSeconds: troubleSeconds,
  source:
    'Events FailedMount, FailedAttachVolume and FailedMapVolume of a Pod whose containers wait in ContainerCreating (kubelet operationexecutor, attach-detach controller)',
  predicate:
    'a volume of a Pod cannot be attached or mounted for 60 s (30 s where an object or key does not exist or the file system is damaged, 3 min where it is still attached elsewhere to what is going, 5 min on a new Node)',
  clears: 'a container of it was made',
  symptom: 'start',
  patience:
    '60 s: first attempts fail while volumes are attached or caches are filled; 3 min where another Node still has the volume',
  isNot:
    'a volume that comes at the second attempt; a Pod that moves with its volume; the drivers of a Node that boots',
  judge: (pod, world, now) => {
    const held = obstacle(pod, mountReasons, world, now);
    if (!held) return false;
    const { event, began, lookAgainAt } = held;
    const problem = mountProblem(pod, event, world);
    const since = toldSince(event, began);
    const waits = problem.forSeconds ?? (beganOnYoungNode(pod, world, since) ? youngNodeSeconds : troubleSeconds);
    const reason = mountReasons.find((each) => each === event.reason) ?? 'FailedMount';
    return {
      ...problem,
      ...{ reason, since, forSeconds: waits },
      ...{ detail: event.message, ...given({ lookAgainAt }) },
    };
  },
});

/** Whether the kubelet pulls the image of a container, as far as it told. */
function isPulling(pod: PodView, container: string, world: ObservedWorld, now: number): boolean {
  const told = { reasons: ['Pulling', 'Pulled', 'Failed', 'BackOff'], container, after: now - pullSeconds * 1000 };
  return lastTold(pod.ref, told, world, now)?.reason === 'Pulling';
}

/** How long containers may be in the making without a word. */
const creatingSeconds = 600;

const containerCreating = detector({
  ...judgesPods,
  id: 'P12',
  reasons: [{ reason: 'ContainerCreating', family: 'start', sure: 'unknown' }],
  reads: ['Node', 'ConfigMap'],
  severity: 'medium',
  forSeconds: creatingSeconds,
  exemptions: [...podExemptions, 'leavingNode', 'wakeUp'],
  source:
    'core/v1 ContainerStateWaiting.reason ContainerCreating, PodInitializing; the ConfigMaps that the Pod names; Events Pulling and Pulled',
  predicate:
    'a container is being created for 10 min and nothing says why (30 min while its image is pulled), or for 30 s while a ConfigMap that the Pod needs does not exist (high)',
  clears: 'it runs, or a better reason is known',
  symptom: 'start',
  patience:
    '10 min, and 30 min while the kubelet says that it pulls, as large images take long; up to 30 min where its workload always takes longer (Pro)',
  isNot: 'a first pull of a large image; a container whose init containers still run; many Nodes that come at once',
  judge: (pod, world, now) => {
    if (obstacle(pod, [...mountReasons, ...sandboxReasons], world, now)) return false;
    const missing = missingConfigMap(pod, world);
    return eachContainer(pod, (container) => {
      const { waiting, name } = container.state;
      const isCreating = waiting?.reason === 'ContainerCreating';
      if (!isCreating && !(missing !== undefined && isHeldUp(pod, container.state))) return false;
      return {
        scope: name,
        since: world.since(pod.ref, facet(container, `waiting/${waiting?.reason}`)),
        forSeconds: startPatience(pod, world, creatingSeconds, pullSeconds),
        ...creationProblem(pod, container, missing, isPulling(pod, name, world, now)),
        ...(missing === undefined && lastSaid(pod, world)),
      };
    });
  },
});

/** What its kubelet spoke of last, as long as that is remembered, and whom: agents of the network or of the driver, or what it did not find. */
function lastSaid(pod: PodView, world: ObservedWorld): Pick<Problem, 'detail' | 'names'> {
  const told: readonly string[] = [...mountReasons, ...sandboxReasons];
  const said = world.events(pod.ref).findLast(({ reason }) => told.includes(reason));
  if (said === undefined) return {};
  const { reason, message: detail } = said;
  if (mountReasons.some((each) => each === reason)) {
    const custom = missingCustom(detail, namespaceOf(pod.ref));
    const secrets = isDenied(detail) ? driverSecretsOf(pod, world) : [];
    return { detail, names: custom ? [custom] : [...driverAgentsOf(pod, detail, world), ...secrets] };
  }
  return { detail, names: sandboxCause(said) === 'network' ? agentsOf(pod, said, world) : [] };
}

/** A ConfigMap that the Pod cannot start without, mostly as a volume, and that is known not to exist. */
export function missingConfigMap(pod: PodView, world: ObservedWorld): Ref | undefined {
  const needed = pod.template.configMaps.map((name) => refOf('ConfigMap', namespaceOf(pod.ref), name));
  return needed.find((ref) => world.get(ref) === 'absent');
}

function creationProblem(
  pod: PodView,
  container: Container,
  missing: Ref | undefined,
  pulling: boolean,
): Omit<Problem, 'since'> {
  const facts = containerFacts(pod, container);
  if (missing === undefined)
    return pulling ? { forSeconds: pullSeconds, facts: { ...facts, pulling: 'image' } } : { facts };
  return {
    ...{ forSeconds: missingSeconds, severity: 'high', settle: 'conclusive' },
    facts: { ...facts, missing: describeRef(missing) },
    names: [missing],
  };
}

/** Pods whose containers cannot be made for want of what they need, in the order of the catalogue. */
export const creationDetectors: readonly Detector[] = [failedMount, failedSandbox, containerCreating];
