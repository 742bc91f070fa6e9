import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments, stringify } from 'yaml';
import { lintOf } from '../cli/streams.ts';
import { findBinaries } from '../controlplane/binaries.ts';
import { startControlPlane } from '../controlplane/cluster.ts';
import { prepareServer } from '../servers/build.ts';

const project = join(import.meta.dirname, '../..');

type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly { readonly namespace?: string }[];
  readonly spec?: { readonly template?: { readonly metadata: object; readonly spec: PodSpec } };
};
type PodSpec = { readonly securityContext: Readonly<Record<string, unknown>>; readonly containers: readonly object[] };

/** What kubectl builds of a folder. */
function built(path: string): readonly Manifest[] {
  const kubectl = findBinaries()?.kubectl ?? 'kubectl';
  const { status, stdout, stderr } = spawnSync(kubectl, ['kustomize', join(project, path)], { encoding: 'utf8' });
  assert.equal(status, 0, `${path}: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

const names = (manifests: readonly Manifest[]): readonly string[] =>
  manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
const podOf = (manifests: readonly Manifest[]) =>
  manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template ?? assert.fail('no Deployment');

/** What changes an overlay and is none by itself. */
const components = new Set([join('config', 'openshift'), join('config', 'hardened')]);

test('every kustomization of config/ that can stand alone builds', () => {
  const files = globSync('config/**/kustomization.yaml', { cwd: project });
  assert.ok(files.length > 12);
  for (const file of files) if (!components.has(dirname(file))) assert.ok(built(dirname(file)).length > 0, file);
});

test('Community is config/default and Pro is config/pro, from another registry', () => {
  for (const [overlay, base] of [
    ['community', 'default'],
    ['pro', 'pro'],
  ] as const) {
    const [ours, its] = [built(`config/overlays/${overlay}`), built(`config/${base}`)];
    assert.deepEqual(names(ours), names(its));
    assert.match(JSON.stringify(podOf(ours).spec.containers), /"image":"registry\.example\.com\/tocsin:/);
  }
});

test('a tenant’s namespace gets its role and its quota, and the binding keeps Tocsin as its subject', () => {
  const manifests = built('config/overlays/tenants');
  assert.deepEqual(names(manifests), ['ResourceQuota/tocsin', 'Role/tocsin-tenant', 'RoleBinding/tocsin-tenant']);
  assert.deepEqual(new Set(manifests.map(({ metadata }) => metadata.namespace)), new Set(['team-a']));
  assert.deepEqual(
    manifests.flatMap(({ subjects = [] }) => subjects.map(({ namespace }) => namespace)),
    ['tocsin'],
  );
});

test('on OpenShift no user or group is fixed, and nothing else of the Pod is different', () => {
  const [ours, its] = [podOf(built('config/overlays/openshift')).spec, podOf(built('config/overlays/community')).spec];
  const { runAsUser, runAsGroup, fsGroup, ...left } = its.securityContext;
  assert.deepEqual([runAsUser, runAsGroup, fsGroup], [65532, 65532, 65532]);
  assert.deepEqual(ours, { ...its, securityContext: left });
});

test('hardened, its root is nobody on the Node, it may start no program and write nothing, and metadata is out of reach', () => {
  const manifests = built('config/overlays/hardened');
  const pod = JSON.stringify(podOf(manifests).spec);
  assert.match(pod, /"hostUsers":false/);
  assert.match(pod, /"value":"--permission (?:--allow-fs-read=[\w/*]+ ?)+"/);
  const policy = JSON.stringify(manifests.find(({ kind }) => kind === 'NetworkPolicy')?.spec);
  for (const address of ['169.254.169.254/32', 'fd00:ec2::/32']) assert.ok(policy.includes(address), address);
  assert.match(policy, /"port":53,"protocol":"UDP"/);
});

test('restricted Pod Security of a real API server admits the Pod of every overlay, also as the user that OpenShift would choose', async () => {
  const plane = await startControlPlane();
  try {
    for (const [overlay, user] of [
      ['community', undefined],
      ['pro', undefined],
      ['hardened', undefined],
      ['openshift', 1_000_680_000],
    ] as const) {
      const { metadata, spec } = podOf(built(`config/overlays/${overlay}`));
      const name = `as-${overlay}`;
      const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
      await plane.kubectl(
        ['apply', '-f', '-'],
        stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }),
      );
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } };
      await plane.kubectl(['apply', '-f', '-'], stringify(account));
      const chosen = user === undefined ? {} : { runAsUser: user, fsGroup: user };
      const pod = {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'tocsin', namespace: name } },
        // The account is not what is tested.
        spec: { ...spec, serviceAccountName: undefined, securityContext: { ...spec.securityContext, ...chosen } },
      };
      const admitted = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], JSON.stringify(pod));
      assert.match(admitted, /pod\/tocsin created/, overlay);
      const open = { ...pod, spec: { ...pod.spec, securityContext: {} } };
      await assert.rejects(
        plane.kubectl(['apply', '--dry-run=server', '-f', '-'], JSON.stringify(open)),
        /PodSecurity/,
      );
    }
  } finally {
    await plane.stop();
  }
});

test('the samples for GitOps build, lint finds nothing in what they tell Tocsin, and each folder that they name is there', async () => {
  const samples = join(project, 'config/gitops');
  assert.deepEqual(names(built('config/gitops/tocsin')), names(built('config/default')));
  assert.deepEqual(names(built('config/gitops/alerting')), ['AlertConfig/default', 'AlertProvider/oncall']);
  const { code, out } = await lintOf([join(samples, 'alerting')]);
  assert.equal(code, 0, out);
  const argo = documentsOf(join(samples, 'argo-cd/applications.yaml'));
  const flux = documentsOf(join(samples, 'flux/sync.yaml')).filter(({ kind }) => kind === 'Kustomization');
  const paths = [
    ...argo.map(({ spec }) => (spec as { source: { path: string } }).source.path),
    ...flux.map(({ spec }) => (spec as { path: string }).path),
  ];
  assert.equal(paths.length, 4);
  for (const path of paths) assert.ok(existsSync(join(samples, path, 'kustomization.yaml')), path);
});

test('Argo CD’s and Flux’s own definitions take the samples for GitOps, every field of them', async () => {
  const samples = { 'argo-cd/applications.yaml': 'Application', 'flux/sync.yaml': 'Kustomization' } as const;
  const definitions = [
    join(await prepareServer('argo-cd'), 'manifests/crds/application-crd.yaml'),
    join(await prepareServer('flux-kustomize'), 'config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml'),
    join(await prepareServer('flux-source'), 'config/crd/bases/source.toolkit.fluxcd.io_gitrepositories.yaml'),
  ];
  const plane = await startControlPlane();
  try {
    for (const file of definitions) await plane.kubectl(['apply', '--server-side', '-f', file]);
    await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all']);
    for (const name of ['argocd', 'flux-system']) await plane.kubectl(['create', 'namespace', name]);
    const dryRun = (text: string): Promise<string> =>
      plane.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], text);
    for (const [path, kind] of Object.entries(samples)) {
      const text = readFileSync(join(project, 'config/gitops', path), 'utf8');
      const taken = await dryRun(text);
      assert.equal(taken.match(/ created/g)?.length, parseAllDocuments(text).length, taken);
      assert.match(taken, new RegExp(`^${kind.toLowerCase()}\\.`, 'm'));
      // It does look.
      await assert.rejects(
        dryRun(text.replace(/^ {2}(source|sourceRef):/m, '  wrong: {}\n$&')),
        /unknown field "spec\.wrong"/,
      );
    }
  } finally {
    await plane.stop();
  }
});

function documentsOf(file: string): readonly { readonly kind: string; readonly spec: unknown }[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
}
