import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../../src/model/ref.ts';
import { trafficOf } from '../../src/world/traffic.ts';

const of = (kind: string, spec: Record<string, unknown> = {}) => trafficOf(refOf(kind, 'shop', 'one'), spec);
const labels = { app: 'api' };

test('what a mesh or a network plug-in is told decides about Pods by labels, about hosts, or about its namespace', () => {
  const selector = { labels, expressions: [] };
  const cases: readonly [kind: string, spec: Record<string, unknown>, expected: object][] = [
    ['PeerAuthentication.security.istio.io', { mtls: { mode: 'STRICT' } }, { hosts: [] }],
    ['AuthorizationPolicy.security.istio.io', { selector: { matchLabels: labels } }, { hosts: [], selector }],
    [
      'DestinationRule.networking.istio.io',
      { host: 'api.shop.svc.cluster.local' },
      { hosts: ['api.shop.svc.cluster.local'] },
    ],
    ['VirtualService.networking.istio.io', { hosts: ['api', 7] }, { hosts: ['api'] }],
    ['Sidecar.networking.istio.io', { workloadSelector: { labels } }, { hosts: [], selector }],
    ['CiliumNetworkPolicy.cilium.io', { endpointSelector: { matchLabels: labels } }, { hosts: [], selector }],
    ['CiliumNetworkPolicy.cilium.io', { endpointSelector: {} }, { hosts: [] }],
    ['AuthorizationPolicy.policy.linkerd.io', { targetRef: { kind: 'Service', name: 'api' } }, { hosts: ['api'] }],
  ];
  for (const [kind, spec, expected] of cases) assert.deepEqual(of(kind, spec), expected, kind);
});

test('what is of another group, or of a mesh and not about traffic, decides about nobody', () => {
  for (const kind of [
    'ClusterPolicy.kyverno.io',
    'IstioOperator.install.istio.io',
    'CiliumNode.cilium.io',
    'Policy.example.com',
  ])
    assert.equal(of(kind, { selector: { matchLabels: labels } }), undefined, kind);
});
