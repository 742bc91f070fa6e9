import type { Finding } from '../../model/finding.ts';
import { describeRef, kindOf, nameOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { leadMs, podsOfWorkload } from '../evidence/bounds.ts';
import { familyOf } from '../evidence/families.ts';
import { ails, endedWithNode, isElsewhere, saysMachine } from '../evidence/node-ails.ts';
import {
  asksForAgent,
  failsForAgent,
  failsInZoneAlone,
  failsThereAlone,
  isOfTheSystem,
  namedAgentsAreWell,
  pullsElsewhere,
  speaksOfAgent,
  waitsForAgent,
} from '../evidence/one-node.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { bringsVolumesOf } from '../evidence/volumes.ts';
import { podsOf, podView, workloadOf, workloadView } from '../evidence/workload.ts';

/** A lease is seen to be stale so long after its holder has gone (ms). */
const noticedMs = 120_000;
/**
 * Whether a Pod with a network of its own began its first run since an instant (epoch milliseconds): what runs anew in a Pod that was
 * there before needs no new sandbox.
 */
function hasBegun({ createdAt, containers, template }: PodView, since: number): boolean {
  if (template.hostNetwork || createdAt < since - leadMs) return false;
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

/** Whether what fails waits for its sandbox. */
const isHeld = ({ reason }: Finding): boolean => reason === 'FailedCreatePodSandBox' || reason === 'ContainerCreating';

/** The Pods of the workload of a finding that are on other Nodes. */
const siblingsElsewhere = ({ subject }: Finding, world: World, node: Ref): readonly PodView[] =>
  podsOf(world, workloadOf(world, subject.ref), podsOfWorkload).filter((pod) => isElsewhere(pod, node));

/** Nothing that came to the Node has begun there since; siblings are up elsewhere, and none of them is new or held up. */
function beginsNothing(effect: Finding, world: World, node: Ref): boolean {
  const siblings = siblingsElsewhere(effect, world, node);
  if (siblings.some((pod) => isHeldUp(pod) || hasBegun(pod, effect.since - leadMs))) return false;
  return siblings.some(isReady) && !beginsThere(node, effect.since, world);
}

/** It is of a DaemonSet, whose other Pods are up. */
const isForEachNode = (effect: Finding, world: World, node: Ref): boolean =>
  kindOf(workloadOf(world, effect.subject.ref)) === 'DaemonSet' && beginsNothing(effect, world, node);

/** The text is of the machine itself, a sibling that is as new has begun elsewhere, and none is held up there. */
function isOfItsMachine(effect: Finding, world: World, node: Ref): boolean {
  const siblings = siblingsElsewhere(effect, world, node);
  return (
    saysMachine(effect.detail ?? '') &&
    siblings.every((pod) => pod.phase !== 'Pending' || pod.deletionAt !== undefined) &&
    siblings.some((pod) => hasBegun(pod, effect.since - leadMs))
  );
}

/** Of Nodes, what runs on them and who places it there. */
export const ofNodes = {
  /** Nothing that came to the Node has begun there since, while a sibling that is as new has begun elsewhere. */
  startsNothing: ({ subject, since }, world, { ref }) => {
    const siblings = podsOf(world, workloadOf(world, subject.ref), podsOfWorkload);
    const elsewhere = siblings.some((pod) => pod.node !== nameOf(ref) && hasBegun(pod, since - leadMs));
    return elsewhere && !beginsThere(ref, since, world);
  },
  /** The sandbox fails by its Node: it is for every Node and begins on the others, or its machine fails and it began elsewhere. */
  isOfItsNode: (effect, world, { ref }) => isForEachNode(effect, world, ref) || isOfItsMachine(effect, world, ref),
  /** A monitor says that something is wrong with the Node. */
  ails: (effect, world, { ref }) => ails(effect, world, ref),
  /** Its container was gone with the Node when that was started anew. */
  endedWithNode: (effect, world) => endedWithNode(effect, world),
  /** No sibling is held up on another Node as well: what all lack is not the Node's; a sandbox is, where its runtime does not answer. */
  failsThereOnly: ({ subject, reason, facts }, world, { ref }) =>
    (reason !== 'FailedCreatePodSandBox' || facts.sandboxCause === 'runtimeGone') &&
    podsOf(world, workloadOf(world, subject.ref), podsOfWorkload).every(
      (pod) => !isElsewhere(pod, ref) || !isHeldUp(pod),
    ),
  /** Siblings from the same template serve on other Nodes, or in other zones; of what waits they begin there, or have their images. */
  failsThereAlone: (effect, world, { ref }) => {
    if (kindOf(ref) === 'Zone') return failsInZoneAlone(effect, world, ref);
    if (isHeld(effect)) return beginsNothing(effect, world, ref);
    return familyOf(effect.reason) === 'image'
      ? pullsElsewhere(effect, world, ref)
      : failsThereAlone(effect, world, ref);
  },
  /** Other members of the same set serve elsewhere, and it is nothing that all on the machine need. */
  failsThereAsMember: (effect, world, { ref }) =>
    failsThereAlone(effect, world, ref, ['StatefulSet', 'DaemonSet']) &&
    !isOfTheSystem(workloadOf(world, effect.subject.ref)),
  /** Who fails asks for the agent: by the words of its name, at a port that it opens on the machine, or by waiting in its start for it. */
  asksForAgent: (effect, world, { ref }) =>
    speaksOfAgent(effect, world, ref) || asksForAgent(effect, world, ref) || waitsForAgent(effect, world, ref),
  /** The agent serves on its machine what the program needs, or brings the volumes that it mounts. */
  isServedByAgent: (effect, world, { ref }) => failsForAgent(effect, world, ref) || bringsVolumesOf(effect, world, ref),
  /** It came to where Pods of the workload had been preempted. */
  preempts: ({ facts }, _, { ref }) => facts.preemptor === describeRef(ref),
  /** The agents on the Node that the effect names have run on for a while: what fails there is not for want of them. */
  agentsAreWell: ({ subject, names, since }, world, { ref }) => {
    const nodes = kindOf(ref) === 'Node' ? [ref] : [...world.linked(subject.ref, 'runs-on', 'out', 1)];
    return nodes.every((node) => namedAgentsAreWell(names, since, world, node));
  },
  /** The killed container had no memory limit of its own to hit. */
  noMemoryLimit: (effect, world) => {
    const container = podView(world, effect.subject.ref)?.template.containers.find(({ name }) => name === effect.scope);
    return container !== undefined && container.memoryLimit === undefined;
  },
  /** A sibling that was made without a memory limit serves: the one that was given is what differs. */
  servesWithoutLimit: ({ subject, scope }, world) =>
    podsOf(world, workloadOf(world, subject.ref), podsOfWorkload).some(
      (pod) =>
        isReady(pod) &&
        pod.template.containers.some(({ name, memoryLimit }) => name === scope && memoryLimit === undefined),
    ),
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
    return podsOf(world, subject.ref, podsOfWorkload).some(untouched);
  },
} as const satisfies Readonly<Record<string, Requirement>>;
