import type { Ref } from '../../model/ref.ts';

/** Where traffic from outside comes in for a Service: `shop.example.com/cart`, or `/cart` where any host will do. */
export type Entrance = {
  readonly service: Ref;
  readonly at: string;
  /** Only this very path of an Ingress, and nothing below it. */
  readonly isExact?: true;
};

/** Entrances that are kept of one Ingress or route. */
export const mostEntrances = 32;

/** The entrances of hosts and paths; a wildcard host is written as it is, no host is any host. */
export function entrancesOf(service: Ref, hosts: readonly string[], paths: readonly string[]): Entrance[] {
  const all = hosts.length === 0 ? [''] : hosts;
  return all.flatMap((host) =>
    paths.map((path) => ({ service, at: `${host}${path.startsWith('/') ? path : `/${path}`}` })),
  );
}
