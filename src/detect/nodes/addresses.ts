import { earliest } from '../../model/instants.ts';
import { kindOf, nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { NamedDetector, Naming, Problem } from '../kit/detector.ts';
import { groupsOf } from './node-group.ts';

/** What network plug-ins say of a Pod for which no address is left; each as the plug-in writes it. */
const exhausted: readonly RegExp[] = [
  // host-local, the IPAM of flannel, bridge, Canal, Antrea and k3s
  /no IP addresses available in range set/,
  // Amazon VPC CNI: its node agent has none to give
  /failed to assign an IP address to container|InsufficientFreeAddresses/,
  // Azure CNI with its own IPAM, and with Azure CNS
  /Failed to allocate (?:address|pool): No available address|not enough IPs available for /,
  // Calico
  /Assigned 0 out of \d+ requested IPv[46] addresses|No IPv[46] addresses available in pool/,
  // Cilium
  /postIpamFailure\s+(?:range is full|No more IPs available|all CIDR ranges are exhausted)/i,
  // Whereabouts
  /Could not allocate IP in range/,
];

/** Whether the text of a failed sandbox says that no address is left. */
export function lacksAddress(message: string): boolean {
  return exhausted.some((pattern) => pattern.test(message));
}

/** What may have run out of addresses for a Pod: its Node, and the zone of that, which is where clouds have their subnets. */
export function rangesOf(pod: PodView, world: ObservedWorld): readonly Ref[] {
  if (pod.node === undefined || pod.template.hostNetwork) return [];
  const ref = refOf('Node', '', pod.node);
  const node = world.get(ref);
  if (typeof node !== 'object' || node.kind !== 'Node') return node === 'absent' ? [] : [ref];
  return [ref, ...groupsOf(node).filter((group) => kindOf(group) !== 'NodePool')];
}

/** Fewer may each have had an attempt that failed; one workload alone may want addresses of a network of its own. */
const [minPods, minNodes, minWorkloads] = [3, 2, 2];

type Waiting = { readonly node: string; readonly workload: Ref; readonly since: number };

/** The Pods that wait for an address, with their Nodes and workloads and since when (epoch milliseconds). */
function waiting(naming: Naming, world: ObservedWorld): readonly Waiting[] {
  return [...naming].flatMap(([ref, findings]) => {
    const own = findings.filter(({ facts }) => facts.sandboxCause === 'addresses');
    const pod = kindOf(ref) === 'Pod' && own.length > 0 ? world.get(ref) : undefined;
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.node === undefined) return [];
    return [{ node: pod.node, workload: world.topOwner(ref), since: earliest(own.map(({ since }) => since)) }];
  });
}

function judge(ref: Ref, naming: Naming, world: ObservedWorld): Problem | false {
  const pods = waiting(naming, world);
  const nodes = new Set(pods.map(({ node }) => node)).size;
  const workloads = new Set(pods.map(({ workload }) => workload)).size;
  const isWide = kindOf(ref) === 'Node' || (nodes >= minNodes && workloads >= minWorkloads);
  if (pods.length < minPods || !isWide) return false;
  const node = kindOf(ref) === 'Node' ? world.get(ref) : undefined;
  const zones = typeof node === 'object' && node.kind === 'Node' ? groupsOf(node) : [];
  return {
    since: earliest(pods.map(({ since }) => since)),
    facts: { pods: pods.length, nodes, of: nameOf(ref) },
    names: zones.filter((group) => kindOf(group) !== 'NodePool'),
  };
}

const row = (judges: 'Node' | 'Zone' | 'Cluster', what: string): NamedDetector => ({
  id: 'T19',
  judges,
  reasons: [{ reason: 'PodIPExhausted', family: 'named', sure: 'high' }],
  severity: 'high',
  settle: 'conclusive',
  source:
    'texts of Events FailedCreatePodSandBox as network plug-ins write them: host-local, Amazon VPC CNI, Azure CNI, Calico, Cilium, Whereabouts',
  predicate: `3 Pods ${what} have had no address for 60 s each`,
  clears: 'fewer wait for one: they have it, or something else has been said of them since, and this not for 15 min',
  symptom: 'start',
  patience: 'none besides that of the Pods (P11): 60 s, 5 min on a new Node',
  isNot: 'one or two Pods that have no address, which are found by themselves; Pods with the network of their Node',
  judge,
});

/** Where no addresses are left for Pods: on a Node, or in what several Nodes share. */
export const addressDetectors: readonly NamedDetector[] = [
  row('Node', 'of one Node'),
  row('Zone', 'on 2 Nodes or more of a zone'),
  row('Cluster', 'on 2 Nodes or more that are of no zone'),
];
