import type { Finding } from '../model/finding.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { World } from '../world/world.ts';
import { isNewRevision } from './workload.ts';

/** Names of the guards a causal rule can ask for. */
export type GuardName = 'evicted' | 'noMemoryLimit' | 'newRevision';

function podOf(world: World, finding: Finding): PodView | undefined {
  const view = world.get(finding.subject.ref);
  return typeof view === 'object' && view.kind === 'Pod' ? view : undefined;
}

/** What must hold for an effect before a rule may apply. What is not known does not hold: unknown data never decides. */
export const guards: Readonly<Record<GuardName, (effect: Finding, world: World) => boolean>> = {
  /** The kubelet evicted the Pod. Some evicted Pods have no `status.reason`, hence the condition (KEP-3329). */
  evicted: (effect, world) => {
    const pod = podOf(world, effect);
    const disruption = pod?.conditions.find((condition) => condition.type === 'DisruptionTarget');
    return pod?.reason === 'Evicted' || (disruption?.status === 'True' && disruption.reason === 'TerminationByKubelet');
  },
  /** The killed container had no memory limit of its own to hit. */
  noMemoryLimit: (effect, world) => {
    const container = podOf(world, effect)?.template.containers.find(({ name }) => name === effect.scope);
    return container !== undefined && container.memoryLimit === undefined;
  },
  /** The Pod was made from the newest template of its workload. */
  newRevision: (effect, world) => {
    const pod = podOf(world, effect);
    return pod !== undefined && isNewRevision(world, pod);
  },
};
