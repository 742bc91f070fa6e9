import type { Finding } from '../../model/finding.ts';
import type { Ref } from '../../model/ref.ts';
import { viewKindOf } from '../../world/reading/custom-resource.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import { fanOut } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { isWorkload, workloadOf } from '../evidence/workload.ts';
import type { RuleTable } from '../rules/rule-table.ts';

/** Links that lead from what stands before workloads to what stands behind it, the nearest first. */
const towards: readonly LinkType[] = ['attached-to', 'routes-to', 'calls', 'scales'];
const maxDepth = 3;

/**
 * The workloads behind the object of a finding that can be their doing: what an autoscaler scales, whose Pods a Service or
 * budget selects, what an Ingress leads to, what a custom resource keeps as it is in Git. None where no row says so, or nothing is behind it.
 */
export function workloadsBehind(finding: Finding, world: World, rules: RuleTable): readonly Ref[] {
  if (!rules.of(finding).followsWorkloads) return [];
  const found = new Set<Ref>();
  // Some are named and not linked, as the controller that is to take a finalizer off.
  for (const name of finding.names) if (isWorkload(viewKindOf(name))) found.add(workloadOf(world, name));
  let at: readonly Ref[] = [finding.subject.ref];
  for (let depth = 0; depth < maxDepth && at.length > 0; depth += 1) {
    const next: Ref[] = [];
    for (const ref of at) {
      for (const pod of world.linked(ref, 'selects', 'out', fanOut)) found.add(workloadOf(world, pod));
      for (const workload of world.linked(ref, 'fronts', 'out', fanOut)) found.add(workloadOf(world, workload));
      for (const one of world.linked(ref, 'manages', 'out', fanOut)) {
        found.add(workloadOf(world, one));
        next.push(one);
      }
      for (const type of towards)
        for (const target of world.linked(ref, type, 'out', fanOut)) {
          if (type === 'scales') found.add(workloadOf(world, target));
          else next.push(target);
        }
    }
    at = next.slice(0, fanOut);
  }
  return [...found];
}
