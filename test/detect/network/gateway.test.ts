import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { gateway, gatewayClass, route, tlsPolicy } from '../../world/network-objects.ts';
import { at, condition, metadata } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const said = (type: string, status: string, reason: string, message = '', generation = 1) => [
  { ...condition(type, status, at(0), reason, message), observedGeneration: generation },
];

/** Each row: what a controller says, what is found of it, when, and the words. */
const rows: readonly (readonly [id: string, RawObject, found: string, says: string])[] = [
  [
    'T12',
    gatewayClass(said('Accepted', 'False', 'InvalidParameters', 'EnvoyProxy infra/edge was not found')),
    'GatewayClass//edge GatewayClassNotAccepted',
    'No controller accepts the class (InvalidParameters): EnvoyProxy infra/edge was not found.',
  ],
  [
    'T13',
    gateway('edge', { conditions: said('Programmed', 'False', 'AddressNotAssigned', 'no addresses are left') }),
    'Gateway/shop/edge GatewayNotProgrammed',
    'The Gateway is not set up (AddressNotAssigned): no addresses are left.',
  ],
  [
    'T14',
    gateway('edge', { listener: said('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret shop/tls not found') }),
    'Gateway/shop/edge ListenerInvalid',
    'Listener https does not work (InvalidCertificateRef): Secret shop/tls not found.',
  ],
  [
    'T15',
    route('web', { conditions: said('ResolvedRefs', 'False', 'BackendNotFound', 'Service shop/web not found') }),
    'HTTPRoute/shop/web RouteNotAccepted',
    'The route leads to something that does not exist: Service shop/web not found.',
  ],
  [
    'T16',
    tlsPolicy('web', said('Accepted', 'False', 'NoValidCACertificate', 'ConfigMap shop/ca has no key ca.crt')),
    'BackendTLSPolicy/shop/web BackendTLSPolicyInvalid',
    'The policy is not in force (NoValidCACertificate): ConfigMap shop/ca has no key ca.crt.',
  ],
];

/** The same object with other conditions. */
const healthy: Readonly<Record<string, RawObject>> = {
  T12: gatewayClass(said('Accepted', 'True', 'Accepted')),
  T13: gateway('edge', { conditions: said('Programmed', 'True', 'Programmed') }),
  T14: gateway('edge', { listener: said('ResolvedRefs', 'True', 'ResolvedRefs') }),
  T15: route('web', { conditions: said('ResolvedRefs', 'True', 'ResolvedRefs') }),
  T16: tlsPolicy('web', said('Accepted', 'True', 'Accepted')),
};

test('T12 T13 T14 T15 T16 fires and clears: what a controller refuses is told within a minute, in its words, until it accepts it', () => {
  for (const [id, raw, expected, words] of rows) {
    const { put, found, says, wait } = story('Pro');
    put(at(0), raw);
    wait(at(1));
    assert.deepEqual(found(), [expected], id);
    const [ref = '', reason = ''] = expected.split(' ');
    assert.equal(says(ref as `${string}/${string}/${string}`, reason), words);
    const mended = healthy[id];
    assert.ok(mended);
    put(at(2), mended);
    assert.deepEqual(found(), [], id);
  }
});

test('T12 T13 T14 T15 T16 is quiet: what was said before the last edit', () => {
  for (const [id, raw] of rows) {
    const edited = { ...raw, metadata: { ...raw.metadata, generation: 2 } };
    const { put, found, wait } = story();
    put(at(0), edited);
    wait(at(60));
    assert.deepEqual(found(), [], id);
  }
});

test('T12 T13 fires and is quiet: a controller that has not come to it yet has 15 minutes', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), gatewayClass(said('Accepted', 'Unknown', 'Pending')));
  put(at(0), gateway('edge', { conditions: said('Programmed', 'False', 'Pending') }));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), ['Gateway/shop/edge GatewayNotProgrammed', 'GatewayClass//edge GatewayClassNotAccepted']);
});

test('T12 T13 fires and is quiet: what no controller takes has 15 minutes, by the conditions that the CRD gives a new object', () => {
  const untaken = (...types: readonly string[]) =>
    types.map((type) => ({
      ...{ type, status: 'Unknown', reason: 'Pending', message: 'Waiting for controller' },
      lastTransitionTime: '1970-01-01T00:00:00Z',
    }));
  const { put, found, wait } = story('Pro');
  put(at(0), gatewayClass(untaken('Accepted')));
  put(at(0), gateway('edge', { conditions: untaken('Accepted', 'Programmed') }));
  const accepted = said('Accepted', 'True', 'Accepted');
  put(at(0), gateway('old', { conditions: [...accepted, ...untaken('Programmed')] }));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.deepEqual(found(), ['Gateway/shop/edge GatewayNotProgrammed', 'GatewayClass//edge GatewayClassNotAccepted']);
});

test('T14 fires: a conflict between listeners, by the polarity of its condition; overlapping certificates are low', () => {
  const { put, finding, found, wait } = story('Pro');
  put(at(0), gateway('edge', { listener: said('Conflicted', 'True', 'HostnameConflict') }));
  put(at(0), gateway('other', { listener: said('OverlappingTLSConfig', 'True', 'OverlappingHostnames') }));
  put(at(0), gateway('fine', { listener: said('Conflicted', 'False', 'NoConflicts') }));
  wait(at(1));
  assert.deepEqual(found(), ['Gateway/shop/edge ListenerInvalid', 'Gateway/shop/other ListenerInvalid']);
  assert.equal(finding('Gateway/shop/other', 'ListenerInvalid').severity, 'low');
});

test('T15 fires: routes of every protocol, and one that is only served in part', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), route('a', { kind: 'GRPCRoute', conditions: said('Accepted', 'False', 'NotAllowedByListeners') }));
  put(at(0), route('b', { kind: 'TLSRoute', conditions: said('Accepted', 'False', 'NoMatchingListenerHostname') }));
  put(at(0), route('c', { conditions: said('PartiallyInvalid', 'True', 'UnsupportedValue') }));
  wait(at(1));
  const of = (kind: string, name: string): string => `${kind}/shop/${name} RouteNotAccepted`;
  assert.deepEqual(found(), [of('GRPCRoute', 'a'), of('HTTPRoute', 'c'), of('TLSRoute', 'b')]);
});

test('T15 is quiet: what a parent said that the route does not name any more', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), route('web', { at: 'old', conditions: said('Accepted', 'False', 'NoMatchingParent') }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

const refused = said('ResolvedRefs', 'False', 'RefNotPermitted', 'backend is not permitted');

/** The route `shop/web`, which leads to the Service `data/web`. */
function abroad(conditions = refused): RawObject {
  const raw = route('web', { conditions });
  const spec = {
    parentRefs: [{ name: 'edge' }],
    rules: [{ backendRefs: [{ name: 'web', namespace: 'data', port: 80 }] }],
  };
  return { ...raw, spec };
}

/** The grant `data/allow`. */
const grant = (from: object, to: object): RawObject => ({
  ...{ apiVersion: 'gateway.networking.k8s.io/v1beta1', kind: 'ReferenceGrant' },
  metadata: metadata('allow', 'data', {}),
  spec: {
    from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'shop', ...from }],
    to: [{ group: '', kind: 'Service', ...to }],
  },
});

test('T15 fires: a reference that no ReferenceGrant allows is told with the one that just misses it', () => {
  const words = 'The route refers to Service data/web, which no ReferenceGrant in namespace data allows';
  const rest = ': backend is not permitted.';
  for (const [made, miss] of [
    [undefined, ''],
    [grant({ namespace: 'web' }, {}), ' (ReferenceGrant data/allow allows it only from HTTPRoutes of web)'],
    [grant({ kind: 'GRPCRoute' }, {}), ' (ReferenceGrant data/allow allows it only from GRPCRoutes of shop)'],
    [grant({}, { name: 'api' }), ' (ReferenceGrant data/allow allows only Service api)'],
  ] as const) {
    const { put, says, wait } = story('Pro');
    if (made) put(at(0), made);
    put(at(0), abroad());
    wait(at(1));
    assert.equal(says('HTTPRoute/shop/web', 'RouteNotAccepted'), `${words}${miss}${rest}`);
  }
});

test('T14 fires: a listener whose certificate is in a namespace that grants nothing', () => {
  const { put, says, wait } = story('Pro');
  const raw = gateway('edge', { listener: refused });
  const tls = { certificateRefs: [{ name: 'edge-tls', namespace: 'certificates' }] };
  put(at(0), { ...raw, spec: { gatewayClassName: 'edge', listeners: [{ name: 'https', port: 443, tls }] } });
  wait(at(1));
  assert.equal(
    says('Gateway/shop/edge', 'ListenerInvalid'),
    'Listener https refers to Secret certificates/edge-tls, which no ReferenceGrant in namespace certificates allows: backend is not permitted.',
  );
});

test('T15 is quiet about grants that it does not see, or that allow everything; T15 clears: it is granted', () => {
  const words = 'The route refers to another namespace, which no ReferenceGrant allows: backend is not permitted.';
  const { put, says, see, found, wait } = story('Pro');
  see('ReferenceGrant', 'Denied', at(0));
  put(at(0), abroad());
  wait(at(1));
  assert.equal(says('HTTPRoute/shop/web', 'RouteNotAccepted'), words);
  see('ReferenceGrant', 'Watching', at(2));
  put(at(2), grant({}, { name: 'web' }), abroad(said('ResolvedRefs', 'True', 'ResolvedRefs')));
  assert.deepEqual(found(), []);
});
