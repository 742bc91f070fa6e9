import { kindOf, type Ref } from '../../model/ref.ts';
import type { World } from '../../world/world.ts';
import type { Scene, Scorer } from './scorer.ts';

const sampleSize = 200;

/** Pods that still need the Node: finished ones and those on their way out do not count. */
function podsOn(world: World, node: Ref): number {
  let pods = 0;
  for (const ref of world.linked(node, 'runs-on', 'in', sampleSize)) {
    const view = world.get(ref);
    if (typeof view === 'object' && view.kind === 'Pod' && view.phase !== 'Succeeded' && view.phase !== 'Failed')
      pods += 1;
  }
  return pods;
}

function dependents(cause: Ref, { world, peers }: Scene): number {
  return kindOf(cause) === 'Node' ? podsOn(world, cause) : peers.of(cause).filter(({ isNew }) => isNew).length;
}

const memo = new WeakMap<readonly object[], number>();

/**
 * The share of the cause's dependents that fail. On a node a low share says nothing: the others may only not have been
 * noticed yet. Well Pods of the new revision speak against its release.
 */
export const coverage: Scorer = ({ cause, rule }, scene) => {
  if (!rule.coverage) return 0;
  const effects = scene.effectsOf(cause.key);
  let share = memo.get(effects);
  if (share === undefined) {
    const failing = new Set(effects.map(({ effect }) => effect.subject.ref)).size;
    const all = dependents(cause.ref, scene);
    share = all === 0 ? 0 : Math.min(1, failing / all);
    memo.set(effects, share);
  }
  return rule.via === 'owners' ? 2 * share - 1 : share;
};
