import { earliest } from '../../model/instants.ts';
import { parseQuantity } from '../../model/quantity.ts';
import { kindOf, type Ref, refOf } from '../../model/ref.ts';
import { poolOf } from '../../world/kinds/cluster/node.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { autoscalers } from '../kit/autoscalers.ts';
import type { NamedDetector, Naming, Problem } from '../kit/detector.ts';
import { devicePlugins } from '../kit/driver-agent.ts';
import { markedFor } from '../nodes/mark-removers.ts';
import { wholeCluster } from '../nodes/node-group.ts';
import { minWorkloads } from '../several/callers.ts';
import { shortageIn } from './shortage.ts';

/** They begin to wait within this time of each other (ms). */
const togetherMs = 30 * 60_000;
/** Pods that wait and are looked at. */
const waitingSample = 512;

/**
 * What has no room for a Pod that would fit on an empty Node: the pool that it selects, else the cluster. Nothing where Pods are bound
 * to a Node of their own, and where it takes the place of one that was lost with a Node, which is that Node's story.
 */
export function capacityFor({ ref, owner, template }: PodView, text: string, world: ObservedWorld): readonly Ref[] {
  if (shortageIn(text) === undefined || (owner !== undefined && kindOf(owner) === 'DaemonSet')) return [];
  if ([...world.linked(ref, 'replaces', 'out', 1)].length > 0) return [];
  const pool = poolOf(template.nodeSelector);
  return [pool === undefined ? wholeCluster : refOf('NodePool', '', pool)];
}

/** What machines are made from, as far as custom resources are seen. */
const poolKinds = ['NodePool.karpenter.sh', 'MachineDeployment.cluster.x-k8s.io'] as const;
const mostPools = 16;

const machinePools = once((world): readonly Ref[] =>
  poolKinds.flatMap((kind) => [...Iterator.from(world.all(kind)).take(mostPools)].map(({ ref }) => ref)).sort(),
);

/**
 * Who makes room where it runs: whoever adds Nodes, for what is no CPU or memory the agents that tell of it; and the Nodes that nobody has
 * taken over yet, with who does.
 */
export function roomMakers(text: string, world: ObservedWorld, now: number): readonly Ref[] {
  const resource = shortageIn(text);
  const makers =
    resource === undefined
      ? []
      : [...devicePlugins(resource, world, now), ...autoscalers(world, now), ...machinePools(world, now)];
  return [...makers, ...markedFor(text, world, now)];
}

/** A Pod that waits for room. `since`: epoch milliseconds. */
type Waiting = { readonly pod: Ref; readonly workload: Ref; readonly since: number; readonly text: string };

/** The Pods that wait, those first that wait longest. */
function waitingIn(naming: Naming, world: ObservedWorld): readonly Waiting[] {
  const waiting: Waiting[] = [];
  for (const [pod, findings] of Iterator.from(naming).take(waitingSample)) {
    const found = findings.find(({ reason }) => reason === 'Unschedulable');
    if (found) waiting.push({ pod, workload: world.topOwner(pod), since: found.since, text: found.detail ?? '' });
  }
  return waiting.sort((a, b) => a.since - b.since || (a.pod < b.pod ? -1 : 1));
}

const workloadsOf = (waiting: readonly Waiting[]): number => new Set(waiting.map(({ workload }) => workload)).size;

/** The least that one of them asks for, in cores or bytes. */
function leastAsked(waiting: readonly Waiting[], resource: string, world: ObservedWorld): number | undefined {
  const field = resource === 'cpu' ? 'cpuRequest' : resource === 'memory' ? 'memoryRequest' : undefined;
  if (field === undefined) return undefined;
  const asked = waiting.flatMap(({ pod }) => {
    const view = world.get(pod);
    if (typeof view !== 'object' || view.kind !== 'Pod') return [];
    const lasting = view.template.containers.filter(({ role }) => role !== 'init');
    return [lasting.reduce((sum, container) => sum + (parseQuantity(container[field] ?? '') ?? 0), 0)];
  });
  return asked.length === 0 ? undefined : earliest(asked);
}

function judge(_: Ref, naming: Naming, world: ObservedWorld, now: number): Problem | false {
  const all = waitingIn(naming, world);
  const start = all.findIndex(({ since }) => {
    const near = all.filter((other) => other.since >= since && other.since <= since + togetherMs);
    return workloadsOf(near) >= minWorkloads;
  });
  const waiting = all.slice(Math.max(0, start));
  const [first] = waiting;
  if (start < 0 || first === undefined) return false;
  const resource = shortageIn(first.text) ?? 'pods';
  return {
    since: first.since,
    detail: first.text,
    facts: {
      ...{ pods: waiting.length, workloads: workloadsOf(waiting), resource },
      ...given({ asks: leastAsked(waiting, resource, world) }),
    },
    names: roomMakers(first.text, world, now),
  };
}

const row = (judges: 'NodePool' | 'Cluster', what: string): NamedDetector => ({
  id: 'N24',
  judges,
  reasons: [{ reason: 'InsufficientCapacity', family: 'named', sure: 'likely' }],
  severity: 'high',
  source: 'core/v1 Pod condition PodScheduled=False, reason Unschedulable: "3 Insufficient cpu", "1 Too many pods"',
  predicate: `Pods of two or more workloads, which began to wait within 30 min of each other, fit on no Node ${what}, because CPU, memory or another resource is used up`,
  clears: 'Pods of fewer than two workloads wait for it',
  symptom: 'start',
  patience: 'none besides that of the Pods (P15): 60 s, 5 min where Nodes are added, 15 min where one is being made',
  isNot:
    'one workload that asks for more than there is; a Pod larger than every Node; Pods of DaemonSets; Pods that take the place of those of a lost Node; a scale-up that failed (A12)',
  judge,
});

/** Where no room is left for Pods of several workloads. */
export const capacityDetectors: readonly NamedDetector[] = [
  row('NodePool', 'of the pool that they select'),
  row('Cluster', 'of the cluster'),
];
