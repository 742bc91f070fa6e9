import { gateway, route } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const said = (type: string, reason: string) => [{ ...condition(type, 'False', at(1), reason), observedGeneration: 1 }];

/** A Gateway whose listeners are not valid, and a route that is refused (`Accepted`) or leads to nothing (`ResolvedRefs`). */
const story =
  (type: string, reason: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, gateway('edge', { createdAt: long }), route('web', { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(1), gateway('edge', { createdAt: long, conditions: said('Accepted', 'ListenersNotValid') }));
    k8s.put(at(1), route('web', { createdAt: long, conditions: said(type, reason) }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'a route is refused by a Gateway that does not work',
    tell: story('Accepted', 'NoMatchingParent'),
    told: ['Gateway/shop/edge GatewayNotProgrammed 2'],
  },
  not: {
    what: 'a route leads to a Service that does not exist',
    tell: story('ResolvedRefs', 'BackendNotFound'),
    told: ['Gateway/shop/edge GatewayNotProgrammed 1', 'HTTPRoute/shop/web RouteNotAccepted 1'],
  },
};
