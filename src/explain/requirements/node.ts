import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import { leadMs, podsOfWorkload } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { directorsOf } from '../evidence/companions.ts';
import { familyOf } from '../evidence/families.ts';
import { ails, isElsewhere, saysMachine } from '../evidence/node-ails.ts';
import {
  asksForAgent,
  asksItsMachine,
  bringsNetwork,
  failsForAgent,
  failsInZoneAlone,
  failsThereAlone,
  isOfTheSystem,
  pullsElsewhere,
  speaksOfAgent,
  waitsForAgent,
} from '../evidence/one-node.ts';
import type { Requirements } from '../evidence/requirement.ts';
import { bringsVolumesOf } from '../evidence/volumes.ts';
import { podsOf, podView, workloadOf, workloadView } from '../evidence/workload.ts';

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

/** Nothing that came to the Node has begun there since, while siblings have begun or are up elsewhere, and none of them is held up. */
function beginsNothing(effect: Finding, world: World, node: Ref): boolean {
  const siblings = siblingsElsewhere(effect, world, node);
  return siblings.some(isReady) && !siblings.some(isHeldUp) && !beginsThere(node, effect.since, world);
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
export const ofNodes: Requirements<'alone' | 'ails' | 'agent' | 'servesUnlimited' | 'untended'> = {
  alone: (effect, world, { ref }, which) => {
    if (which === 'nowhere else') return !siblingsElsewhere(effect, world, ref).some(isHeldUp);
    if (kindOf(ref) === 'Zone') return failsInZoneAlone(effect, world, ref);
    if (isHeld(effect) && which === 'one')
      return isForEachNode(effect, world, ref) || isOfItsMachine(effect, world, ref);
    if (isHeld(effect)) return beginsNothing(effect, world, ref);
    if (familyOf(effect.reason) === 'image') return pullsElsewhere(effect, world, ref);
    if (which !== 'members') return failsThereAlone(effect, world, ref);
    // What every machine runs for all others fails on one for many a reason.
    const isOfSystem = isOfTheSystem(workloadOf(world, effect.subject.ref));
    return !isOfSystem && failsThereAlone(effect, world, ref, ['StatefulSet', 'DaemonSet']);
  },
  ails: (effect, world, { ref }) => ails(effect, world, ref),
  agent: (effect, world, { ref }, how) => {
    if (how === 'asked for')
      return speaksOfAgent(effect, world, ref) || asksForAgent(effect, world, ref) || waitsForAgent(effect, world, ref);
    if (how === 'serves') return failsForAgent(effect, world, ref) || bringsVolumesOf(effect, world, ref);
    if (kindOf(ref) !== 'DaemonSet') return directorsOf(effect, world).includes(ref);
    return bringsNetwork(ref) || asksItsMachine(effect, world);
  },
  servesUnlimited: ({ subject, scope }, world) =>
    podsOf(world, workloadOf(world, subject.ref), podsOfWorkload).some(
      (pod) =>
        isReady(pod) &&
        pod.template.containers.some(({ name, memoryLimit }) => name === scope && memoryLimit === undefined),
    ),
  untended: ({ subject }, world, { ref, since }) => {
    if (nameOf(ref) !== 'kube-scheduler') {
      const view = workloadView(world, subject.ref);
      return view !== undefined && (view.observedGeneration < view.generation || view.created < view.replicas);
    }
    const untouched = ({ node, phase, conditions, createdAt }: PodView): boolean =>
      node === undefined &&
      phase === 'Pending' &&
      createdAt >= since - leadMs &&
      !conditions.some(({ type }) => type === 'PodScheduled');
    return podsOf(world, subject.ref, podsOfWorkload).some(untouched);
  },
};
