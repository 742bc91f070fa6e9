import { type Ref, refOf } from '../../model/ref.ts';
import type { NodeRequirement, VolumeView } from '../../world/kinds/storage/persistent-volume.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Labels that say in which zone a Node is: the one of Kubernetes, its predecessor, and those of drivers (`topology.ebs.csi.aws.com/zone`). */
const isZone = (key: string): boolean => /\/(?:zone|failure-domain)$/.test(key);
const isHost = (key: string): boolean => key === 'kubernetes.io/hostname';

/** How many Nodes there are by zone. */
const countsByZone = once((world): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const node of world.all('Node'))
    if (node.kind === 'Node' && node.zone !== undefined && !node.unschedulable)
      counts.set(node.zone, (counts.get(node.zone) ?? 0) + 1);
  return counts;
});

/** The values of the requirements of a volume on labels of one sort, each once. */
function valuesOf({ nodeTerms }: VolumeView, isKey: (key: string) => boolean): readonly string[] {
  const asked = (term: readonly NodeRequirement[]): readonly string[] =>
    term.flatMap(({ key, operator, values }) => (operator === 'In' && isKey(key) ? values : []));
  return [...new Set(nodeTerms.flatMap(asked))];
}

/** How many Nodes that take Pods can use a volume, as far as zones and host names tell; `Infinity` where they do not. */
export function nodesFor(volume: VolumeView, world: ObservedWorld, now: number): number {
  const hosts = valuesOf(volume, isHost);
  if (hosts.length > 0)
    return hosts.filter((host) => {
      const node = world.get(refOf('Node', '', host));
      return node === 'unknown' || (node !== 'absent' && node.kind === 'Node' && !node.unschedulable);
    }).length;
  const named = valuesOf(volume, isZone);
  if (named.length === 0 || world.get(refOf('Node', '', '')) !== 'absent') return Number.POSITIVE_INFINITY;
  const counts = countsByZone(world, now);
  return named.reduce((sum, zone) => sum + (counts.get(zone) ?? 0), 0);
}

/** Where a volume can be used, in words: `zone eu-1a`, `node n1`; `undefined` where neither zones nor host names tell. */
export function placesOf(volume: VolumeView): string | undefined {
  const say = (what: string, values: readonly string[]): string | undefined =>
    values.length === 0 ? undefined : `${what}${values.length === 1 ? '' : 's'} ${values.join(' and ')}`;
  return say('node', valuesOf(volume, isHost)) ?? say('zone', valuesOf(volume, isZone));
}

/** The one Node that a volume can be used on, where that is there and takes no Pods: it is cordoned, or does not answer. */
export function lostPlace(volume: VolumeView, world: ObservedWorld): Ref | undefined {
  const [host, ...others] = valuesOf(volume, isHost);
  if (host === undefined || others.length > 0) return undefined;
  const node = world.get(refOf('Node', '', host));
  if (typeof node !== 'object' || node.kind !== 'Node') return undefined;
  const isSilent = node.conditions.some(({ type, status }) => type === 'Ready' && status !== 'True');
  return isSilent || node.unschedulable ? node.ref : undefined;
}
