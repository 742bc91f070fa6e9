import { latest } from '../model/instants.ts';
import { parseQuantity } from '../model/quantity.ts';
import { nameOf, refOf } from '../model/ref.ts';
import type { NodeView } from '../world/kinds/node.ts';
import type { PodView } from '../world/kinds/pod.ts';
import type { ObservedWorld } from '../world/world.ts';
import type { Problem } from './detector.ts';

/** How long a Pod may fit on no Node before it is a finding, and whether it could still fit later. */
type Patience = Pick<Problem, 'forSeconds' | 'settle'>;

/** It fits on nothing that there is or that could come: only the time in which what it names may be made just after it. */
const hopeless: Patience = { forSeconds: 30, settle: 'conclusive' };
/** Others may make room; a rollout does so within this time. */
const mayPass: Patience = { forSeconds: 90, settle: 'waits' };
/** A new Node takes 2 to 4 min from the decision to its kubelet being ready, on the large clouds. */
const mayGrow: Patience = { forSeconds: 300, settle: 'waits' };

/** Label keys by which providers and provisioners mark the Nodes of a pool: `eks.amazonaws.com/nodegroup`, `karpenter.sh/nodepool`. */
const poolKey = /\/(?:[\w.-]*-)?(?:node-?pool|node-?group|agent-?pool|pool)(?:-id|-name)?$/i;
/** Deployments that add Nodes. */
const provisionerName = /cluster-autoscaler|karpenter/;

/** What the Nodes tell of room to come. */
type Fleet = {
  /** Somebody adds Nodes here: they are of a pool, or an autoscaler runs in the cluster. */
  readonly grows: boolean;
  /** When the newest was made (epoch milliseconds). */
  readonly newestAt: number;
  readonly nodes: readonly NodeView[];
};

/** Worked out once for all the Pods of one instant: a thousand may wait on a thousand Nodes. */
const fleets = new WeakMap<ObservedWorld, { readonly at: number; readonly fleet: Fleet }>();

function fleetOf(world: ObservedWorld, now: number): Fleet {
  const known = fleets.get(world);
  if (known?.at === now) return known.fleet;
  const nodes = [...world.all('Node')].filter((view) => view.kind === 'Node');
  const hasPool = nodes.some(({ labels }) => Object.keys(labels).some((key) => poolKey.test(key)));
  const hasProvisioner = (): boolean =>
    Iterator.from(world.all('Deployment')).some(
      (view) => provisionerName.test(nameOf(view.ref)) && 'replicas' in view && view.replicas > 0,
    );
  const fleet = {
    grows: hasPool || hasProvisioner(),
    newestAt: latest(nodes.map(({ createdAt }) => createdAt)),
    nodes,
  };
  fleets.set(world, { at: now, fleet });
  return fleet;
}

/** `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector`: as many as there are. */
function isSelectedNowhere(text: string): boolean {
  const [, all] = /\b0\/(\d+) nodes are available/.exec(text) ?? [];
  const [, mismatched] = /\b(\d+) node\(s\) didn't match Pod's node affinity\/selector/.exec(text) ?? [];
  return all !== undefined && all === mismatched;
}

/** What the containers that run for the life of a Pod ask for of one resource, in cores or bytes. */
function requested(pod: PodView, resource: 'cpuRequest' | 'memoryRequest'): number {
  const lasting = pod.template.containers.filter(({ role }) => role !== 'init');
  return lasting.reduce((sum, container) => sum + (parseQuantity(container[resource] ?? '') ?? 0), 0);
}

/** Whether a Pod asks for more than an empty Node has; a Node that does not say what it has might hold it. */
function isLargerThanAll(pod: PodView, nodes: readonly NodeView[]): boolean {
  const [cpu, memory] = [requested(pod, 'cpuRequest'), requested(pod, 'memoryRequest')];
  const holds = ({ allocatable }: NodeView): boolean => {
    const cores = parseQuantity(allocatable?.cpu ?? '') ?? Number.POSITIVE_INFINITY;
    const bytes = parseQuantity(allocatable?.memory ?? '') ?? Number.POSITIVE_INFINITY;
    return cpu <= cores && memory <= bytes;
  };
  return nodes.length > 0 && !nodes.some(holds);
}

/** How patient to be with a Pod that fits on no Node since an instant (epoch milliseconds), by what the scheduler says. */
export function patienceWith(pod: PodView, since: number, text: string, world: ObservedWorld, now: number): Patience {
  if (/persistentvolumeclaim "[^"]+" not found/i.test(text)) return hopeless;
  // Where a Node that nobody has is not known to be absent, there may be Nodes that are not seen.
  if (world.get(refOf('Node', '', '')) !== 'absent') return mayPass;
  const { grows, newestAt, nodes } = fleetOf(world, now);
  if (/unbound immediate PersistentVolumeClaims/.test(text)) return mayPass;
  if (grows || newestAt > since) return mayGrow;
  return isSelectedNowhere(text) || isLargerThanAll(pod, nodes) ? hopeless : mayPass;
}
