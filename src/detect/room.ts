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

/** Deployments that add Nodes. */
const provisionerName = /cluster-autoscaler|karpenter/;

/** What the Nodes tell of room to come. */
type Fleet = {
  /** Somebody adds Nodes here: they are of a pool, or an autoscaler runs in the cluster. */
  readonly grows: boolean;
  /** When the newest was made (epoch milliseconds). */
  readonly newestAt: number;
  /** What Pods may have of one, each size once: cores and bytes, `Infinity` where it does not say. */
  readonly sizes: readonly (readonly [cores: number, bytes: number])[];
};

/** Worked out once for all the Pods of one instant: a thousand may wait on a thousand Nodes. */
const fleets = new WeakMap<ObservedWorld, { readonly at: number; readonly fleet: Fleet }>();

/** A thousand Nodes of a few types have a few sizes. */
function sizesOf(nodes: readonly NodeView[]): Fleet['sizes'] {
  const written = Map.groupBy(nodes, ({ allocatable }) => `${allocatable?.cpu ?? ''} ${allocatable?.memory ?? ''}`);
  return [...written.keys()].map((text) => {
    const [cores, bytes] = text.split(' ').map((quantity) => parseQuantity(quantity) ?? Number.POSITIVE_INFINITY);
    return [cores ?? Number.POSITIVE_INFINITY, bytes ?? Number.POSITIVE_INFINITY] as const;
  });
}

function fleetOf(world: ObservedWorld, now: number): Fleet {
  const known = fleets.get(world);
  if (known?.at === now) return known.fleet;
  const nodes = [...world.all('Node')].filter((view) => view.kind === 'Node');
  const hasPool = nodes.some(({ pool }) => pool !== undefined);
  const hasProvisioner = (): boolean =>
    Iterator.from(world.all('Deployment')).some(
      (view) => provisionerName.test(nameOf(view.ref)) && 'replicas' in view && view.replicas > 0,
    );
  const fleet = {
    grows: hasPool || hasProvisioner(),
    newestAt: latest(nodes.map(({ createdAt }) => createdAt)),
    sizes: sizesOf(nodes),
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

/** Whether a Pod asks for more than any empty Node has; where there is no Node, nobody knows. */
function isLargerThanAll(pod: PodView, sizes: Fleet['sizes']): boolean {
  const [cpu, memory] = [requested(pod, 'cpuRequest'), requested(pod, 'memoryRequest')];
  return sizes.length > 0 && sizes.every(([cores, bytes]) => cpu > cores || memory > bytes);
}

/** How patient to be with a Pod that fits on no Node since an instant (epoch milliseconds), by what the scheduler says. */
export function patienceWith(pod: PodView, since: number, text: string, world: ObservedWorld, now: number): Patience {
  if (/persistentvolumeclaim "[^"]+" not found/i.test(text)) return hopeless;
  // Where a Node that nobody has is not known to be absent, there may be Nodes that are not seen.
  if (world.get(refOf('Node', '', '')) !== 'absent') return mayPass;
  const { grows, newestAt, sizes } = fleetOf(world, now);
  if (/unbound immediate PersistentVolumeClaims/.test(text)) return mayPass;
  if (grows || newestAt > since) return mayGrow;
  return isSelectedNowhere(text) || isLargerThanAll(pod, sizes) ? hopeless : mayPass;
}
