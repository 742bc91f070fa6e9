import { describeRef, kindOf, nameOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { ails, endedWithNode, isElsewhere, saysMachine } from '../evidence/node-ails.ts';
import {
  asksForAgent,
  asksItsMachine,
  bringsNetwork,
  failsForAgent,
  failsInZoneAlone,
  failsThereAlone,
  namedAgentsAreWell,
  pullsElsewhere,
  speaksOfAgent,
  waitsForAgent,
  waitsForImage,
} from '../evidence/one-node.ts';
import { maxPods, noticedLateMs, type Requirement } from '../evidence/requirement.ts';
import { saysOf } from '../evidence/says.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { podsOf, podView, workloadOf, workloadView } from '../evidence/workload.ts';

/** A lease is seen to be stale so long after its holder has gone (ms). */
const noticedMs = 120_000;
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

/** Whether anything that came to a Node has begun there since an instant (epoch milliseconds). */
function beginsThere(node: Ref, since: number, world: World): boolean {
  for (const other of world.linked(node, 'runs-on', 'in', podsOfNode)) {
    const pod = podView(world, other);
    if (pod && hasBegun(pod, since)) return true;
  }
  return false;
}

/** A Pod that has a Node and has begun nothing. */
const isHeldUp = ({ phase, node, deletionAt }: PodView): boolean =>
  phase === 'Pending' && node !== undefined && deletionAt === undefined;

/** Of Nodes, what runs on them and who places it there. */
export const ofNodes = {
  /** Nothing that came to the Node has begun there since, while a sibling that is as new has begun elsewhere. */
  startsNothing: ({ subject, since }, world, { ref }) => {
    const siblings = podsOf(world, workloadOf(world, subject.ref), maxPods);
    const elsewhere = siblings.some((pod) => pod.node !== nameOf(ref) && hasBegun(pod, since - noticedLateMs));
    return elsewhere && !beginsThere(ref, since, world);
  },
  /** Nothing that came to the Node has begun there since; siblings are up elsewhere, and none of them is new or held up. */
  beginsNothing: ({ subject, since }, world, { ref }) => {
    const siblings = podsOf(world, workloadOf(world, subject.ref), maxPods).filter((pod) => isElsewhere(pod, ref));
    if (siblings.some((pod) => isHeldUp(pod) || hasBegun(pod, since - noticedLateMs))) return false;
    return siblings.some(isReady) && !beginsThere(ref, since, world);
  },
  /** It is for every Node: there is one Pod of it on each. */
  isForEachNode: ({ subject }, world) => kindOf(workloadOf(world, subject.ref)) === 'DaemonSet',
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
  /** Other members of the same set serve elsewhere. */
  failsThereAsMember: (effect, world, { ref }) => failsThereAlone(effect, world, ref, ['StatefulSet']),
  /** The program says that it reaches nobody, and siblings from the same template serve in other zones. */
  failsInZoneAlone: (effect, world, { ref }) =>
    saysOf(effect, world).some(({ kind }) => unanswered.includes(kind)) && failsInZoneAlone(effect, world, ref),
  /** The agent brings all Pods of a machine their network or their names, or the program asks its own machine. */
  isServedByAgent: (effect, world, { ref }) => bringsNetwork(ref) || asksItsMachine(effect, world),
  /** A sibling that is as new has begun on another Node. */
  beganElsewhere: ({ subject, since }, world, { ref }) =>
    podsOf(world, workloadOf(world, subject.ref), maxPods).some(
      (pod) => isElsewhere(pod, ref) && hasBegun(pod, since - noticedLateMs),
    ),
  /** A sibling that is as new has its image elsewhere. */
  pullsElsewhere: (effect, world, { ref }) => pullsElsewhere(effect, world, ref),
  /** No sibling that is as new has its image on another Node: the registry gave it to nobody. */
  pullsNoBetterElsewhere: (effect, world) =>
    ![...world.linked(effect.subject.ref, 'runs-on', 'out', 1)].some((node) => pullsElsewhere(effect, world, node)),
  /** What the program needs is answered on its own machine. */
  failsForAgent: (effect, world, { ref }) => failsForAgent(effect, world, ref),
  /** It was asked for at a port of the machine itself that the agent opens. */
  asksForAgent: (effect, world, { ref }) => asksForAgent(effect, world, ref),
  /** It came to where Pods of the workload had been preempted. */
  preempts: ({ facts }, _, { ref }) => facts.preemptor === describeRef(ref),
  /** It is, or waits for, a Node that still has the mark of its start. */
  keepsItsMark: ({ subject, names }) => [subject.ref, ...names].some((ref) => kindOf(ref) === 'Node'),
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
  /** No Node has the labels that the Pods of one which is gone ask for. */
  goneForGood: ({ detail = '' }) => /^0\/(\d+) nodes are available: \1 node\(s\) didn't match/.test(detail),
  /** The killed container had no memory limit of its own to hit. */
  noMemoryLimit: (effect, world) => {
    const container = podView(world, effect.subject.ref)?.template.containers.find(({ name }) => name === effect.scope);
    return container !== undefined && container.memoryLimit === undefined;
  },
  /** A sibling that was made without a memory limit serves: the one that was given is what differs. */
  servesWithoutLimit: ({ subject, scope }, world) =>
    podsOf(world, workloadOf(world, subject.ref), maxPods).some(
      (pod) =>
        isReady(pod) &&
        pod.template.containers.some(({ name, memoryLimit }) => name === scope && memoryLimit === undefined),
    ),
  /** The Node has a file system that cannot be written, and what failed says that it could not write. */
  saysReadOnly: (effect, world, { finding }) =>
    ['ReadonlyFilesystem', 'FilesystemCorruptionProblem', 'XfsShutdown'].includes(finding?.scope ?? '') &&
    saysOf(effect, world).some(({ kind }) => kind === 'ReadOnlyFileSystem'),
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
} as const satisfies Readonly<Record<string, Requirement>>;
