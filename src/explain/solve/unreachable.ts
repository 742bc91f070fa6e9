import type { Unreachable } from '../../model/explanation.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { fanOut, podsCounted } from '../../world/view/bounds.ts';
import { backendsOf } from '../../world/view/endpoints.ts';
import { entrancesTo } from '../../world/view/exposure.ts';
import type { World } from '../../world/view/world.ts';
import { podView } from '../evidence/workload.ts';

const maxServices = 8;
const maxEntrances = 8;
const most = 16;

/** Whether nobody answers at a Service: its EndpointSlices say so, or none of its Pods does, as these will say in a moment. */
function isSilent(service: Ref, world: World, lostNode: string | undefined): boolean {
  if (backendsOf(service, world)?.ready === 0) return true;
  let pods = 0;
  for (const ref of world.linked(service, 'selects', 'out', podsCounted)) {
    const pod = podView(world, ref);
    if (pod && isReady(pod) && pod.node !== lostNode) return false;
    pods += 1;
  }
  return pods > 0 && pods < podsCounted;
}

/** The Services behind which nothing serves any more, before workloads that are hit, and where people reach them from outside. */
export function unreachableBy(workloads: readonly Ref[], world: World, lostNode?: string): Unreachable[] {
  const services = new Set<Ref>();
  for (const workload of workloads.slice(0, fanOut))
    for (const service of world.linked(workload, 'fronts', 'in', maxServices))
      if (kindOf(service) === 'Service') services.add(service);
  const silent: Unreachable[] = [];
  for (const service of [...services].sort()) {
    if (silent.length >= most) break;
    if (isSilent(service, world, lostNode))
      silent.push({ service, at: entrancesTo(service, world).slice(0, maxEntrances) });
  }
  return silent;
}
