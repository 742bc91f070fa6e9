import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import type { Container } from './install-container.ts';
import { runAsPod } from './install-pod.ts';
import { type InstallStage, startInstallStage } from './install-stage.ts';
import { deployment } from './stage.ts';

const program = join(import.meta.dirname, '../../src/main.ts');
const image = 'registry.example/tocsin:0.1.0';

let stage: InstallStage;
let container: Container | undefined;
const kubectl = (...args: string[]): Promise<string> => stage.plane.kubectl(args);

type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs the program as somebody at a terminal would. */
function tocsin(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, KUBECONFIG: stage.plane.admin.kubeconfigPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString('utf8')));
    child.on('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }));
  });
}

/** Every object of the cluster that a person could find, but for what the control plane writes by itself. */
async function everything(): Promise<readonly string[]> {
  const kinds =
    'namespaces,crd,clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,deployments,replicasets,pods,networkpolicies,resourcequotas,secrets,configmaps,leases,persistentvolumeclaims';
  const path = '{range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name}{"\\n"}{end}';
  return (await kubectl('get', kinds, '-A', `-o=jsonpath=${path}`))
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

before(async () => {
  stage = await startInstallStage();
});
after(async () => {
  await container?.stop();
  await stage?.stop();
});

let atFirst: readonly string[];

test('--dry-run writes nothing, and says what would be made; --output yaml prints manifests that the API server takes', async () => {
  atFirst = await everything();
  const { code, out, err } = await tocsin('install', '--image', image, '--dry-run');
  assert.equal(code, 0, err);
  assert.match(out, /^namespace\/tocsin would be created$/m);
  assert.match(out, /^deployment\/tocsin would be created$/m);
  const printed = await tocsin(
    'install',
    '--image',
    image,
    '--cluster-name',
    'prod-eu',
    '--dry-run',
    '--output',
    'yaml',
  );
  assert.equal(printed.code, 0, printed.err);
  const objects = parseAllDocuments(printed.out).map((document) => document.toJS() as { readonly kind: string });
  assert.equal(objects.filter(({ kind }) => kind === 'CustomResourceDefinition').length, 4);
  assert.deepEqual(objects.at(-1), {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertConfig',
    metadata: {
      name: 'default',
      namespace: 'tocsin',
      labels: {
        'app.kubernetes.io/name': 'tocsin',
        'app.kubernetes.io/part-of': 'tocsin',
        'app.kubernetes.io/managed-by': 'tocsin',
      },
    },
    spec: { app: { clusterName: 'prod-eu' }, statusEndpoint: { enabled: true } },
  });
  assert.deepEqual(await everything(), atFirst);
});

test('what cannot be is said with the remedy: no image, nothing to upgrade, nothing to uninstall', async () => {
  const unknown = await tocsin('install');
  assert.deepEqual([unknown.code, /say --image registry/.test(unknown.err)], [2, true], unknown.err);
  const upgrade = await tocsin('upgrade', '--image', image);
  assert.deepEqual(
    [upgrade.code, upgrade.err],
    [1, 'tocsin upgrade: Tocsin is not in the namespace tocsin: tocsin install\n'],
  );
  const uninstall = await tocsin('uninstall', '--yes');
  assert.deepEqual(
    [uninstall.code, uninstall.err],
    [1, 'tocsin uninstall: nothing of Tocsin is in the namespace tocsin\n'],
  );
});

test('from nothing to a message: one command installs it and waits until it is ready, with its status page on', async () => {
  const started = performance.now();
  const { code, out, err } = await tocsin('install', '--image', image, '--cluster-name', 'prod-eu');
  assert.equal(code, 0, err);
  assert.match(out, /Tocsin 0\.1\.0 is ready in the namespace tocsin, after \d+ s\./);
  container = await runAsPod(stage);
  await stage.apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'oncall', namespace: 'tocsin' },
      stringData: { url: stage.receiver.url },
    },
    deployment('api', {
      replicas: 1,
      image: 'registry.example/api:1',
      script: { exit: { afterSeconds: 2, code: 1 }, log: ['FATAL no'] },
    }),
  );
  // As the command itself says what is next.
  const manifest = /<<'EOF'\n([\s\S]*?)\n {2}EOF/.exec(out)?.[1] ?? '';
  await stage.plane.kubectl(['apply', '-f', '-'], manifest);
  const { message } = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 120);
  assert.match(message, /Cluster: prod-eu/);
  console.log(`from nothing to a message by \`tocsin install\`: ${Math.round((performance.now() - started) / 1000)} s`);
  const port = new URL(container.url).port;
  const page = await fetch(`http://127.0.0.1:${port}/status`, { headers: { accept: 'application/json' } });
  assert.equal(page.status, 200);
});

test('again it changes nothing, and what people have configured is left as it is', async () => {
  await kubectl(
    '-n',
    'tocsin',
    'patch',
    'ac',
    'default',
    '--type=merge',
    '-p',
    '{"spec":{"app":{"clusterName":"mine"}}}',
  );
  const { code, out } = await tocsin('install', '--image', image, '--cluster-name', 'other');
  assert.equal(code, 0);
  const lines = out.split('\n').filter((line) => / (created|changed|deleted)$/.test(line));
  assert.deepEqual(lines, []);
  assert.match(out, /^alertconfig\/default is yours: left as it is\. To name the cluster: kubectl -n tocsin patch/m);
  assert.equal(await kubectl('-n', 'tocsin', 'get', 'ac', 'default', '-o=jsonpath={.spec.app.clusterName}'), 'mine');
});

test('an upgrade brings what is new, takes away what is gone, and asks before it overrides somebody', async () => {
  // A role that an earlier version installed.
  const labels = { 'app.kubernetes.io/name': 'tocsin', 'app.kubernetes.io/managed-by': 'tocsin' };
  await stage.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'tocsin-old', labels },
    rules: [],
  });
  await kubectl('-n', 'tocsin', 'set', 'resources', 'deployment/tocsin', '--limits=memory=1Gi');
  const next = 'registry.example/tocsin:0.2.0';
  const refused = await tocsin('upgrade', '--image', next);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /deployment\/tocsin has fields that somebody else has set: .*memory.* Say --force/s);
  const dry = await tocsin('upgrade', '--image', next, '--force', '--dry-run');
  assert.match(dry.out, /^deployment\/tocsin would be changed$/m);
  assert.match(dry.out, /^clusterrole\/tocsin-old would be deleted$/m);
  const { code, out, err } = await tocsin('upgrade', '--image', next, '--force');
  assert.equal(code, 0, err);
  assert.match(out, /^deployment\/tocsin changed$/m);
  await assert.rejects(kubectl('get', 'clusterrole', 'tocsin-old'), /not found/);
});

test('a Pod that does not become ready is said with what its Pod says', async () => {
  const script = (pull: string | null): Promise<string> => {
    const annotations = { 'sandbox.tocsin.dev/script': pull === null ? null : JSON.stringify({ pullError: pull }) };
    const patch = JSON.stringify({ spec: { template: { metadata: { annotations } } } });
    return kubectl('-n', 'tocsin', 'patch', 'deployment', 'tocsin', '--type=merge', '-p', patch);
  };
  await script('NotFound');
  const { code, err } = await tocsin('upgrade', '--image', 'registry.example/none:1', '--force', '--timeout', '20');
  assert.equal(code, 1);
  assert.match(err, /the Pod is not ready after 20 s: (?:ErrImagePull|ImagePullBackOff): .*registry\.example\/none:1/);
  await script(null);
});

test('whoever may not is told what, and who can; another namespace and another keeper are refused by name', async () => {
  const elsewhere = await tocsin('install', '--image', image, '--namespace', 'alerts');
  assert.match(elsewhere.err, /Tocsin is in the namespace tocsin already, and one serves a cluster/);
  await kubectl('-n', 'tocsin', 'label', '--overwrite', 'deployment', 'tocsin', 'app.kubernetes.io/managed-by=Helm');
  for (const verb of ['install', 'upgrade', 'uninstall']) {
    const { code, err } = await tocsin(verb, ...(verb === 'uninstall' ? ['--yes'] : ['--image', image]));
    assert.equal(code, 1);
    assert.match(err, /installed by Helm in the namespace tocsin: use `helm (?:upgrade|uninstall)`/);
  }
  await kubectl('-n', 'tocsin', 'label', '--overwrite', 'deployment', 'tocsin', 'app.kubernetes.io/managed-by=tocsin');
});

test('uninstall: nothing without --yes, the configuration kept where asked, and in the end nothing is left', async () => {
  const asked = await tocsin('uninstall');
  assert.equal(asked.code, 1);
  assert.match(asked.err, /1 AlertProvider, 1 AlertConfig.*Nothing has been deleted/s);
  await kubectl('-n', 'tocsin', 'get', 'deployment', 'tocsin');
  const kept = await tocsin('uninstall', '--keep-configuration', '--yes');
  assert.equal(kept.code, 0, kept.err);
  await kubectl('-n', 'tocsin', 'get', 'ap/oncall', 'secret/oncall');
  await assert.rejects(kubectl('-n', 'tocsin', 'get', 'deployment', 'tocsin'), /not found/);
  const back = await tocsin('install', '--image', image);
  assert.equal(back.code, 0, back.err);
  await container?.stop();
  container = undefined;
  const { code, out, err } = await tocsin('uninstall', '--yes');
  assert.equal(code, 0, err);
  assert.match(out, /Nothing of Tocsin is left\./);
  await kubectl('delete', 'namespace', 'shop', '--wait');
  assert.deepEqual(await everything(), atFirst);
});
