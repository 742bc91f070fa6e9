import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { olmFiles } from '../../scripts/generate/olm.ts';

const project = join(import.meta.dirname, '../..');
const files = olmFiles(new Map());

type Rule = { readonly verbs: readonly string[] };
type Version = {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly customresourcedefinitions: {
      readonly owned: readonly {
        readonly kind: string;
        readonly specDescriptors: readonly { readonly path: string; readonly description: string }[];
        readonly statusDescriptors: readonly { readonly path: string }[];
      }[];
    };
    readonly install: {
      readonly spec: {
        readonly clusterPermissions: readonly {
          readonly serviceAccountName: string;
          readonly rules: readonly Rule[];
        }[];
        readonly permissions: readonly { readonly serviceAccountName: string; readonly rules: readonly Rule[] }[];
        readonly deployments: readonly { readonly spec: unknown }[];
      };
    };
  };
};
const version = parse(files.get('config/olm/manifests/tocsin.clusterserviceversion.yaml') ?? '') as Version;
const { clusterPermissions, permissions, deployments } = version.spec.install.spec;

const documents = (file: string): readonly Record<string, unknown>[] =>
  parseAllDocuments(readFileSync(join(project, 'config', file), 'utf8')).map(
    (document) => document.toJS() as Record<string, unknown>,
  );

test('the bundle grants what config/rbac grants, neither less nor more', () => {
  const rules = (file: string, kind: string): unknown => documents(file).find((each) => each.kind === kind)?.rules;
  assert.deepEqual(clusterPermissions, [
    { serviceAccountName: 'tocsin', rules: rules('rbac/cluster-role.yaml', 'ClusterRole') },
  ]);
  assert.deepEqual(permissions, [{ serviceAccountName: 'tocsin', rules: rules('rbac/namespace-role.yaml', 'Role') }]);
  const beside = [...files]
    .filter(([path]) => /\.(?:clusterrole|clusterrolebinding)\.yaml$/.test(path))
    .map(([, text]) => parse(text) as object);
  assert.deepEqual(beside, ['rbac/view.yaml', 'rbac/watch.yaml', 'rbac/people.yaml'].flatMap(documents));
  // What is in config/rbac and in no place of the bundle is found here.
  const listed = (
    parse(readFileSync(join(project, 'config/rbac/kustomization.yaml'), 'utf8')) as { resources: string[] }
  ).resources;
  assert.deepEqual(listed.toSorted(), [
    ...['cluster-role.yaml', 'namespace-role.yaml', 'people.yaml', 'service-account.yaml', 'view.yaml', 'watch.yaml'],
  ]);
});

test('its Deployment is that of config/manager, but for the user, whom OpenShift chooses', () => {
  type Spec = { template: { spec: { securityContext: object; containers: { image: string }[] } } };
  const [ours] = documents('manager/deployment.yaml').map(({ spec }) => spec as Spec);
  const [its] = deployments.map(({ spec }) => spec as Spec);
  assert.ok(ours && its);
  assert.deepEqual(its.template.spec.securityContext, {
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  const { securityContext, containers, ...pod } = ours.template.spec;
  assert.ok('runAsUser' in securityContext);
  const { securityContext: _, containers: itsContainers, ...itsPod } = its.template.spec;
  assert.deepEqual(itsPod, pod);
  assert.deepEqual(
    itsContainers.map((each) => ({ ...each, image: 'tocsin' })),
    containers,
  );
});

test('every field of every kind has a descriptor that says what it is, and every example is one of a kind', () => {
  const { owned } = version.spec.customresourcedefinitions;
  assert.deepEqual(
    [...new Set(owned.map(({ kind }) => kind))],
    ['AlertProvider', 'Silence', 'MaintenanceWindow', 'AlertConfig'],
  );
  for (const { kind, specDescriptors, statusDescriptors } of owned) {
    assert.ok(specDescriptors.length > 3, kind);
    assert.ok(
      statusDescriptors.some(({ path }) => path === 'conditions'),
      kind,
    );
    for (const { path, description } of specDescriptors) assert.ok(description.length > 10, `${kind} ${path}`);
  }
  const examples = JSON.parse(version.metadata.annotations['alm-examples'] ?? '[]') as readonly { kind: string }[];
  assert.equal(new Set(examples.map(({ kind }) => kind)).size, 4);
});

test('the labels of the image of the bundle are its annotations', () => {
  const { annotations } = parse(files.get('config/olm/metadata/annotations.yaml') ?? '') as { annotations: object };
  const labels = [...(files.get('config/olm/bundle.Dockerfile') ?? '').matchAll(/^LABEL (\S+)=(\S+)$/gm)];
  assert.deepEqual(Object.fromEntries(labels.map(([, key, value]) => [key, value])), annotations);
});
