import type { Finding } from '../model/finding.ts';
import { kindOf } from '../model/ref.ts';
import type { World } from '../world/world.ts';
import type { Solved } from './solved.ts';

/** Sentences kept: people read two or three. */
const maxProof = 4;

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function objects(findings: readonly Finding[], kind: string): number {
  return new Set(findings.filter(({ subject }) => kindOf(subject.ref) === kind).map(({ subject }) => subject.ref)).size;
}

/** Siblings that do not depend on the cause and are well. */
function contrast({ cause, pairs }: Solved): string | undefined {
  const clear = pairs.some(({ added }) => (added.exclusivity ?? 0) > 0);
  if (!clear || cause === undefined) return undefined;
  return cause.change
    ? 'Only Pods of the new revision fail; those of the old one are well.'
    : 'Pods of the same workloads elsewhere are well.';
}

/** Facts that prove the cause, as plain sentences, best first. */
export function proofOf(solved: Solved, members: readonly Finding[], world: World): string[] {
  const { root, cause, pairs } = solved;
  const own = members.filter(({ subject }) => subject.ref === root);
  const others = members.filter(({ subject }) => subject.ref !== root);
  const proof: string[] = own.map(({ message }) => message);
  if (own.length === 0 && cause?.finding) proof.push(cause.finding.message);
  const pods = objects(others, 'Pod');
  if (kindOf(root) === 'Node' && pods > 0) {
    let onNode = 0;
    for (const _ of world.linked(root, 'runs-on', 'in')) onNode += 1;
    proof.push(`${pods} of ${plural(Math.max(onNode, pods), 'Pod')} on the Node ${pods === 1 ? 'is' : 'are'} failing.`);
  }
  const difference = contrast(solved);
  if (difference !== undefined) proof.push(difference);
  if (pairs.some(({ added }) => (added.specificity ?? 0) > 0) && kindOf(root) !== 'Node')
    proof.push('The failing objects name it in their own messages.');
  const [sample] = others;
  if (kindOf(root) !== 'Node' && sample) proof.push(sample.message);
  return [...new Set(proof)].slice(0, maxProof);
}
