import type { Ref } from '../../model/ref.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfWorkload } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { unreadyOf } from '../evidence/requirement.ts';
import { podsOf } from '../evidence/workload.ts';
import type { Pair } from './bundle.ts';

/** Whether a network policy that selects what fails was edited just before, and can have cut it off. */
const isCutOff = ({ bundle }: Pair): boolean => bundle.pairs.some(({ rule }) => rule.requires?.isolated === 'itself');

/** Whether that holds of every workload that fails. */
function areAllCutOff(effects: readonly Pair[]): boolean {
  const cutOff = new Set(effects.filter(isCutOff).map(({ bundle }) => bundle.workload));
  return effects.every(({ bundle }) => cutOff.has(bundle.workload));
}

/** Whether several workloads fail on one Node alone, and each of them serves elsewhere. */
function areOfOneNode(effects: readonly Pair[], world: World): boolean {
  const workloads = new Set(effects.map(({ bundle }) => bundle.workload));
  if (workloads.size < 2) return false;
  const failing = effects.flatMap(({ effect }) => unreadyOf(effect, world));
  const [node, ...others] = new Set(failing.map((pod) => pod.node));
  if (node === undefined || others.length > 0) return false;
  const servesElsewhere = (workload: Ref): boolean =>
    podsOf(world, workload, podsOfWorkload).some((pod) => pod.node !== node && isReady(pod));
  return [...workloads].every(servesElsewhere);
}

/**
 * Whether those who get no answer have lost their own way out, so that it tells nothing of whom they call: all of them are selected by network
 * policies that were edited just before, or are on one Node while their siblings elsewhere get their answers.
 */
export const areCutOff = (effects: readonly Pair[], world: World): boolean =>
  areAllCutOff(effects) || areOfOneNode(effects, world);
