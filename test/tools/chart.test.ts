import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { chartValues } from '../../scripts/generate/chart-values.ts';
import { group, storedApiVersion, version } from '../../src/api/group.ts';
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
  const { ok, out } = run(
    ['template', 'tocsin', chart, '--include-crds', '--namespace', 'tocsin', ...kubernetes],
    values,
  );
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
  'meta.helm.sh/release-name',
  'meta.helm.sh/release-namespace',
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

test('with its own values the chart is config/default and config/settings; with state it is config/pro', () => {
  // The chart writes the version that a release of before serves, too: Helm asks for the kinds before it changes any.
  const settings = built('config/settings').replaceAll(`${group}/${version}`, storedApiVersion);
  assert.deepEqual(objectsOf(rendered()), objectsOf(`${built('config/default')}---\n${settings}`));
  assert.deepEqual(
    objectsOf(rendered({ state: { persistent: true } })),
    objectsOf(`${built('config/pro')}---\n${settings}`),
  );
});

test('what people configure is made of values: settings, providers, silences and windows, each with its own spec', () => {
  const url = { secretKeyRef: { name: 'oncall', key: 'url' } };
  const values = {
    config: { app: { clusterName: 'prod-eu' } },
    providers: { oncall: { type: 'webhook', webhook: { url } } },
    silences: { lab: { selector: { namespaces: ['lab'] }, durationSeconds: 31_536_000 } },
    maintenanceWindows: { night: { selector: { namespaces: ['lab'] }, schedule: '0 2 * * *', durationSeconds: 3600 } },
  };
  const objects = objectsOf(rendered(values));
  const spec = (key: string): unknown => (objects.get(key) as { readonly spec: unknown } | undefined)?.spec;
  assert.deepEqual(spec('AlertConfig/default'), { ...values.config, statusEndpoint: { enabled: true } });
  assert.deepEqual(spec('AlertProvider/oncall'), values.providers.oncall);
  assert.deepEqual(spec('Silence/lab'), values.silences.lab);
  assert.deepEqual(spec('MaintenanceWindow/night'), values.maintenanceWindows.night);
  assert.equal(objectsOf(rendered({ config: null })).has('AlertConfig/default'), false);
});

test('a credential in the values, a misspelt field of a spec, and a label of the chart’s own are refused by name', () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [
      { providers: { chat: { type: 'slack', slack: { webhook: { value: 'https://x' } } } } },
      /providers\/chat\/slack\/webhook.*'value'/s,
    ],
    [{ config: { app: { clustername: 'x' } } }, /config\/app.*'clustername'/s],
    [{ silences: { lab: { selektor: {} } } }, /silences\/lab.*'selektor'/s],
    [{ providers: { Not_a_name: { type: 'webhook' } } }, /Not_a_name/],
    [{ commonLabels: { 'app.kubernetes.io/name': 'x' } }, /app.kubernetes.io\/name/],
    [{ image: { digest: 'sha256:short' } }, /image\/digest/],
  ];
  for (const [values, said] of wrong) {
    const { ok, out } = run(['template', 'tocsin', chart, ...kubernetes], values);
    assert.equal(ok, false, JSON.stringify(values));
    assert.match(out, said);
  }
});

test('for Prometheus and Grafana: the alerts as they are, with runbooks where asked, the cluster on every series, the dashboard', () => {
  const labels = { release: 'prometheus' };
  const objects = objectsOf(
    rendered({
      config: { app: { clusterName: 'prod-eu' } },
      podMonitor: { enabled: true, labels },
      prometheusRule: { enabled: true, labels, runbookURL: 'https://docs.example.com/metrics' },
      dashboard: { enabled: true },
    }),
  );
  const monitor = objects.get('PodMonitor/tocsin') as {
    readonly metadata: object;
    readonly spec: { readonly podMetricsEndpoints: readonly object[] };
  };
  assert.deepEqual(monitor.metadata, { name: 'tocsin', namespace: 'tocsin', labels });
  const [endpoint] = monitor.spec.podMetricsEndpoints;
  assert.deepEqual(endpoint, {
    port: 'http',
    path: '/metrics',
    interval: '30s',
    relabelings: [{ targetLabel: 'cluster', replacement: 'prod-eu' }],
  });
  type Rules = {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly annotations: Record<string, string> }[];
    }[];
  };
  const rule = objects.get('PrometheusRule/tocsin') as { readonly spec: Rules };
  const alerts = parse(readFileSync(join(project, 'config/prometheus/alerts.yaml'), 'utf8')) as Rules;
  for (const each of alerts.groups.flatMap(({ rules }) => rules))
    each.annotations.runbook_url = `https://docs.example.com/metrics#${each.alert.toLowerCase()}`;
  assert.deepEqual(rule.spec, alerts);
  const board = objects.get('ConfigMap/tocsin-dashboard') as { readonly data: Readonly<Record<string, string>> };
  assert.equal(board.data['tocsin.json'], readFileSync(join(project, 'config/grafana/tocsin.json'), 'utf8'));
});

test('the roles that are not for everybody are those of their folders, and only where they are asked for', () => {
  const base = objectsOf(rendered());
  for (const [value, path] of [
    ['nodeStats', 'config/node-stats'],
    ['secrets', 'config/secrets'],
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
    return { ...Object(preset), x: 'z' };
  };
  /** Values that have a shape of their own. */
  const shaped: Readonly<Record<string, unknown>> = {
    extraArgs: ['--log-level=debug'],
    config: { app: { clusterName: 'prod-eu' } },
    providers: { chat: { type: 'webhook' } },
    silences: { lab: { selector: { names: ['x'] }, durationSeconds: 60 } },
    maintenanceWindows: { night: { selector: { names: ['x'] }, schedule: '0 2 * * *', durationSeconds: 60 } },
    'image.digest': `sha256:${'a'.repeat(64)}`,
  };
  /** What a value is a part of, and must be there. */
  const beside: Readonly<Record<string, object>> = {
    'state.storageClassName': { persistent: true },
    'podMonitor.labels': { enabled: true },
    'prometheusRule.labels': { enabled: true },
    'prometheusRule.runbookURL': { enabled: true },
    'dashboard.labels': { enabled: true },
  };
  for (const { name, preset } of chartValues(deployment)) {
    // Takes a cluster: see below.
    if (name === 'crds.upgrade') continue;
    const [first = '', second] = name.split('.');
    const valuesWith = (value: object): object =>
      second === undefined ? value : { [first]: { ...beside[name], ...value } };
    const changed = rendered(valuesWith({ [second ?? first]: shaped[name] ?? other(preset) }));
    assert.notEqual(changed, beside[name] ? rendered(valuesWith({})) : before, name);
  }
  for (const wrong of [{ resource: {} }, { image: { repo: 'x' } }, { crds: { upgrade: 'perhaps' } }]) {
    const { ok, out } = run(['template', 'tocsin', chart, ...kubernetes], wrong);
    assert.equal(ok, false);
    assert.match(out, /resource|repo|upgrade/);
  }
});

test('on a real control plane: one command installs it with what it is told; an upgrade brings the custom resources along; they outlive it', async () => {
  const plane = await startControlPlane();
  try {
    const at = ['--kubeconfig', plane.admin.kubeconfigPath, '--namespace', 'tocsin'];
    const url = { secretKeyRef: { name: 'oncall', key: 'url' } };
    const told = {
      config: { app: { clusterName: 'prod-eu' } },
      providers: { oncall: { type: 'webhook', webhook: { url } } },
      silences: { lab: { selector: { namespaces: ['lab'] }, durationSeconds: 31_536_000 } },
      maintenanceWindows: {
        night: { selector: { namespaces: ['lab'] }, schedule: '0 2 * * *', durationSeconds: 3600 },
      },
      commonLabels: { team: 'platform' },
    };
    const installed = run(['install', 'tocsin', chart, '--create-namespace', ...at], told);
    assert.ok(installed.ok, installed.out);
    const notes = installed.out.slice(installed.out.indexOf('NOTES:'));
    assert.match(notes, /set image\.repository to where you pushed it/);
    const manifest = /<<'EOF'\n([\s\S]*?)\n\s*EOF/.exec(notes)?.[1] ?? '';
    const file = join(folder, 'provider.yaml');
    writeFileSync(file, manifest);
    assert.match(await plane.kubectl(['apply', '-f', file]), /alertprovider.* configured/);
    const own = await plane.kubectl(['-n', 'tocsin', 'get', 'ac,ap,sil,mw', '-l', 'team=platform', '-o', 'name']);
    assert.deepEqual(
      own
        .trim()
        .split('\n')
        .map((name) => name.replace('.tocsin.dev', '')),
      ['alertconfig/default', 'alertprovider/oncall', 'silence/lab', 'maintenancewindow/night'],
    );
    // As an earlier version would have left it.
    const crd = 'crd/silences.tocsin.dev';
    const edit = '[{"op":"replace","path":"/spec/versions/0/additionalPrinterColumns","value":[]}]';
    const columns = '-o=jsonpath={.spec.versions[0].additionalPrinterColumns[*].name}';
    await plane.kubectl(['patch', crd, '--type=json', '-p', edit]);
    const upgraded = run(['upgrade', 'tocsin', chart, '--reuse-values', ...at], {
      rbac: { nodeStats: true },
      image: { tag: 'next' },
    });
    assert.ok(upgraded.ok, upgraded.out);
    assert.notEqual(await plane.kubectl(['get', crd, columns]), '');
    const image = '-o=jsonpath={.spec.template.spec.containers[0].image}';
    assert.equal(await plane.kubectl(['-n', 'tocsin', 'get', 'deployment', 'tocsin', image]), 'tocsin:next');
    await plane.kubectl(['get', 'clusterrole', 'tocsin-node-stats']);
    const gone = run(['uninstall', 'tocsin', ...at]);
    assert.ok(gone.ok, gone.out);
    assert.equal(
      await plane.kubectl([
        'get',
        'deployments,clusterroles,clusterrolebindings',
        '-A',
        '-l',
        'team=platform',
        '-o',
        'name',
      ]),
      '',
    );
    assert.match(await plane.kubectl(['get', 'crd', '-o', 'name']), /silences\.tocsin\.dev/);
    // Again, over the kinds that stayed; and beside them, as another release would be.
    const again = run(['install', 'tocsin', chart, ...at], told);
    assert.ok(again.ok, again.out);
    assert.ok(run(['uninstall', 'tocsin', ...at]).ok);
    const elsewhere = run(
      ['install', 'alerts', chart, '--create-namespace', ...at.slice(0, 2), '--namespace', 'monitoring'],
      told,
    );
    assert.ok(elsewhere.ok, elsewhere.out);
    assert.match(elsewhere.out, /kubectl annotate --overwrite crd .* meta\.helm\.sh\/release-name=alerts/);
  } finally {
    await plane.stop();
  }
});
