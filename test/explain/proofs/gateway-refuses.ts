import { gateway, route } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const said = (type: string, reason: string) => [{ ...condition(type, 'False', at(1), reason), observedGeneration: 1 }];

/** A Gateway that works, and two of its routes that it refuses (`Accepted`) or that lead to nothing (`ResolvedRefs`). */
const story =
  (type: string, reason: string): Story['tell'] =>
  (k8s) => {
    const routes = (conditions: object) =>
      ['docs', 'web'].map((name) => route(name, { createdAt: long, ...conditions }));
    k8s.put(long, ...twoNodes, gateway('edge', { createdAt: long }), ...routes({}));
    k8s.wait(at(0));
    k8s.put(at(1), ...routes({ conditions: said(type, reason) }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-are-refused',
  shows: {
    what: 'a Gateway takes two routes no more that it has served',
    tell: story('Accepted', 'NoMatchingListenerHostname'),
    told: ['Gateway/shop/edge RouteNotAccepted 2'],
  },
  not: {
    what: 'what two routes lead to is their own affair',
    tell: story('ResolvedRefs', 'RefNotPermitted'),
    told: ['HTTPRoute/shop/docs RouteNotAccepted 1', 'HTTPRoute/shop/web RouteNotAccepted 1'],
  },
};
