import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../../../src/model/ref.ts';
import { trafficOf } from '../../../src/world/reading/traffic.ts';

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
    ['NetworkPolicy.crd.projectcalico.org', { selector: 'all()', types: ['Egress'] }, { hosts: [] }],
    [
      'GlobalNetworkPolicy.crd.projectcalico.org',
      { selector: "app == 'api' && projectcalico.org/orchestrator == 'k8s'", namespaceSelector: 'has(team)' },
      {
        hosts: [],
        selector: { labels: {}, expressions: [{ key: 'app', operator: 'In', values: ['api'] }] },
        namespaces: { labels: {}, expressions: [{ key: 'team', operator: 'Exists', values: [] }] },
      },
    ],
    [
      'CiliumClusterwideNetworkPolicy.cilium.io',
      { endpointSelector: { matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'shop' } } },
      { hosts: [], selector: { labels: { 'io.kubernetes.pod.namespace': 'shop' }, expressions: [] } },
    ],
    ['AuthorizationPolicy.policy.linkerd.io', { targetRef: { kind: 'Service', name: 'api' } }, { hosts: ['api'] }],
  ];
  for (const [kind, spec, expected] of cases) assert.deepEqual(of(kind, spec), expected, kind);
});

test('what is of another group, or of a mesh and not about traffic, decides about nobody', () => {
  for (const kind of [
    'ClusterPolicy.kyverno.io',
    'IstioOperator.install.istio.io',
    'CiliumNode.cilium.io',
    'StagedNetworkPolicy.crd.projectcalico.org',
    'Policy.example.com',
  ])
    assert.equal(of(kind, { selector: { matchLabels: labels } }), undefined, kind);
});
