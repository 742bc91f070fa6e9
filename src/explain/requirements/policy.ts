import type { Finding } from '../../model/finding.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { NetworkPolicyView } from '../../world/kinds/network/network-policy.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { readySince } from '../../world/pods/readiness.ts';
import { directions } from '../../world/reading/direction.ts';
import { fanOut, siblingsAsked } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import type { Requirements } from '../evidence/requirement.ts';
import { servedMs } from '../evidence/served.ts';
import { podView, unreadyOf } from '../evidence/workload.ts';

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

/** The Pods that a finding is about, or those that it calls. */
const concerned = (effect: Finding, whose: 'itself' | 'called', world: World): readonly PodView[] =>
  whose === 'itself'
    ? unreadyOf(effect, world)
    : [effect.subject.ref, ...effect.names]
        .filter((name) => kindOf(name) === 'Service')
        .flatMap((service) => [...world.linked(service, 'selects', 'out', siblingsAsked)])
        .flatMap((pod) => podView(world, pod) ?? []);

/** Whether a policy decides whom a Pod is reached by. */
const isShut = (pod: Ref, world: World): boolean =>
  Iterator.from(world.linked(pod, 'selects', 'in', fanOut)).some(
    (by) => policyView(world, by)?.allows.ingress !== undefined,
  );

/** Of network policies. */
export const ofPolicies: Requirements<'isolated'> = {
  isolated: (effect, world, { ref, since, change }, whose) => {
    const pods = concerned(effect, whose, world);
    const policy = policyView(world, ref);
    // By what else may be edited, as labels of a namespace, policies that are there let somebody in or not.
    if (policy === undefined) return pods.some((pod) => isShut(pod.ref, world));
    if (effect.since < since) return false;
    const isNew = (pod: PodView): boolean => change?.field !== 'creation' || isolatesAnew(world, pod.ref, policy);
    const isOfIt = (pod: PodView): boolean => [...world.linked(pod.ref, 'selects', 'in', fanOut)].includes(ref);
    if (whose === 'called') return policy.allows.ingress !== undefined && pods.some((pod) => isOfIt(pod) && isNew(pod));
    // What never served, or has the network of its Node, is cut off from nothing.
    const served = (pod: PodView): boolean => {
      const own = pod.ref === effect.subject.ref ? effect : { ...effect, since: readySince(pod) };
      return own.since >= since && (servedMs(pod, own) ?? 0) > 0;
    };
    const isCut = (pod: PodView): boolean =>
      !pod.template.hostNetwork && pod.createdAt < since && isOfIt(pod) && served(pod) && isNew(pod);
    return pods.length > 0 && pods.every(isCut);
  },
};
