import { gateway, gatewayClass } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const said = (type: string, reason: string, since: number) => [
  { ...condition(type, 'False', since, reason), observedGeneration: 1 },
];

/** A Gateway that is not set up since an instant, of a class that is refused a minute after 12:00. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, gatewayClass([]));
    k8s.put(
      long,
      gateway('edge', { createdAt: long, conditions: since < at(0) ? said('Programmed', 'Invalid', since) : [] }),
    );
    k8s.wait(at(0));
    k8s.put(at(1), gatewayClass(said('Accepted', 'InvalidParameters', at(1))));
    k8s.put(at(1), gateway('edge', { createdAt: long, conditions: said('Programmed', 'Invalid', since) }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'a Gateway is not set up because its class is refused',
    tell: story(at(1)),
    told: ['GatewayClass//edge GatewayClassNotAccepted 2'],
  },
  not: {
    what: 'the Gateway had failed long before its class',
    tell: story(at(-30)),
    told: ['Gateway/shop/edge GatewayNotProgrammed 1', 'GatewayClass//edge GatewayClassNotAccepted 1'],
  },
};
