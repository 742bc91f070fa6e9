/**
 * The bundle for the Operator Lifecycle Manager, made of what `config/` holds and of the schemas: a test compares its roles and its
 * Deployment with those of `config/`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { objectSchema } from '../../src/api/crd.ts';
import { group, type Kind, kindNames, kinds, versions } from '../../src/api/group.ts';
import { resources } from '../../src/api/resources.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { mark } from './mark.ts';

const config = join(import.meta.dirname, '../../config');

/** Where the roles expect Tocsin: a binding names the namespace of its subject, and the Lifecycle Manager does not change it. */
const namespace = 'tocsin';
const annotationPrefix = 'operators.operatorframework.io';

/** Path from the top of the repository → text. `crds`: name of the file → text, as in `crds/`. */
export function olmFiles(crds: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = (path: string): string => `config/olm/${path}`;
  return new Map([
    [at('manifests/tocsin.clusterserviceversion.yaml'), text(clusterServiceVersion())],
    ...[...crds].map(([name, crd]) => [at(`manifests/${name}`), crd] as const),
    ...besides().map((manifest) => [at(`manifests/${fileOf(manifest)}`), text(manifest)] as const),
    [at('metadata/annotations.yaml'), text({ annotations })],
    [at('tests/scorecard/config.yaml'), text(scorecard)],
    [at('bundle.Dockerfile'), dockerfile],
  ]);
}

const text = (value: unknown): string =>
  `# ${mark}\n${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`;

type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly unknown[];
  readonly spec?: unknown;
};

function manifestsOf(file: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(join(config, file), 'utf8')).map((document) => document.toJS() as Manifest);
}

/** The rules of a role of `config/rbac`. */
function rulesOf(file: string, kind: string): readonly unknown[] {
  return manifestsOf(file).find((manifest) => manifest.kind === kind)?.rules ?? [];
}

/** Roles that the ClusterServiceVersion cannot hold, since they bind a role by its name, or are for people. */
function besides(): readonly Manifest[] {
  return ['rbac/view.yaml', 'rbac/watch.yaml', 'rbac/people.yaml'].flatMap(manifestsOf);
}

const fileOf = ({ kind, metadata }: Manifest): string => `${metadata.name}.${kind.toLowerCase()}.yaml`;

/** The Deployment of `config/manager`, without the fixed user: OpenShift assigns one, and elsewhere the image names its own. */
function deploymentSpec(): unknown {
  const [deployment] = manifestsOf('manager/deployment.yaml');
  const spec = structuredClone(deployment?.spec) as {
    template: { spec: { securityContext: Record<string, unknown>; containers: { image: string }[] } };
  };
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) delete spec.template.spec.securityContext[field];
  for (const container of spec.template.spec.containers) container.image = image;
  return spec;
}

/** A release puts the digest of the image in its place. */
const image = `tocsin:${packageJson.version}`;

function clusterServiceVersion(): object {
  const { version: release, description } = packageJson;
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `tocsin.v${release}`,
      annotations: {
        'alm-examples': JSON.stringify(kindNames.map((kind) => parse(resources[kind].sample) as object)),
        capabilities: 'Seamless Upgrades',
        categories: 'Monitoring',
        containerImage: image,
        description,
        'operatorframework.io/suggested-namespace': namespace,
        'features.operators.openshift.io/disconnected': 'true',
        'features.operators.openshift.io/proxy-aware': 'false',
      },
      labels: { 'operatorframework.io/arch.amd64': 'supported', 'operatorframework.io/arch.arm64': 'supported' },
    },
    spec: {
      ...{ displayName: 'Tocsin', version: release, maturity: 'alpha', minKubeVersion: '1.29.0' },
      description: aboutIt,
      keywords: ['alerting', 'incidents', 'monitoring', 'root cause'],
      provider: { name: 'Tocsin' },
      icon: [{ base64data: Buffer.from(icon).toString('base64'), mediatype: 'image/svg+xml' }],
      // One Tocsin watches a whole cluster.
      installModes: (['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'] as const).map((type) => ({
        type,
        supported: type === 'AllNamespaces',
      })),
      customresourcedefinitions: { owned: kindNames.flatMap((kind) => versions.map((served) => owned(kind, served))) },
      relatedImages: [{ name: 'tocsin', image }],
      install: {
        strategy: 'deployment',
        spec: {
          clusterPermissions: [
            { serviceAccountName: 'tocsin', rules: rulesOf('rbac/cluster-role.yaml', 'ClusterRole') },
          ],
          permissions: [{ serviceAccountName: 'tocsin', rules: rulesOf('rbac/namespace-role.yaml', 'Role') }],
          deployments: [{ name: 'tocsin', label: { 'app.kubernetes.io/name': 'tocsin' }, spec: deploymentSpec() }],
        },
      },
    },
  };
}

/** A kind as the console shows it: what it is, and each field of its spec and status. */
function owned(kind: Kind, served: string): object {
  const { properties = {}, description } = objectSchema(resources[kind]);
  return {
    ...{ name: `${kinds[kind].plural}.${group}`, kind, version: served, displayName: words(kind), description },
    specDescriptors: descriptors(properties.spec),
    statusDescriptors: descriptors(properties.status),
  };
}

function descriptors(schema: StructuralSchema | undefined): readonly object[] {
  return Object.entries(schema?.properties ?? {}).map(([path, field]) => ({
    ...{ path, displayName: words(path), description: field.description ?? words(path) },
    ...('type' in field && field.type === 'boolean' && { 'x-descriptors': [`${ui}:booleanSwitch`] }),
    ...(path === 'conditions' && { 'x-descriptors': ['urn:alm:descriptor:io.kubernetes.conditions'] }),
  }));
}

const ui = 'urn:alm:descriptor:com.tectonic.ui';

/** `fallbackRef` → `Fallback Ref`. */
const words = (name: string): string =>
  name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace(/^./, (first) => first.toUpperCase());

const annotations: Readonly<Record<string, string>> = {
  [`${annotationPrefix}.bundle.mediatype.v1`]: 'registry+v1',
  [`${annotationPrefix}.bundle.manifests.v1`]: 'manifests/',
  [`${annotationPrefix}.bundle.metadata.v1`]: 'metadata/',
  [`${annotationPrefix}.bundle.package.v1`]: 'tocsin',
  [`${annotationPrefix}.bundle.channels.v1`]: 'alpha',
  [`${annotationPrefix}.bundle.channel.default.v1`]: 'alpha',
  [`${annotationPrefix}.test.mediatype.v1`]: 'scorecard+v1',
  [`${annotationPrefix}.test.config.v1`]: 'tests/scorecard/',
};

/** Which of the Operator Framework's own tests a release is put to (`operator-sdk scorecard`). */
const scorecard = {
  apiVersion: 'scorecard.operatorframework.io/v1alpha3',
  kind: 'Configuration',
  metadata: { name: 'config' },
  stages: [
    {
      parallel: true,
      tests: [
        ['basic-check-spec', 'basic'],
        ['olm-bundle-validation', 'olm'],
        ['olm-crds-have-validation', 'olm'],
        ['olm-crds-have-resources', 'olm'],
        ['olm-spec-descriptors', 'olm'],
        ['olm-status-descriptors', 'olm'],
      ].map(([test, suite]) => ({
        entrypoint: ['scorecard-test', test],
        image: 'quay.io/operator-framework/scorecard-test:v1.41.1',
        labels: { suite, test: `${test}-test` },
      })),
    },
  ],
};

const dockerfile = `# ${mark}
# docker build -f config/olm/bundle.Dockerfile -t registry.example.com/tocsin-bundle:${packageJson.version} config/olm
FROM scratch
${Object.entries(annotations)
  .map(([key, value]) => `LABEL ${key}=${value}`)
  .join('\n')}
COPY manifests /manifests/
COPY metadata /metadata/
COPY tests/scorecard /tests/scorecard/
`;

const aboutIt = `Tocsin works out what broke in a cluster and why, and sends one clear message per incident to the people who can fix it: an edit, a Node, a missing Secret, a
registry that does not answer, an address that is not there.

After the installation, make an AlertProvider in the namespace \`${namespace}\`: it says where messages go. Install it in the namespace \`${namespace}\`: the role bindings name it.

It reads the cluster, writes the status of its own four kinds and Events, and changes nothing else.
`;

/** A bell. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#b3001b"/><path fill="#fff" d="M32 12c-9 0-14 7-14 16v10l-5 7h38l-5-7V28c0-9-5-16-14-16zm-6 36a6 6 0 0 0 12 0z"/></svg>';
