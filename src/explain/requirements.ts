import type { Finding } from '../model/finding.ts';
import type { World } from '../world/world.ts';
import { isNewRevision, podView } from './workload.ts';

/** Names of what a causal rule can require of a pair. */
export type RequirementName = 'noMemoryLimit' | 'newRevision' | 'refusedByParent';

/** What must hold for an effect before a rule may apply. What is not known does not hold: unknown data never decides. */
export const requirements: Readonly<Record<RequirementName, (effect: Finding, world: World) => boolean>> = {
  /** The killed container had no memory limit of its own to hit. */
  noMemoryLimit: (effect, world) => {
    const container = podView(world, effect.subject.ref)?.template.containers.find(({ name }) => name === effect.scope);
    return container !== undefined && container.memoryLimit === undefined;
  },
  /** The route itself is refused, and not something that it leads to. */
  refusedByParent: ({ facts }) => facts.condition === 'Accepted',
  /** The Pod was made from the newest template of its workload. */
  newRevision: (effect, world) => {
    const pod = podView(world, effect.subject.ref);
    return pod !== undefined && isNewRevision(world, pod);
  },
};
