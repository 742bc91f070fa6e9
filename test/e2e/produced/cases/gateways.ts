import type { Reason } from '../../../../src/model/reason.ts';
import { type ProducedCase, produced } from '../case.ts';
import type { Hands, Manifest } from '../hands.ts';
import { turned } from '../kubelet-status.ts';

const group = 'gateway.networking.k8s.io';
const waiting = {
  ...{ status: 'Unknown', reason: 'Pending', message: 'Waiting for controller' },
  lastTransitionTime: '1970-01-01T00:00:00Z',
};

/** The CRD of a kind of the Gateway API, with the conditions that the real one gives every new object. */
function definition(kind: string, plural: string, scope: 'Namespaced' | 'Cluster', ...untaken: string[]): Manifest {
  const conditions = untaken.map((type) => ({ type, ...waiting }));
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const status = untaken.length === 0 ? open : { ...open, default: { conditions } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/3328' },
    },
    spec: {
      ...{ group, scope, names: { plural, singular: kind.toLowerCase(), kind } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status } } },
        },
      ],
    },
  };
}

const classes = definition('GatewayClass', 'gatewayclasses', 'Cluster', 'Accepted');
const gateways = definition('Gateway', 'gateways', 'Namespaced', 'Accepted', 'Programmed');
const policies = definition('BackendTLSPolicy', 'backendtlspolicies', 'Namespaced');
const routeKinds = { HTTPRoute: 'httproutes', GRPCRoute: 'grpcroutes', TLSRoute: 'tlsroutes' } as const;

const of = (kind: string, name: string, spec: object): Manifest => ({
  ...{ apiVersion: `${group}/v1`, kind, metadata: { name }, spec },
});

const gatewayClass = (name: string): Manifest =>
  of('GatewayClass', name, { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' });

const gateway = (ns: string): Manifest => {
  const tls = { certificateRefs: [{ name: 'tls' }] };
  const listeners = [{ name: 'https', port: 443, protocol: 'HTTPS', tls }];
  return of('Gateway', 'edge', { gatewayClassName: ns, listeners });
};

/** A condition that a controller writes of the object as it is. */
const said = (type: string, status: 'True' | 'False', reason: string, message: string): object => ({
  ...{ ...turned(type, status, reason, message), observedGeneration: 1 },
});

const accepted = said('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled');

/** An object of the Gateway API whose status is written as its controller does. */
function refused(
  id: string,
  reason: Reason,
  what: string,
  [definitions, object, status]: [Manifest, (ns: string) => Manifest, object],
  rest: Partial<ProducedCase> = {},
): ProducedCase {
  return produced({
    ...{ id, reason, what: `${what}: written as its controller does`, edition: 'Pro' },
    subject: (ns) => `${object(ns).kind}/${ns}/${object(ns).metadata.name}`,
    before: () => [definitions],
    async produce({ apply, patch, ns }: Hands) {
      const { kind, metadata } = object(ns);
      await apply(object(ns));
      await patch(kind, metadata.name, { status }, 'status');
    },
    settled: async ({ get, ns }) => (await get(object(ns).kind, object(ns).metadata.name)) !== undefined,
    withinSeconds: 70,
    ...rest,
  });
}

const parentRef = { group, kind: 'Gateway', name: 'edge' };
const controllerName = 'gateway.envoyproxy.io/gatewayclass-controller';

/** A route of a kind that its Gateway does not serve. */
function route(kind: keyof typeof routeKinds, reason: string, condition: object): ProducedCase {
  const rules = [{ backendRefs: [{ name: 'api', port: 80 }] }];
  const object = of(kind, 'web', { parentRefs: [{ name: 'edge' }], rules });
  const parents = [{ parentRef, controllerName, conditions: [condition] }];
  const crd = definition(kind, routeKinds[kind], 'Namespaced');
  return refused('T15', 'RouteNotAccepted', `${kind}, ${reason}`, [crd, () => object, { parents }]);
}

/** The Gateway API: the real CRDs' defaults, and conditions as its controllers write them. */
export const cases = [
  produced({
    ...{ id: 'T12', reason: 'GatewayClassNotAccepted', edition: 'Pro' },
    what: 'no controller takes it',
    subject: (ns) => `GatewayClass//${ns}`,
    before: () => [classes],
    produce: ({ apply, ns }) => apply(gatewayClass(ns)),
    settled: ({ read, ns }) =>
      read('GatewayClass', ns, 'status.conditions.Accepted.reason').then((it) => it === 'Pending'),
    withinSeconds: 1_000,
    quietBeforeSeconds: 900,
  }),
  refused(
    'T12',
    'GatewayClassNotAccepted',
    'parameters that do not exist',
    [
      classes,
      gatewayClass,
      {
        conditions: [
          said(
            'Accepted',
            'False',
            'InvalidParameters',
            'Invalid parametersRef: envoyproxies.gateway.envoyproxy.io "edge" not found',
          ),
        ],
      },
    ],
    { subject: (ns) => `GatewayClass//${ns}` },
  ),
  produced({
    ...{ id: 'T13', reason: 'GatewayNotProgrammed', edition: 'Pro' },
    what: 'no controller takes it',
    subject: (ns) => `Gateway/${ns}/edge`,
    before: () => [gateways],
    produce: ({ apply, ns }) => apply(gateway(ns)),
    settled: ({ read }) => read('Gateway', 'edge', 'status.conditions.Accepted.reason').then((it) => it === 'Pending'),
    withinSeconds: 1_000,
    quietBeforeSeconds: 900,
  }),
  refused('T13', 'GatewayNotProgrammed', 'no address', [
    gateways,
    gateway,
    {
      conditions: [
        accepted,
        said('Programmed', 'False', 'AddressNotAssigned', 'No addresses have been assigned to the Gateway'),
      ],
    },
  ]),
  refused('T14', 'ListenerInvalid', 'a Secret that does not exist', [
    gateways,
    gateway,
    {
      conditions: [accepted, said('Programmed', 'True', 'Programmed', 'Address assigned to the Gateway')],
      listeners: [
        {
          ...{ name: 'https', attachedRoutes: 0, supportedKinds: [] },
          conditions: [said('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret shop/tls does not exist.')],
        },
      ],
    },
  ]),
  route(
    'HTTPRoute',
    'a Service that does not exist',
    said(
      'ResolvedRefs',
      'False',
      'BackendNotFound',
      'Failed to process route rule 0 backendRef 0: service shop/api not found.',
    ),
  ),
  route(
    'GRPCRoute',
    'not allowed',
    said(
      'Accepted',
      'False',
      'NotAllowedByListeners',
      'No listeners included by this parent ref allowed this attachment.',
    ),
  ),
  route(
    'TLSRoute',
    'no host name in common',
    said(
      'Accepted',
      'False',
      'NoMatchingListenerHostname',
      'There were no hostname intersections between the TLSRoute and this parent ref’s Listener(s).',
    ),
  ),
  refused('T16', 'BackendTLSPolicyInvalid', 'no certificates', [
    policies,
    () =>
      of('BackendTLSPolicy', 'api', {
        targetRefs: [{ group: '', kind: 'Service', name: 'api' }],
        validation: { hostname: 'api.example', caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'ca' }] },
      }),
    {
      ancestors: [
        {
          ...{ ancestorRef: parentRef, controllerName },
          conditions: [said('Accepted', 'False', 'NoValidCACertificate', 'configmap ca not found in namespace shop.')],
        },
      ],
    },
  ]),
];
