import type { RawObject } from '../../../src/model/raw-object.ts';
import { gateway, gatewayClass, route, service, tlsPolicy } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { type ClusterStory, long, nodes } from '../shop.ts';

/** What a controller says at 12:10 of something that it was content with. */
const said = (type: string, reason: string, message: string) => [
  { ...condition(type, 'False', at(10), reason, message), observedGeneration: 1 },
];

const then =
  (after: RawObject): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, gatewayClass([]), gateway('edge'), service('web', { selector: undefined }), route('web'));
    k8s.start(at(0));
    k8s.put(at(10), after);
    k8s.wait(at(30));
  };

/** One story for every reason of the Gateway API. */
export const gatewayStories = {
  GatewayClassNotAccepted: then(
    gatewayClass(said('Accepted', 'InvalidParameters', 'EnvoyProxy infra/edge was not found')),
  ),
  GatewayNotProgrammed: then(
    gateway('edge', {
      conditions: said('Programmed', 'AddressNotAssigned', 'No addresses have been assigned to the Gateway'),
    }),
  ),
  ListenerInvalid: then(
    gateway('edge', { listener: said('ResolvedRefs', 'InvalidCertificateRef', 'Secret shop/edge-tls does not exist') }),
  ),
  RouteNotAccepted: then(
    route('web', { conditions: said('ResolvedRefs', 'BackendNotFound', 'Service shop/web not found') }),
  ),
  BackendTLSPolicyInvalid: then(
    tlsPolicy('web', said('Accepted', 'NoValidCACertificate', 'ConfigMap shop/ca has no key ca.crt')),
  ),
} as const satisfies Readonly<Record<string, ClusterStory>>;
