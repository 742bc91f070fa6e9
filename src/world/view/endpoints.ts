import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { World } from './world.ts';

/** What stands behind a Service by its EndpointSlices: endpoints, how many of them get traffic, names of their ports. */
export type Backends = {
  readonly endpoints: number;
  readonly ready: number;
  /** Of slices with endpoints. */
  readonly ports: ReadonlySet<string>;
  /** Since when (epoch milliseconds) none gets traffic, as far as it was seen; 0 while one does. */
  readonly emptySince: number;
};

/** Counts what the EndpointSlices of a Service say; `undefined`: they are not seen, or nobody has made any. */
export function backendsOf(service: Ref, world: World): Backends | undefined {
  // Asked, so that what stands by it does until it is seen again. Of what was seen once nobody knows whether it still is so; where some are seen, those count.
  const seen = world.get(refOf('EndpointSlice', namespaceOf(service), ''));
  if (seen === 'unknown' && !world.kindsInSight.has('EndpointSlice')) return undefined;
  let [slices, endpoints, ready, emptySince] = [0, 0, 0, 0];
  const ports = new Set<string>();
  for (const each of world.linked(service, 'backs', 'in')) {
    const slice = world.get(each);
    if (typeof slice !== 'object' || slice.kind !== 'EndpointSlice') continue;
    slices += 1;
    endpoints += slice.endpoints;
    ready += slice.ready;
    if (slice.endpoints > 0) for (const name of slice.ports) ports.add(name);
    if (slice.ready === 0) emptySince = Math.max(emptySince, world.since(each, 'empty'));
  }
  return slices === 0 ? undefined : { endpoints, ready, ports, emptySince };
}
