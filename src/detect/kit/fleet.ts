import { latest } from '../../model/instants.ts';
import { parseQuantity } from '../../model/quantity.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { autoscalers } from './autoscalers.ts';

/** What the Nodes tell of room to come. */
export type Fleet = {
  /** Somebody adds Nodes here: they are of a pool, or an autoscaler runs in the cluster. */
  readonly grows: boolean;
  /** When the newest was made (epoch milliseconds). */
  readonly newestAt: number;
  /** How many there are, and how many of them are young. */
  readonly count: number;
  readonly young: number;
  /** What Pods may have of one, each size once: cores and bytes, `Infinity` where it does not say. */
  readonly sizes: readonly (readonly [cores: number, bytes: number])[];
};

/** A thousand Nodes of a few types have a few sizes. */
function sizesOf(nodes: readonly NodeView[]): Fleet['sizes'] {
  const written = Map.groupBy(nodes, ({ allocatable }) => `${allocatable?.cpu ?? ''} ${allocatable?.memory ?? ''}`);
  return [...written.keys()].map((text) => {
    const [cores, bytes] = text.split(' ').map((quantity) => parseQuantity(quantity) ?? Number.POSITIVE_INFINITY);
    return [cores ?? Number.POSITIVE_INFINITY, bytes ?? Number.POSITIVE_INFINITY] as const;
  });
}

/** What the Nodes of this instant tell. */
export const fleetOf = once((world, now): Fleet => {
  const nodes = [...world.all('Node')].filter((view) => view.kind === 'Node');
  const hasPool = nodes.some(({ pool }) => pool !== undefined);
  const hasProvisioner = (): boolean =>
    autoscalers(world, now).some((ref) => {
      const view = world.get(ref);
      return typeof view === 'object' && 'replicas' in view && view.replicas > 0;
    });
  return {
    grows: hasPool || hasProvisioner(),
    newestAt: latest(nodes.map(({ createdAt }) => createdAt)),
    count: nodes.length,
    young: nodes.filter((node) => youngUntil(node) > now).length,
    sizes: sizesOf(nodes),
  };
});

/** A new Node needs this long to boot and pull. */
const youngMs = 10 * 60_000;

/** Until when a Node is young (epoch milliseconds). */
export function youngUntil({ createdAt }: NodeView): number {
  return createdAt + youngMs;
}

/** Whether so many Nodes are young that everything on them starts at once and pulls from the same registries. */
export function isWakingUp(world: ObservedWorld, now: number): boolean {
  const { count, young } = fleetOf(world, now);
  return young >= Math.max(3, count * 0.02);
}
