import { kindOf, type Ref } from '../../model/ref.ts';
import type { NetworkPolicyView } from '../../world/kinds/network/network-policy.ts';
import { readySince } from '../../world/pods/readiness.ts';
import { directions } from '../../world/reading/direction.ts';
import type { World } from '../../world/view/world.ts';
import { fanOut, siblingsAsked } from '../evidence/bounds.ts';
import { type Requirement, unreadyOf } from '../evidence/requirement.ts';
import { servedMs } from '../evidence/served.ts';

function policyView(world: World, ref: Ref): NetworkPolicyView | undefined {
  const view = kindOf(ref) === 'NetworkPolicy' ? world.get(ref) : undefined;
  return typeof view === 'object' && view.kind === 'NetworkPolicy' ? view : undefined;
}

/**
 * Whether a new policy restricts what nobody did before it: policies add up, so that one more of a direction that others
 * restrict already can only let more through.
 */
function isolatesAnew(world: World, pod: Ref, policy: NetworkPolicyView): boolean {
  const older: NetworkPolicyView[] = [];
  for (const ref of world.linked(pod, 'selects', 'in', fanOut)) {
    const other = policyView(world, ref);
    if (other && other.createdAt < policy.createdAt) older.push(other);
  }
  return directions.some(
    (direction) => policy.allows[direction] && older.every(({ allows }) => allows[direction] === undefined),
  );
}

/** Of network policies. */
export const ofPolicies = {
  /** Whom the program calls was let in to until a network policy for them was edited. */
  shutOff: (effect, world, { ref, since, change }) => {
    const policy = policyView(world, ref);
    if (policy?.allows.ingress === undefined || effect.since < since) return false;
    const named = [effect.subject.ref, ...effect.names].filter((name) => kindOf(name) === 'Service');
    const called = named.flatMap((name) => [...world.linked(name, 'selects', 'out', siblingsAsked)]);
    return change?.field !== 'creation' || called.some((pod) => isolatesAnew(world, pod, policy));
  },
  /** Those whom the program calls are let in to by network policies only. */
  calledAreIsolated: (effect, world) =>
    effect.names
      .flatMap((name) => [...world.linked(name, 'selects', 'out', siblingsAsked)])
      .flatMap((pod) => [...world.linked(pod, 'selects', 'in', fanOut)])
      .some((by) => policyView(world, by)?.allows.ingress !== undefined),
  /** What fails served until a network policy was edited, has a network of its own, and the edit can have cut something off. */
  cutOff: (effect, world, { ref, since, change }) => {
    const policy = policyView(world, ref);
    const pods = unreadyOf(effect, world);
    if (!policy || pods.length === 0 || effect.since < since) return false;
    return pods.every((pod) => {
      if (pod.template.hostNetwork || pod.createdAt >= since) return false;
      const own = pod.ref === effect.subject.ref ? effect : { ...effect, since: readySince(pod) };
      const served = own.since < since ? undefined : servedMs(pod, own);
      if (served === undefined || served === 0) return false;
      return change?.field !== 'creation' || isolatesAnew(world, pod.ref, policy);
    });
  },
} as const satisfies Readonly<Record<string, Requirement>>;
