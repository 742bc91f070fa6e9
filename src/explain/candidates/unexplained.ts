import type { Explanation } from '../../model/explanation.ts';
import { type Finding, findingKey } from '../../model/finding.ts';
import { worse } from '../../model/severity.ts';
import type { Bundle } from './bundle.ts';

/**
 * What is told of findings whose causes could not be looked for: what was known of them before, as far as they hold, and each other
 * bundle as it is. No finding is left out, and none is told as over.
 */
export function unexplained(bundles: readonly Bundle[], before: Iterable<Explanation>): Explanation[] {
  const holding = new Map<string, Finding>();
  for (const { members } of bundles) for (const finding of members) holding.set(findingKey(finding), finding);
  const known: Explanation[] = [];
  for (const explanation of before) {
    const members = explanation.members.flatMap((finding) => {
      const key = findingKey(finding);
      const current = holding.get(key);
      holding.delete(key);
      return current ?? [];
    });
    if (members.length > 0) known.push({ ...explanation, members });
  }
  const rest = bundles.flatMap(({ workload, members }) => {
    const left = members.filter((finding) => holding.has(findingKey(finding)));
    const [first, ...others] = left;
    return first ? [asItIs(workload, [first, ...others])] : [];
  });
  return [...known, ...rest];
}

function asItIs(workload: Explanation['workloads'][number], members: readonly [Finding, ...Finding[]]): Explanation {
  const [first] = members;
  const { subject, reason } = first;
  const root = members.length === 1 ? subject : { ref: workload, labels: subject.labels };
  const affected = members.map((finding) => finding.subject).filter(({ ref }) => ref !== root.ref);
  return {
    ...{ root, reason, members, affected, workloads: [workload], confidence: 'unknown', proof: [] },
    severity: members.reduce((worst, finding) => worse(worst, finding.severity), first.severity),
    trace: [
      { rule: 'set-aside', about: root.ref, says: 'its causes could not be looked for: a fault of Tocsin itself' },
    ],
  };
}
