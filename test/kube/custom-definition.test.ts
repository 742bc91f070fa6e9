import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definedResource, trimmed } from '../../src/kube/custom-definition.ts';
import type { RawObject } from '../../src/model/raw-object.ts';

const conditions = { properties: { status: { properties: { conditions: { type: 'array' } } } } };
const open = { 'x-kubernetes-preserve-unknown-fields': true };

/** A definition of `plural` in a group, with one version unless said otherwise. */
function definition(group: string, plural: string, schema: object, more: object = {}): RawObject {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { plural, kind: 'Widget' };
  return { metadata: { name: `${plural}.${group}` }, spec: { group, scope: 'Namespaced', names, versions, ...more } };
}

test('what a definition defines is watched by its conditions, at the version that is stored if it is served', () => {
  const schema = { openAPIV3Schema: conditions };
  const versions = [
    { name: 'v1alpha1', served: true, storage: false, schema },
    { name: 'v1', served: true, storage: true, schema },
    { name: 'v2', served: false, storage: false, schema },
  ];
  const resource = definedResource(definition('x.dev', 'widgets', {}, { versions, scope: 'Cluster' }));
  assert.deepEqual(resource, {
    ...{ group: 'x.dev', versions: ['v1', 'v1alpha1'], plural: 'widgets', kind: 'Widget' },
    namespaced: false,
  });
});

test('a status that may hold anything counts where the group is known for its conditions, and nowhere else', () => {
  const anything = { properties: { status: open } };
  assert.ok(definedResource(definition('argoproj.io', 'rollouts', anything)));
  assert.ok(definedResource(definition('serving.knative.dev', 'services', open)));
  assert.equal(definedResource(definition('x.dev', 'widgets', anything)), undefined);
  assert.equal(definedResource(definition('argoproj.io', 'appprojects', { properties: {} })), undefined);
});

test('records of every Pod, reports, single runs, kinds of Kubernetes’ own groups and our own are left alone', () => {
  for (const [group, plural] of [
    ['cilium.io', 'ciliumendpoints'],
    ['cilium.io', 'ciliumidentities'],
    ['wgpolicyk8s.io', 'policyreports'],
    ['aquasecurity.github.io', 'vulnerabilityreports'],
    ['crd.projectcalico.org', 'blockaffinities'],
    ['tekton.dev', 'taskruns'],
    ['snapshot.storage.k8s.io', 'volumesnapshots'],
    ['tocsin.dev', 'silences'],
  ] as const)
    assert.equal(definedResource(definition(group, plural, conditions)), undefined, `${plural}.${group}`);
  assert.ok(definedResource(definition('cilium.io', 'ciliumbgpclusterconfigs', conditions)));
  // They have no conditions, and decide who may call whom.
  assert.ok(definedResource(definition('crd.projectcalico.org', 'globalnetworkpolicies', {})));
});

test('of a custom resource only what is read is handed on: no spec, no history, no managed fields', () => {
  const resources = [
    { kind: 'Deployment', name: 'api', health: { status: 'Degraded' } },
    { kind: 'Deployment', name: 'web', health: { status: 'Healthy' } },
  ];
  const raw: RawObject = {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
    metadata: {
      name: 'shop',
      managedFields: [
        { manager: 'argocd', time: '2026-01-01T00:00:00Z' },
        {
          manager: 'argocd-status',
          time: '2026-01-01T00:00:00Z',
          subresource: 'status',
          fieldsV1: { 'f:status': { big: {} } },
        },
      ],
    },
    spec: { source: { helm: { parameters: [{ name: 'password', value: 'x' }] } }, suspend: false },
    status: {
      ...{ conditions: [], health: { status: 'Degraded' }, history: [{ id: 1 }], resources },
      operationState: { phase: 'Failed', message: 'no', finishedAt: '2026-01-01T00:00:00Z', syncResult: { big: 1 } },
    },
  };
  assert.deepEqual(trimmed(raw), {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
    // Of who wrote what only who wrote the status.
    metadata: {
      name: 'shop',
      managedFields: [
        {
          ...{ manager: 'argocd-status', time: '2026-01-01T00:00:00Z', subresource: 'status' },
          fieldsV1: { 'f:status': {} },
        },
      ],
    },
    spec: { suspend: false },
    status: {
      ...{ conditions: [], health: { status: 'Degraded' }, resources: [resources[0]] },
      operationState: { phase: 'Failed', message: 'no', finishedAt: '2026-01-01T00:00:00Z' },
    },
  });
});

test('a custom resource is handed on with whose traffic it decides about, and of a template no more than the class of its machines', () => {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  const raw = {
    metadata: { name: 'one' },
    spec: {
      ...{ host: 'api', hosts: ['api'], selector: { matchLabels: { app: 'api' } }, rules: [{ from: [] }] },
      template: { metadata: { labels: { big: 'x' } }, spec: { nodeClassRef, requirements: [] } },
    },
  };
  assert.deepEqual(trimmed(raw).spec, {
    ...{ host: 'api', hosts: ['api'], selector: { matchLabels: { app: 'api' } } },
    template: { spec: { nodeClassRef } },
  });
});

test('of a spec the names of the Secrets that it names are handed on, and nothing that is beside them', () => {
  const spec = {
    provider: { vault: { auth: { tokenSecretRef: { name: 'token', namespace: 'vault', key: 'hvs.canary' } } } },
    backup: { s3Credentials: { accessKeyId: { key: 'canary' } }, endpointCA: { secretName: 'ca' } },
    secretTargetRef: [{ parameter: 'host', name: 'rabbit', key: 'canary' }],
    bootstrap2: { secret: { name: 'init', password: 'canary' } },
    password: 'canary',
  };
  const handedOn = trimmed({ apiVersion: 'x.dev/v1', kind: 'Thing', metadata: { name: 'a' }, spec });
  assert.deepEqual(handedOn.spec, {
    secretRefs: [{ name: 'token', namespace: 'vault' }, { name: 'ca' }, { name: 'rabbit' }, { name: 'init' }],
  });
  assert.ok(!JSON.stringify(handedOn).includes('canary'));
});
