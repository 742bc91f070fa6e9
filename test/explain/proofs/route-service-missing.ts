import { gateway, route } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const said = [{ ...condition('ResolvedRefs', 'False', at(1), 'BackendNotFound'), observedGeneration: 1 }];

/** Routes of some names that lead to a Service each, which is not there. */
const story =
  (...services: readonly string[]): Story['tell'] =>
  (k8s) => {
    const routes = services.map((service, index) => {
      const spec = { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name: service, port: 80 }] }] };
      return { ...route(`web-${index}`, { createdAt: long, conditions: said }), spec };
    });
    k8s.put(long, ...twoNodes, gateway('edge', { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(1), ...routes);
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-name-what-is-missing',
  shows: {
    what: 'two routes lead to one Service that is not there',
    tell: story('basket', 'basket'),
    told: ['Service/shop/basket RouteNotAccepted 2'],
  },
  not: {
    what: 'each leads to another one',
    tell: story('basket', 'cart'),
    told: ['HTTPRoute/shop/web-0 RouteNotAccepted 1', 'HTTPRoute/shop/web-1 RouteNotAccepted 1'],
  },
};
