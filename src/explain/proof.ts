import type { Finding } from '../model/finding.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { World } from '../world/world.ts';
import type { Solved } from './group.ts';
import { scorers } from './scorers.ts';

/** What the scorer adds when every sibling that does not depend on the cause is well. */
const wholly = scorers.find(({ name }) => name === 'exclusivity')?.weight ?? 0;

/** Siblings that do not depend on the cause and are well. */
function contrast({ cause, pairs }: Solved): string | undefined {
  const judged = pairs.flatMap(({ added }) => added.exclusivity ?? []);
  if (cause === undefined || !judged.some((share) => share > 0)) return undefined;
  const all = judged.every((share) => share === wholly);
  if (!cause.change) return `${all ? 'Pods' : 'Most pods'} of the same workloads on other nodes are well.`;
  return all
    ? 'Only pods of the new revision fail; those of the old one are well.'
    : 'Most of the pods that fail are of the new revision.';
}

/** How much of what runs on a failing Node fails with it. */
function shareOfNode(root: Ref, members: readonly Finding[], world: World): string | undefined {
  if (kindOf(root) !== 'Node') return undefined;
  const pods = members.filter(({ subject }) => kindOf(subject.ref) === 'Pod').map(({ subject }) => subject.ref);
  const failing = new Set(pods).size;
  if (failing === 0) return undefined;
  const all = Math.max(failing, Iterator.from(world.linked(root, 'runs-on', 'in')).toArray().length);
  if (all === failing) return all === 1 ? 'It is the only pod on the node.' : 'Every pod on the node fails.';
  return `${failing} of the ${all} pods on the node ${failing === 1 ? 'fails' : 'fail'}.`;
}

/** What proves the cause beyond what the findings say themselves, as plain sentences, best first. */
export function proofOf(solved: Solved, members: readonly Finding[], world: World): string[] {
  return [shareOfNode(solved.root, members, world), contrast(solved)].filter((proof) => proof !== undefined);
}
