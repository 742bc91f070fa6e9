import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseAllDocuments, stringify } from 'yaml';
import { chartValues } from '../../scripts/generate/chart-values.ts';
import { findBinaries } from '../controlplane/binaries.ts';
import { startControlPlane } from '../controlplane/cluster.ts';
import { prepareServer } from '../servers/build.ts';

const project = join(import.meta.dirname, '../..');
const chart = join(project, 'config/chart');
const folder = mkdtempSync(join(tmpdir(), 'tocsin-chart-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let helm: string;
before(async () => {
  helm = join(await prepareServer('helm'), 'helm');
});

type Manifest = {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
};

/** Runs Helm with values; what it prints, or its complaint. */
function run(args: readonly string[], values: object = {}): { readonly ok: boolean; readonly out: string } {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  const more = args[0] === 'uninstall' ? [] : ['--values', file];
  const { status, stdout, stderr } = spawnSync(helm, [...args, ...more], {
    encoding: 'utf8',
    env: { ...process.env, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
  });
  return status === 0 ? { ok: true, out: stdout } : { ok: false, out: stderr + stdout };
}

function rendered(values: object = {}): string {
  const { ok, out } = run(['template', 'tocsin', chart, '--namespace', 'tocsin', ...kubernetes], values);
  assert.ok(ok, out);
  return out;
}

/** What kubectl builds of a folder of `config/`. */
function built(path: string): string {
  const kubectl = findBinaries()?.kubectl ?? 'kubectl';
  const { status, stdout, stderr } = spawnSync(kubectl, ['kustomize', join(project, path)], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Rendered without a cluster, Helm takes the one that it was built with for granted. */
const kubernetes = ['--kube-version', '1.36.0'];

/** Labels and an annotation that only Helm adds. */
const ofHelm = new Set([
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
  'helm.sh/chart',
  'helm.sh/resource-policy',
]);

/** Labels that only kustomize adds: `config/default` has them, what is applied beside it does not. */
const common = new Set(['app.kubernetes.io/name', 'app.kubernetes.io/part-of']);

function without(map: Readonly<Record<string, string>> | undefined, keys: ReadonlySet<string>): object | undefined {
  const left = Object.entries(map ?? {}).filter(([key]) => !keys.has(key));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** Objects by kind and name, without what each tool adds of its own. The namespace is made by `--create-namespace`. */
function objectsOf(text: string): ReadonlyMap<string, unknown> {
  const objects = parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
    .filter(({ kind }) => kind !== 'Namespace');
  return new Map(
    objects
      .map(({ metadata, ...rest }): [string, unknown] => {
        const { labels, annotations, ...more } = metadata;
        const kept = {
          labels: without(labels, new Set([...ofHelm, ...common])),
          annotations: without(annotations, ofHelm),
        };
        return [
          `${rest.kind}/${metadata.name}`,
          JSON.parse(JSON.stringify({ ...rest, metadata: { ...more, ...kept } })),
        ];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

test('helm lint finds nothing', () => {
  const { ok, out } = run(['lint', '--strict', chart, ...kubernetes]);
  assert.ok(ok, out);
});

test('with its own values the chart is config/default; with state it is config/pro', () => {
  assert.deepEqual(objectsOf(rendered()), objectsOf(built('config/default')));
  assert.deepEqual(objectsOf(rendered({ state: { persistent: true } })), objectsOf(built('config/pro')));
});

test('the roles that are not for everybody are those of their folders, and only where they are asked for', () => {
  const base = objectsOf(rendered());
  for (const [value, path] of [
    ['nodeStats', 'config/node-stats'],
    ['tlsSecrets', 'config/tls-secrets'],
  ] as const) {
    const more = [...objectsOf(rendered({ rbac: { [value]: true } }))].filter(([key]) => !base.has(key));
    assert.deepEqual(new Map(more), objectsOf(built(path)));
  }
});

test('another namespace is every subject’s', () => {
  const { out } = run(['template', 'tocsin', chart, '--namespace', 'monitoring', ...kubernetes]);
  assert.doesNotMatch(out, /namespace: tocsin/);
});

test('every value changes what is installed, and one that is misspelt is refused by name', () => {
  const before = rendered();
  const deployment: unknown = parseAllDocuments(built('config/manager'))
    .map((document) => document.toJS() as Manifest)
    .find(({ kind }) => kind === 'Deployment');
  const other = (preset: unknown): unknown => {
    if (typeof preset === 'boolean') return !preset;
    if (typeof preset === 'string') return preset.endsWith('i') ? '2Gi' : 'Never';
    if (Array.isArray(preset)) return [...preset, preset.length === 0 ? { name: 'x', value: 'y' } : preset[0]];
    return { ...Object(preset), x: 'y' };
  };
  for (const { name, preset } of chartValues(deployment)) {
    const value = name === 'extraArgs' ? ['--log-level=debug'] : other(preset);
    const [first = '', second] = name.split('.');
    // The class is that of a claim, which is there only where state is to be kept.
    const beside = name === 'state.storageClassName' ? { persistent: true } : {};
    const values = { [first]: second === undefined ? value : { ...beside, [second]: value } };
    assert.notEqual(rendered(values), before, name);
  }
  for (const wrong of [{ resource: {} }, { image: { repo: 'x' } }, { crds: { keep: 'perhaps' } }]) {
    const { ok, out } = run(['template', 'tocsin', chart, ...kubernetes], wrong);
    assert.equal(ok, false);
    assert.match(out, /resource|repo|keep/);
  }
});

test('on a real control plane: installed, upgraded and uninstalled, after which the custom resources are still there', async () => {
  const plane = await startControlPlane();
  try {
    const at = ['--kubeconfig', plane.admin.kubeconfigPath, '--namespace', 'tocsin'];
    const installed = run(['install', 'tocsin', chart, '--create-namespace', ...at]);
    assert.ok(installed.ok, installed.out);
    const notes = installed.out.slice(installed.out.indexOf('NOTES:'));
    assert.match(notes, /set image\.repository to where you pushed it/);
    const manifest = /<<'EOF'\n([\s\S]*?)\n\s*EOF/.exec(notes)?.[1] ?? '';
    const file = join(folder, 'provider.yaml');
    writeFileSync(file, manifest);
    assert.match(await plane.kubectl(['apply', '-f', file]), /alertprovider.* created/);
    const upgraded = run(['upgrade', 'tocsin', chart, ...at], { rbac: { nodeStats: true }, image: { tag: 'next' } });
    assert.ok(upgraded.ok, upgraded.out);
    const image = '-o=jsonpath={.spec.template.spec.containers[0].image}';
    assert.equal(await plane.kubectl(['-n', 'tocsin', 'get', 'deployment', 'tocsin', image]), 'tocsin:next');
    await plane.kubectl(['get', 'clusterrole', 'tocsin-node-stats']);
    const gone = run(['uninstall', 'tocsin', ...at]);
    assert.ok(gone.ok, gone.out);
    assert.match(await plane.kubectl(['-n', 'tocsin', 'get', 'ap', '-o', 'name']), /oncall/);
  } finally {
    await plane.stop();
  }
});
