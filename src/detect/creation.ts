import { isDenied } from '../model/denied.ts';
import { describeRef, namespaceOf, type Ref, refOf } from '../model/ref.ts';
import { given } from '../world/fields.ts';
import type { EventView } from '../world/kinds/event.ts';
import type { ContainerState, PodView } from '../world/kinds/pod.ts';
import type { ObservedWorld } from '../world/world.ts';
import { lacksAddress, rangesOf } from './addresses.ts';
import { conditionOf } from './conditions.ts';
import {
  type Container,
  containerFacts,
  containersOf,
  eachContainer,
  facet,
  judgesPods,
  podExemptions,
} from './containers.ts';
import { type Detector, detector, type Problem } from './detector.ts';
import { driverAgentsOf, driverSecretsOf } from './driver-agent.ts';
import { nodeNamed } from './exemptions.ts';
import { youngUntil } from './fleet.ts';
import { missingCustom } from './missing.ts';
import { missingSeconds, mountProblem, troubleSeconds } from './mount-problem.ts';
import { agentsOf, lacksAgent } from './network-agent.ts';
import { evidenceMs, lastTold, toldSince } from './told.ts';
import { startPatience } from './usual-start.ts';

/** The drivers and the network of a new Node start after it does. */
const youngNodeSeconds = 300;
/** A large image may be on its way for so long. */
const pullSeconds = 1800;

const mountReasons = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume'] as const;
const sandboxReasons = ['FailedCreatePodSandBox', 'NetworkNotReady'] as const;

/** Whether nothing of a container has run yet. */
function isUntried({ running, terminated, last }: ContainerState): boolean {
  return running === undefined && terminated === undefined && last === undefined;
}

/** Whether a container waits for what its Pod needs before anything of it can run. */
function isHeldUp(pod: PodView, { waiting }: ContainerState): boolean {
  if (waiting?.reason === 'ContainerCreating') return true;
  // With init containers all of them say so until the volumes are there.
  return waiting?.reason === 'PodInitializing' && pod.containers.every(isUntried);
}

/** Since when a Pod has been on its Node and nothing of it could be made; `undefined` where that is not so. */
function heldUpSince(pod: PodView, world: ObservedWorld): number | undefined {
  const first = containersOf(pod).find(({ state }) => isHeldUp(pod, state));
  if (pod.phase !== 'Pending' || pod.node === undefined || !first) return undefined;
  return world.since(pod.ref, facet(first, `waiting/${first.state.waiting?.reason}`));
}

/**
 * What a kubelet tells of volumes or of the network of a Pod that it cannot start. An Event does not clear by its age: as long as the Pod
 * is held up and the last that was told of it is this, it is still so.
 */
function obstacle(pod: PodView, reasons: readonly string[], world: ObservedWorld, now: number) {
  const began = heldUpSince(pod, world);
  if (began === undefined) return undefined;
  const last = world.events(pod.ref).at(-1);
  if (last && reasons.includes(last.reason) && last.lastAt >= began) return { began, event: last };
  const event = lastTold(pod.ref, { reasons }, world, now);
  return event && { began, event, lookAgainAt: event.lastAt + evidenceMs };
}

/** Whether the Node was young when the trouble began: how long to wait does not change while it is waited. */
function beganOnYoungNode(pod: PodView, world: ObservedWorld, since: number): boolean {
  const node = nodeNamed(world, pod.node);
  return typeof node === 'object' && youngUntil(node) > since;
}

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
  settle: 'waits',
  exemptions: podExemptions,
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

/** What texts of a sandbox that cannot be made are about, besides addresses (containerd, CRI-O). */
const sandboxCauses: readonly (readonly [cause: string, pattern: RegExp])[] = [
  [
    'runtime',
    /no runtime for "[^"]*" is configured|(?:failed to find|unknown) runtime handler|RuntimeHandler "[^"]*" not supported/i,
  ],
  // Its socket refuses, or is not there: who serves every Pod of the Node does not run.
  ['runtimeGone', /dial unix \S{0,80}\b(?:containerd|crio|cri-dockerd)\S{0,20}\.sock: connect:/i],
  ['network', /\bcni\b|network|NetworkPlugin/i],
];

function sandboxCause({ message }: EventView): string | undefined {
  return lacksAddress(message) ? 'addresses' : sandboxCauses.find(([, pattern]) => pattern.test(message))?.[0];
}

/** Who has to do with it that a sandbox cannot be made, as far as its text tells. */
function obstructors(cause: string | undefined, pod: PodView, event: EventView, world: ObservedWorld): readonly Ref[] {
  if (cause === 'addresses') return rangesOf(pod, world);
  if (cause === 'network') return agentsOf(pod, event, world);
  return cause === 'runtimeGone' && pod.node !== undefined ? [refOf('Node', '', pod.node)] : [];
}

const failedSandbox = detector({
  ...judgesPods,
  id: 'P11',
  reasons: [{ reason: 'FailedCreatePodSandBox', family: 'start', sure: 'unknown' }],
  severity: 'high',
  forSeconds: troubleSeconds,
  settle: 'waits',
  exemptions: podExemptions,
  source:
    'Events FailedCreatePodSandBox and NetworkNotReady; core/v1 Pod condition PodReadyToStartContainers (kubelet kuberuntime_manager.go)',
  predicate:
    'the sandbox of a Pod, which is its network and its cgroup, cannot be made for 60 s (15 s where its RuntimeClass names a handler that the Node does not have, 5 min on a new Node)',
  clears: 'PodReadyToStartContainers is True, or a container of it was made',
  symptom: 'start',
  patience: '60 s: the second attempt mostly succeeds; 5 min on a Node whose network still starts',
  isNot: 'one sandbox that failed and was made anew; a Node that boots',
  judge: (pod, world, now) => {
    if (conditionOf(pod, 'PodReadyToStartContainers')?.status === 'True') return false;
    const held = obstacle(pod, sandboxReasons, world, now);
    if (!held) return false;
    const { event, began, lookAgainAt } = held;
    const said = sandboxCause(event);
    // Who gives out addresses and does not run has none left to give.
    const cause = said === 'addresses' && lacksAgent(pod, event, world) ? 'network' : said;
    const names = obstructors(cause, pod, event, world);
    const never = cause === 'runtime';
    const since = toldSince(event, began);
    return {
      since,
      forSeconds: never ? 15 : beganOnYoungNode(pod, world, since) ? youngNodeSeconds : troubleSeconds,
      settle: never ? 'conclusive' : 'waits',
      facts: given({
        node: pod.node,
        sandboxCause: cause,
        runtimeClass: never ? pod.template.runtimeClass : undefined,
      }),
      detail: event.message,
      names,
      ...given({ lookAgainAt }),
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
  settle: 'waits',
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
