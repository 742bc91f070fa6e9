import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** Whether a Service that somebody must reach is there and has an endpoint that gets traffic. */
export type Backend = 'absent' | 'empty' | 'served' | 'unknown';

/** Looks at a Service and its EndpointSlices; what cannot be seen decides nothing. */
export function backendOf(service: Ref, world: ObservedWorld): Backend {
  const view = world.get(service);
  if (typeof view !== 'object') return view;
  // An ExternalName has no endpoints of its own.
  if (view.kind !== 'Service' || view.type === 'ExternalName') return 'unknown';
  let [slices, ready] = [0, 0];
  for (const ref of world.linked(service, 'backs', 'in')) {
    const slice = world.get(ref);
    if (slice === 'unknown') return 'unknown';
    if (slice === 'absent' || slice.kind !== 'EndpointSlice') continue;
    slices += 1;
    ready += slice.ready;
  }
  if (ready > 0) return 'served';
  // No slice at all: only where all slices are seen is there none.
  if (slices === 0 && world.get(refOf('EndpointSlice', namespaceOf(service), '')) !== 'absent') return 'unknown';
  return 'empty';
}
