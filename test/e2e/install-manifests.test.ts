import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { parse, parseAllDocuments, stringify } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { findBinaries } from '../controlplane/binaries.ts';
import { buildImage, type Image } from './install-image.ts';

const project = join(import.meta.dirname, '../..');
let folder: string;
let image: Image;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-manifests-'));
  image = buildImage(join(folder, 'image'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly { readonly namespace?: string }[];
  readonly spec?: unknown;
};
type PodSpec = {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly {
    readonly image: string;
    readonly args: readonly string[];
    readonly volumeMounts: readonly { readonly mountPath: string }[];
    readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  }[];
};

/** What `kubectl kustomize` makes of a folder. */
function build(path: string): readonly Manifest[] {
  const kubectl = findBinaries()?.kubectl ?? 'kubectl';
  const { status, stdout, stderr } = spawnSync(kubectl, ['kustomize', path], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout).map((each) => each.toJS() as Manifest);
}
function podSpecOf(manifests: readonly Manifest[]): PodSpec {
  const found = manifests.find(({ kind }) => kind === 'Deployment');
  assert.ok(found);
  return (found.spec as { template: { spec: PodSpec } }).template.spec;
}

test('the image is what the Deployment asks for: version, user, command, what it mounts', () => {
  const { securityContext, containers } = podSpecOf(build(join(project, 'config/default')));
  const [only] = containers;
  assert.equal(containers.length, 1);
  assert.equal(only?.image, `tocsin:${packageJson.version}`);
  assert.equal(image.labels['org.opencontainers.image.version'], packageJson.version);
  assert.match(image.base, /^gcr\.io\/distroless\/nodejs24-debian12:nonroot@sha256:[0-9a-f]{64}$/);
  assert.equal(image.user, `${String(securityContext.runAsUser)}:${String(securityContext.runAsGroup)}`);
  assert.deepEqual(only?.args, image.command);
  // Restricted Pod Security does not ask for this.
  assert.equal(only?.securityContext.readOnlyRootFilesystem, true);
  assert.deepEqual(
    only?.volumeMounts.map(({ mountPath }) => mountPath),
    ['/var/lib/tocsin'],
  );
});

test('config/pro is config/default with a claim for state, which a successor on another node can take over', () => {
  const volumesOf = (manifests: readonly Manifest[]): unknown =>
    (podSpecOf(manifests) as PodSpec & { volumes: unknown }).volumes;
  const [base, pro] = [build(join(project, 'config/default')), build(join(project, 'config/pro'))];
  assert.deepEqual(volumesOf(base), [{ name: 'state', emptyDir: { sizeLimit: '1Gi' } }]);
  assert.deepEqual(volumesOf(pro), [{ name: 'state', persistentVolumeClaim: { claimName: 'tocsin-state' } }]);
  const claim = pro.find(({ kind }) => kind === 'PersistentVolumeClaim');
  assert.equal(claim?.metadata.name, 'tocsin-state');
  assert.ok(claim);
  assert.deepEqual((claim.spec as { accessModes: unknown }).accessModes, ['ReadWriteOnce']);
  const names = (manifests: readonly Manifest[]): string[] =>
    manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
  assert.deepEqual(names(pro), [...names(base), 'PersistentVolumeClaim/tocsin-state'].sort());
});

test('the program in the image runs and says its version', () => {
  const bundle = join(image.root, image.entrypoint.at(-1) ?? '');
  const { stdout, stderr } = spawnSync(process.execPath, [...image.entrypoint.slice(1, -1), bundle, '--version'], {
    encoding: 'utf8',
    env: image.environment,
  });
  assert.equal(stdout.trim(), packageJson.version, stderr);
});

test('the overlays of docs/install.md build: another image, another namespace with all subjects, OpenShift', () => {
  const documented = [
    ...readFileSync(join(project, 'docs/install.md'), 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)```/gm),
  ]
    .map(([, indent = '', text = '']) => parse(text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')) as object)
    .filter((block) => 'images' in block || 'patches' in block);
  assert.equal(documented.length, 1);
  const overlay = join(folder, 'overlay');
  mkdirSync(overlay);
  const resources = [relative(overlay, join(project, 'config/default'))];
  const components = [relative(overlay, join(project, 'config/openshift'))];
  const kustomization = Object.assign({ namespace: 'monitoring' }, ...documented, { resources, components }) as object;
  writeFileSync(join(overlay, 'kustomization.yaml'), stringify(kustomization));
  const manifests = build(overlay);
  const places = manifests.flatMap(({ kind, metadata, subjects = [] }) => [
    kind === 'Namespace' ? metadata.name : metadata.namespace,
    ...subjects.map(({ namespace }) => namespace),
  ]);
  assert.deepEqual(new Set(places), new Set([undefined, 'monitoring']));
  const { securityContext, containers } = podSpecOf(manifests);
  assert.equal(containers[0]?.image, `registry.example.com/tocsin:${packageJson.version}`);
  assert.deepEqual(Object.keys(securityContext).sort(), ['runAsNonRoot', 'seccompProfile']);
});
