import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfWorkload, settledMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { saysOf } from './says.ts';
import { podView } from './workload.ts';

/** The Services that an effect is of, or that its programs say turn them away. */
function refusersOf(effect: Finding, world: World): ReadonlySet<Ref> {
  const { ref } = effect.subject;
  const said = kindOf(ref) === 'Service' ? [ref] : saysOf(effect, world).flatMap(({ to }) => to ?? []);
  return new Set(said.filter((to) => kindOf(to) === 'Service'));
}

/** Whether all that stands behind a Service was made shortly before, and a client that was there before it is not served. */
function isNew(service: Ref, since: number, world: World): boolean {
  const view = (link: 'selects' | 'depends-on') =>
    [...world.linked(service, link, link === 'selects' ? 'out' : 'in', podsOfWorkload)].flatMap(
      (pod) => podView(world, pod) ?? [],
    );
  const servers = view('selects');
  if (servers.length === 0 || servers.some(({ createdAt }) => createdAt < since - settledMs)) return false;
  const madeAt = earliest(servers.map(({ createdAt }) => createdAt));
  return view('depends-on').some((pod) => !isReady(pod) && pod.createdAt < madeAt);
}

/**
 * Whether who turns programs away is another than the one that let them in until then: what they log in with has held, and what the new
 * one asks for may have changed.
 */
export const isRefusedAnew = (effect: Finding, world: World): boolean =>
  [...refusersOf(effect, world)].some((service) => isNew(service, effect.since, world));
