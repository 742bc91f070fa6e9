import type { Finding } from '../model/finding.ts';
import { describeRef, kindOf, nameOf, type Ref } from '../model/ref.ts';
import { directions } from '../world/direction.ts';
import type { NetworkPolicyView } from '../world/kinds/network-policy.ts';
import type { PodView } from '../world/kinds/pod.ts';
import { isReady, readySince } from '../world/readiness.ts';
import { secretFilesIn } from '../world/secret-files.ts';
import type { World } from '../world/world.ts';
import type { Edit } from './edits.ts';
import { lacksWhatItNeeds, workloadsOf } from './needs.ts';
import { ails, endedWithNode, isElsewhere, saysMachine } from './node-ails.ts';
import {
  failsForAgent,
  failsThereAlone,
  namedAgentsAreWell,
  pullsElsewhere,
  speaksOfAgent,
  waitsForAgent,
  waitsForImage,
} from './one-node.ts';
import { saysOf } from './says.ts';
import { servedMs } from './served.ts';
import { lacksWhatWasTaken } from './taken.ts';
import { isNewRevision, podsOf, podView, workloadOf, workloadView } from './workload.ts';

/** Names of what a causal rule can require of a pair. */
export type RequirementName =
  | 'noMemoryLimit'
  | 'newRevision'
  | 'refusedByParent'
  | 'cutOff'
  | 'scaledToZero'
  | 'withoutEndpoints'
  | 'withoutService'
  | 'saysReadOnly'
  | 'doesNotServe'
  | 'nothingBehind'
  | 'nothingLeft'
  | 'asksForKey'
  | 'startsNothing'
  | 'failsThereOnly'
  | 'lacksRuntime'
  | 'lacksWhatItNeeds'
  | 'waitsForLeader'
  | 'saysCertificate'
  | 'unresolved'
  | 'saysUnresolved'
  | 'shutOff'
  | 'standsAlone'
  | 'hasGrown'
  | 'tookAway'
  | 'hasNoneLeft'
  | 'pullsNowhere'
  | 'goneForGood'
  | 'failsThereAlone'
  | 'pullsElsewhere'
  | 'pullsNoBetterElsewhere'
  | 'failsForAgent'
  | 'machineFails'
  | 'ails'
  | 'endedWithNode'
  | 'preempts'
  | 'saysTaint'
  | 'agentsAreWell'
  | 'speaksOfAgent'
  | 'waitsForAgent'
  | 'heldUntilThen'
  | 'heldForLong'
  | 'saysExpired'
  | 'calledAreIsolated'
  | 'isDown'
  | 'namesFileOf'
  | 'newAlone'
  | 'runs';

/** What the API server says of an APIService whose Service has no endpoints, or is not there (`remote_available_controller.go`). */
const emptyReasons: readonly unknown[] = ['MissingEndpoints', 'EndpointsNotFound'];

/** From here on (percent in use) writing may fail: what is set aside for the system is no use to a Pod. */
const fullPercent = 97;
const saysFull = /no space left on device|disk quota exceeded|\bENOSPC\b/i;

/** What may be the cause: an object, since when, and what was edited of it. */
type Suspect = {
  readonly ref: Ref;
  readonly since: number;
  readonly change?: Edit;
  readonly finding?: Finding;
  readonly endedAt?: number;
};

/** What served for so long (ms) did not fail by what it was given. */
const heldMs = 10 * 60_000;
/** Pods looked at per workload. */
const maxPods = 64;
/** Pods behind one Service that are looked at for the policies that select them. */
const maxCalled = 4;
/** A lease is seen to be stale so long after its holder has gone (ms). */
const noticedMs = 120_000;
/** Pods looked at per Node: kubelets take 110 by default, 250 at most in what clouds offer. */
const podsOfNode = 256;
/** What a kubelet cannot start is told of so long after it came (ms). */
const noticedLateMs = 60_000;
/** Network policies looked at per Pod. */
const maxPolicies = 32;

function policyView(world: World, ref: Ref): NetworkPolicyView | undefined {
  const view = kindOf(ref) === 'NetworkPolicy' ? world.get(ref) : undefined;
  return typeof view === 'object' && view.kind === 'NetworkPolicy' ? view : undefined;
}

/**
 * Whether a new policy restricts what nobody did before it: policies add up, so that one more of a direction that others
 * restrict already can only let more through.
 */
function isolatesAnew(world: World, pod: Ref, policy: NetworkPolicyView): boolean {
  const older: NetworkPolicyView[] = [];
  for (const ref of world.linked(pod, 'selects', 'in', maxPolicies)) {
    const other = policyView(world, ref);
    if (other && other.createdAt < policy.createdAt) older.push(other);
  }
  return directions.some(
    (direction) => policy.allows[direction] && older.every(({ allows }) => allows[direction] === undefined),
  );
}

/**
 * Whether a Pod with a network of its own began its first run since an instant (epoch milliseconds): what runs anew in a Pod that was
 * there before needs no new sandbox.
 */
function hasBegun({ createdAt, containers, template }: PodView, since: number): boolean {
  if (template.hostNetwork || createdAt < since - noticedLateMs) return false;
  return containers.some(({ running, terminated, last }) => {
    const startedAt = (last ?? terminated ?? running)?.startedAt;
    return startedAt !== undefined && startedAt >= since;
  });
}

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

/** The Pod of a finding, or those of its workload that do not serve. */
function unreadyOf({ subject }: Finding, world: World): readonly PodView[] {
  const own = podView(world, subject.ref);
  return own ? [own] : podsOf(world, subject.ref, maxPods).filter((pod) => !isReady(pod));
}

/** What must hold for an effect before a rule may apply. What is not known does not hold: unknown data never decides. */
export const requirements: Readonly<
  Record<RequirementName, (effect: Finding, world: World, suspect: Suspect) => boolean>
> = {
  /** A volume is full, or the effect says that it is, which was measured minutes ago. */
  nothingLeft: ({ detail = '' }, _, { finding }) =>
    Number(finding?.facts.percent ?? 0) >= fullPercent || saysFull.test(detail),
  /** A Service that the Pod depends on lost its last endpoint, and the cause is what stands behind it. */
  lacksWhatItNeeds,
  /** What the program says names a file that it has from the Secret. */
  namesFileOf: (effect, world, { ref }) =>
    saysOf(effect, world).some(({ line }) =>
      unreadyOf(effect, world).some((pod) => secretFilesIn(line, pod.ref, world).includes(ref)),
    ),
  /** What is named is there, and lacks a key. */
  asksForKey: ({ facts }) => facts.missingKey !== undefined,
  /** Nothing that came to the Node has begun there since, while a sibling that is as new has begun elsewhere. */
  startsNothing: ({ subject, since }, world, { ref }) => {
    const siblings = podsOf(world, workloadOf(world, subject.ref), maxPods);
    const elsewhere = siblings.some((pod) => pod.node !== nameOf(ref) && hasBegun(pod, since - noticedLateMs));
    if (!elsewhere) return false;
    for (const other of world.linked(ref, 'runs-on', 'in', podsOfNode)) {
      const pod = podView(world, other);
      if (pod && hasBegun(pod, since)) return false;
    }
    return true;
  },
  /** The text is of the machine itself, and no sibling is held up on another. */
  machineFails: ({ subject, detail = '' }, world, { ref }) =>
    saysMachine(detail) &&
    podsOf(world, workloadOf(world, subject.ref), maxPods).every(
      (pod) => !isElsewhere(pod, ref) || pod.phase !== 'Pending' || pod.deletionAt !== undefined,
    ),
  /** A monitor says that something is wrong with the Node. */
  ails: (effect, world, { ref }) => ails(effect, world, ref),
  /** Its container was gone with the Node when that was started anew. */
  endedWithNode: (effect, world) => endedWithNode(effect, world),
  /** The text says that the runtime of the Node does not answer, and not that it has no address left. */
  lacksRuntime: ({ facts }) => facts.sandboxCause === 'runtimeGone',
  /** No sibling on another Node is kept from its image: an image that is too large for every disk is not the Node's. */
  failsThereOnly: ({ subject }, world, { ref }) =>
    podsOf(world, workloadOf(world, subject.ref), maxPods).every(
      (pod) => pod.node === nameOf(ref) || !waitsForImage(pod),
    ),
  /** Siblings from the same template serve elsewhere. */
  failsThereAlone: (effect, world, { ref }) => failsThereAlone(effect, world, ref),
  /** A sibling that is as new has its image elsewhere. */
  pullsElsewhere: (effect, world, { ref }) => pullsElsewhere(effect, world, ref),
  /** No sibling that is as new has its image on another Node: the registry gave it to nobody. */
  pullsNoBetterElsewhere: (effect, world) =>
    ![...world.linked(effect.subject.ref, 'runs-on', 'out', 1)].some((node) => pullsElsewhere(effect, world, node)),
  /** What the program needs is answered on its own machine. */
  failsForAgent: (effect, world, { ref }) => failsForAgent(effect, world, ref),
  /** It came to where Pods of the workload had been preempted. */
  preempts: ({ facts }, _, { ref }) => facts.preemptor === describeRef(ref),
  /** All Nodes that it may go to have the same taint. */
  saysTaint: ({ facts }) => facts.taint !== undefined,
  /** The program speaks of the agent by the words of its name. */
  speaksOfAgent: (effect, world, { ref }) => speaksOfAgent(effect, world, ref),
  /** It waits in its start beside an agent of its namespace that fails. */
  waitsForAgent: (effect, world, { ref }) => waitsForAgent(effect, world, ref),
  /** The agents on the Node that the effect names have run on for a while: what fails there is not for want of them. */
  agentsAreWell: ({ subject, names, since }, world, { ref }) => {
    const nodes = kindOf(ref) === 'Node' ? [ref] : [...world.linked(subject.ref, 'runs-on', 'out', 1)];
    return nodes.every((node) => namedAgentsAreWell(names, since, world, node));
  },
  /** No image of a Pod with the Secret has been pulled since, as far as the Pods say that are newer than the failure. */
  pullsNowhere: ({ since }, world, { ref }) => {
    for (const user of world.linked(ref, 'uses', 'in', maxPods)) {
      const pod = podView(world, user);
      if (pod && pod.createdAt >= since - noticedLateMs && pod.containers.some(({ running }) => running)) return false;
    }
    return true;
  },
  /** The Node is not there any more, and no other has the labels that its Pods ask for. */
  goneForGood: ({ detail = '' }, world, { ref }) =>
    world.get(ref) === 'absent' && /^0\/(\d+) nodes are available: \1 node\(s\) didn't match/.test(detail),
  /** None of the Pods of the workload is ready, by what these say themselves. */
  isDown: (_, world, { ref }) => isDownByItself(workloadOf(world, ref), world),
  /** The killed container had no memory limit of its own to hit. */
  noMemoryLimit: (effect, world) => {
    const container = podView(world, effect.subject.ref)?.template.containers.find(({ name }) => name === effect.scope);
    return container !== undefined && container.memoryLimit === undefined;
  },
  /** The route itself is refused, and not something that it leads to. */
  refusedByParent: ({ facts }) => facts.condition === 'Accepted',
  /** The workload is to have no Pods, since it was edited. */
  scaledToZero: (_, world, { ref, change }) => workloadView(world, ref)?.replicas === 0 && change?.to === '0',
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
  /** Nothing else is behind the Service. */
  standsAlone: ({ subject }, world) => workloadsOf(subject.ref, subject.ref, world).length === 1,
  /** The program lacks what the edit took away: only such edits are asked. */
  tookAway: (effect, world, { change }) => change !== undefined && lacksWhatWasTaken(effect, world)(change),
  /** It has more replicas since it was edited. */
  hasGrown: (_, __, { change }) => Number(change?.to) > Number(change?.from),
  /** Whoever refuses has no connections left. */
  hasNoneLeft: ({ facts }) => facts.sign === 'TooManyConnections',
  /** The Node has a file system that cannot be written, and what failed says that it could not write. */
  saysReadOnly: (effect, world, { finding }) =>
    ['ReadonlyFilesystem', 'FilesystemCorruptionProblem', 'XfsShutdown'].includes(finding?.scope ?? '') &&
    saysOf(effect, world).some(({ kind }) => kind === 'ReadOnlyFileSystem'),
  /** The program itself says that it cannot resolve a name. */
  saysUnresolved: (effect, world) => saysOf(effect, world)[0]?.kind === 'NameNotResolved',
  /** Nobody can find the address of what fails. */
  unresolved: ({ facts }) => facts.sign === 'NameNotResolved',
  /** Whom the program calls was let in to until a network policy for them was edited. */
  shutOff: (effect, world, { ref, since, change }) => {
    const policy = policyView(world, ref);
    if (policy?.allows.ingress === undefined || effect.since < since) return false;
    const called = effect.names.flatMap((name) => [...world.linked(name, 'selects', 'out', maxCalled)]);
    return change?.field !== 'creation' || called.some((pod) => isolatesAnew(world, pod, policy));
  },
  /** What fails began to after the edit, and its Pods are older than that. */
  heldUntilThen: (effect, world, { since }) =>
    effect.since >= since && unreadyOf(effect, world).some((pod) => pod.createdAt < since),
  /** Pods that served with what they have for a while: what they are given did not change. */
  heldForLong: (effect, world) =>
    unreadyOf(effect, world).some((pod) => effect.since - pod.createdAt >= heldMs && (servedMs(pod, effect) ?? 1) > 0),
  /** The program says of a server that its certificate has expired, and not that it cannot tell whose it is. */
  saysExpired: (effect, world) =>
    saysOf(effect, world).some(
      ({ kind, line }) => kind === 'CertificateInvalid' && /\bexpired\b/i.test(line) && !/is before /.test(line),
    ),
  /** Those whom the program calls are let in to by network policies only. */
  calledAreIsolated: (effect, world) =>
    effect.names
      .flatMap((name) => [...world.linked(name, 'selects', 'out', maxCalled)])
      .flatMap((pod) => [...world.linked(pod, 'selects', 'in', maxPolicies)])
      .some((by) => policyView(world, by)?.allows.ingress !== undefined),
  /** All Pods of the workload run, are of its newest template, and none has ever been ready. */
  newAlone: (effect, world, { ref }) => {
    const pods = podsOf(world, ref, maxPods).filter(({ deletionAt }) => deletionAt === undefined);
    const isNew = (pod: PodView): boolean =>
      pod.phase === 'Running' && isNewRevision(world, pod) && servedMs(pod, effect) === 0;
    return pods.length > 0 && pods.every(isNew);
  },
  /** Its Pods that do not serve run. */
  runs: (effect, world) => unreadyOf(effect, world).every(({ phase }) => phase === 'Running'),
  /** The Pod was made from the newest template of its workload. */
  newRevision: (effect, world) => {
    const pod = podView(world, effect.subject.ref);
    return pod !== undefined && isNewRevision(world, pod);
  },
  /** Pods of it wait for a scheduler that leads, or it for a controller manager: nothing has been done about it since. */
  waitsForLeader: ({ subject }, world, { ref, since }) => {
    if (nameOf(ref) !== 'kube-scheduler') {
      const view = workloadView(world, subject.ref);
      return view !== undefined && (view.observedGeneration < view.generation || view.created < view.replicas);
    }
    const untouched = ({ node, phase, conditions, createdAt }: PodView): boolean =>
      node === undefined &&
      phase === 'Pending' &&
      createdAt >= since - noticedMs &&
      !conditions.some(({ type }) => type === 'PodScheduled');
    return podsOf(world, subject.ref, maxPods).some(untouched);
  },
  /** What fails served until a network policy was edited, has a network of its own, and the edit can have cut something off. */
  cutOff: (effect, world, { ref, since, change }) => {
    const policy = policyView(world, ref);
    const pods = unreadyOf(effect, world);
    if (!policy || pods.length === 0 || effect.since < since) return false;
    return pods.every((pod) => {
      if (pod.template.hostNetwork || pod.createdAt >= since) return false;
      const own = pod.ref === effect.subject.ref ? effect : { ...effect, since: readySince(pod) };
      const served = own.since < since ? undefined : servedMs(pod, own);
      if (served === undefined || served === 0) return false;
      return change?.field !== 'creation' || isolatesAnew(world, pod.ref, policy);
    });
  },
};
