import { kindOf, type Ref } from '../../model/ref.ts';
import type { Projection } from '../kinds/kinds.ts';
import type { Entrance } from '../reading/entrances.ts';
import { backendsOf } from './endpoints.ts';
import { perRevision } from './per-revision.ts';
import type { World } from './world.ts';

/** Kinds that bring traffic from outside to the Services that they route to. */
const routing: ReadonlySet<string> = new Set(['Ingress', 'HTTPRoute', 'GRPCRoute', 'TLSRoute']);

/** Whether traffic from outside of the cluster reaches a Service: a load balancer has given it an address, or something routes to it. */
export function isExposed(world: World, service: Ref): boolean {
  const view = world.get(service);
  if (typeof view !== 'object' || view.kind !== 'Service') return false;
  if (view.type === 'LoadBalancer' && view.addresses > 0) return true;
  return Iterator.from(world.linked(service, 'routes-to', 'in')).some((ref) => routing.has(kindOf(ref)));
}

/** Whether traffic from outside of the cluster reaches the Pods that a workload makes. */
export function isWorkloadExposed(world: World, workload: Ref): boolean {
  return Iterator.from(world.linked(workload, 'fronts', 'in')).some((service) => isExposed(world, service));
}

/** Ingresses and routes looked at per Service. */
const fanOut = 16;

const hasEntrances = (view: Projection): view is Extract<Projection, { entrances: readonly Entrance[] }> =>
  'entrances' in view;

/** Where people reach a Service from outside, sorted. */
export function entrancesTo(service: Ref, world: World): readonly string[] {
  const found = new Set<string>();
  for (const ref of world.linked(service, 'routes-to', 'in', fanOut)) {
    const view = world.get(ref);
    if (typeof view !== 'object' || !hasEntrances(view)) continue;
    for (const entrance of view.entrances) if (entrance.service === service) found.add(entrance.at);
  }
  return [...found].sort();
}

/** Ingresses and routes of a kind whose hosts are known. */
const maxRouters = 20_000;

/**
 * The Services that Ingresses and routes lead a host to, by host: a thousand Pods may name one, and a cluster has thousands of
 * Ingresses.
 */
const servicesByHost = perRevision((world) => {
  const services = new Map<string, Set<Ref>>();
  for (const kind of routing)
    for (const view of Iterator.from(world.all(kind)).take(maxRouters))
      for (const { at, service } of hasEntrances(view) ? view.entrances : []) {
        const host = at.slice(0, at.indexOf('/'));
        const found = services.get(host) ?? new Set();
        services.set(host, found.add(service));
      }
  return services;
});

/**
 * The Service that has nothing left to serve with and to which this cluster itself leads a host from outside: whoever calls the host calls
 * it. `undefined`: none, or several, or it serves, so that whatever is wrong lies before it.
 */
export function deadServiceAt(host: string, world: World): Ref | undefined {
  const [only, ...others] = servicesByHost(world).get(host) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  return backendsOf(only, world)?.ready === 0 ? only : undefined;
}
