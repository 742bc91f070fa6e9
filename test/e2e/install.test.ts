import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { listServiceNetworks } from '../../src/kube/service-networks.ts';
import { readService } from '../../src/kube/services.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { sourceOf } from '../../src/model/resource.ts';
import { ownResources } from '../../src/operator/own-kinds.ts';
import { ClusterAddresses } from '../../src/runtime/watching/cluster-addresses.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { allows, expected, type Permission, permissionsOf, type Role, unused, wordsOf } from './install-audit.ts';
import { type Canaries, plantCanaries } from './install-canaries.ts';
import { type Container, canConfine, mountsOf, processStatus } from './install-container.ts';
import { runAsPod } from './install-pod.ts';
import { type InstallStage, otherKinds, serviceAccountUser, startInstallStage } from './install-stage.ts';
import { deployment } from './stage.ts';

const config = join(import.meta.dirname, '../../config');
const own = 'alertconfigs.tocsin.dev,alertproviders.tocsin.dev,silences.tocsin.dev,maintenancewindows.tocsin.dev';

let stage: InstallStage;
let canaries: Canaries;
let container: Container;

const kubectl = (...args: string[]): Promise<string> => stage.plane.kubectl(args);
async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse(await kubectl(...args, '-o', 'json')) as T;
}
/** What `kubectl auth can-i` says of a user; by default of Tocsin itself. */
const can = (action: string, user = serviceAccountUser): Promise<boolean> =>
  kubectl('auth', 'can-i', ...action.split(' '), '--as', user).then(
    () => true,
    (error: Error) => {
      // A mistake in the question is no answer.
      assert.doesNotMatch(error.message, /error:|have a resource type/, action);
      return false;
    },
  );

before(async () => {
  stage = await startInstallStage();
  canaries = await plantCanaries(stage.receiver.url);
});
after(async () => {
  await container?.stop();
  await canaries?.stop();
  await stage?.stop();
});

test('one command installs it: a Pod that restricted Pod Security admits, rolled out', async () => {
  await kubectl('apply', '-k', join(config, 'default'));
  await kubectl('-n', 'tocsin', 'rollout', 'status', 'deployment/tocsin', '--timeout=60s');
  assert.doesNotMatch(await kubectl('-n', 'tocsin', 'get', 'events'), /FailedCreate/);
  await assert.rejects(kubectl('-n', 'tocsin', 'run', 'lax', '--image=lax'), /violates PodSecurity "restricted/);
});

test('applying it again changes nothing, and no object differs from its manifest', async () => {
  const again = await kubectl('apply', '-k', join(config, 'default'));
  assert.deepEqual(
    again.split('\n').filter((line) => line !== '' && !line.endsWith(' unchanged')),
    [],
  );
  await kubectl('diff', '-k', join(config, 'default'));
});

test('applied server-side, as GitOps tools do, it settles at once: the second time no object is written', async () => {
  const versions = async (): Promise<string> => {
    await kubectl('apply', '--server-side', '--force-conflicts', '-k', join(config, 'default'));
    const path = '{range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
    // The Deployment is the controllers' to write, too: its specification counts.
    const all = await kubectl('get', '-k', join(config, 'default'), '-o', `jsonpath=${path}`);
    return all
      .split('\n')
      .filter((line) => !line.startsWith('Deployment/'))
      .join('\n');
  };
  const first = await versions();
  assert.match(first, /CustomResourceDefinition\/silences\.tocsin\.dev \d+/);
  assert.equal(await versions(), first);
  await kubectl('diff', '--server-side', '--force-conflicts', '-k', join(config, 'default'));
});

test('the bundle runs as the Pod would, with the token of its service account, and becomes ready', async () => {
  container = await runAsPod(stage);
});

test('it is no root user, has no capability, can gain none, and writes nowhere but to its state', {
  skip: !canConfine && 'takes root',
}, () => {
  const { pid } = container;
  assert.deepEqual(processStatus(pid, 'Uid').split('\t'), ['65532', '65532', '65532', '65532']);
  assert.deepEqual(processStatus(pid, 'Gid').split('\t'), ['65532', '65532', '65532', '65532']);
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    assert.match(processStatus(pid, set), /^0+$/, set);
  assert.equal(processStatus(pid, 'NoNewPrivs'), '1');
  const mounts = mountsOf(pid);
  for (const path of ['/', '/usr', '/nodejs/bin/node']) assert.match(mounts.get(path) ?? '', /^ro\b/, path);
  assert.match(mounts.get('/var/lib/tocsin') ?? '', /^rw\b/);
});

/** What this API server serves, as coverage names it. */
async function servedResources(): Promise<ReadonlySet<string>> {
  const names = await kubectl('api-resources', '--verbs=list,watch', '-o', 'name');
  return new Set(names.split('\n').map((name) => name.trim()));
}

test('it watches everything in its table that is served, and tells of a crash loop with the change and the last log line', async () => {
  await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await stage.apply(
    ...canaries.objects,
    ...otherKinds,
    deployment('checkout', { replicas: 2, image: 'registry.example/checkout:1.0' }),
  );
  await kubectl('-n', 'shop', 'rollout', 'status', 'deployment/checkout', '--timeout=60s');
  const script = { exit: { afterSeconds: 2, code: 1 }, log: ['FATAL cannot open database'] };
  await stage.apply(deployment('checkout', { replicas: 2, image: 'registry.example/checkout:1.1', script }));
  const opened = await stage.receiver.wait('opening', ({ type }) => type === 'incident.opened', 90);
  assert.deepEqual(opened.incident?.root, { kind: 'Deployment', namespace: 'shop', name: 'checkout' });
  assert.match(opened.message, /checkout:1\.1/);
  assert.match(opened.message, /FATAL cannot open database/);
  const health = (await (await fetch(`${container.url}/health`)).json()) as {
    coverage: { resources: { resource: string; state: string }[] };
  };
  const { resources } = health.coverage;
  const served = await servedResources();
  const watched = [...watchedKinds, ...ownResources].map(sourceOf);
  const expectedStates = watched.map((source) => [source, served.has(source) ? 'Watching' : 'NotServed']);
  assert.ok(expectedStates.filter(([, state]) => state === 'Watching').length > 40);
  // Custom resources take a licence; Secrets and how full volumes are, a permission besides. The API server itself is asked.
  for (const source of ['customresources', 'secrets', 'secrets/metadata', 'nodestats'])
    expectedStates.push([source, 'Disabled']);
  expectedStates.push(['apiservers', 'Watching']);
  assert.deepEqual(resources.map(({ resource, state }) => [resource, state]).sort(), expectedStates.sort());
});

test('a secret of a provider is seen nowhere: not in logs, statuses, Events, answers, messages or requests', async () => {
  for (const name of canaries.failing) {
    await kubectl('-n', 'tocsin', 'annotate', 'ap', name, 'tocsin.dev/test=1');
    await kubectl('-n', 'tocsin', 'wait', `--for=jsonpath={.status.lastTest.nonce}=1`, '--timeout=30s', `ap/${name}`);
  }
  // It was really sent, or this would show nothing.
  assert.deepEqual([...canaries.sent()].sort(), [
    'told.header',
    'told.mail',
    'told.password',
    'told.slack',
    'told.url',
  ]);
  const answers = ['/health', '/readyz?verbose', '/metrics'].map(async (path) =>
    (await fetch(container.url + path)).text(),
  );
  const statuses = await json<{ items: { status?: object; metadata: object }[] }>('get', own, '-A');
  const seen: Readonly<Record<string, string>> = {
    log: container.output.join('\n'),
    statuses: JSON.stringify(statuses.items.map(({ status }) => status)),
    events: await kubectl('get', 'events', '-A', '-o', 'json'),
    answers: (await Promise.all(answers)).join('\n'),
    messages: JSON.stringify(stage.receiver.messages),
    requests: readFileSync(stage.auditFile, 'utf8'),
  };
  assert.match(seen.statuses ?? '', /lastFailure/);
  for (const [where, text] of Object.entries(seen))
    for (const canary of canaries.values)
      for (const form of [canary, Buffer.from(canary).toString('base64')])
        assert.ok(!text.includes(form), `${form} in ${where}: ${around(text, form)}`);
});

/** What stands around a text, for the message of a failed test. */
function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 200), at + 200);
}

test('every request was allowed, every permission of ours is used or justified', async () => {
  const asked = stage.asked();
  assert.ok(asked.length > 50, `${asked.length} requests`);
  const failed = asked.filter(({ code }) => code >= 400).filter((request) => !expected.some((row) => row.is(request)));
  assert.deepEqual(failed, []);
  const roles = await Promise.all([
    json<Role>('get', 'clusterrole', 'tocsin'),
    json<Role>('get', 'clusterrole', 'tocsin-watch'),
    json<Role>('-n', 'tocsin', 'get', 'role', 'tocsin'),
  ]);
  const granted = roles.flatMap(permissionsOf);
  for (const { verb, resource } of granted) assert.ok(verb !== '*' && !resource.startsWith('*'));
  const idle = granted.filter((permission) => !asked.some((request) => allows(permission, request))).map(wordsOf);
  const served = await servedResources();
  const sources = [...watchedKinds, ...ownResources].map(sourceOf);
  // Servers without streaming lists are asked for lists; what is not served here may be elsewhere.
  const elsewhere = new Set([
    ...sources.map((source) => `list ${source}`),
    ...sources.filter((source) => !served.has(source)).map((source) => `watch ${source}`),
  ]);
  assert.deepEqual(
    idle.filter((words) => !(words in unused || elsewhere.has(words))),
    [],
  );
  const all = new Set(granted.map(wordsOf));
  assert.deepEqual(
    Object.keys(unused).filter((words) => !all.has(words)),
    [],
    'justified but not granted',
  );
  // What the roles of ours do not hold comes from `view`, or everybody has it.
  const view = permissionsOf(await json<Role>('get', 'clusterrole', 'view'));
  const everybody: readonly Permission[] = [
    { verb: 'create', resource: 'selfsubjectaccessreviews.authorization.k8s.io' },
  ];
  const unexplained = asked
    .filter(({ resource }) => resource !== '')
    .filter((request) => ![...granted, ...view, ...everybody].some((permission) => allows(permission, request)));
  assert.deepEqual(unexplained, []);
});

test('it may read what it watches, and nothing beyond: no other Secrets, no writing, no way to gain rights', async () => {
  const served = await servedResources();
  const yes = [
    ...[...watchedKinds, ...ownResources]
      .filter((row) => served.has(sourceOf(row)))
      .map(({ plural, group }) => `list ${plural}.${group} -A`),
    'get pods --subresource=log -n shop',
    'get secrets -n tocsin',
    'list servicecidrs.networking.k8s.io',
    'get services -n shop',
    'update leases.coordination.k8s.io/tocsin -n tocsin',
    'get leases.coordination.k8s.io/tocsin-trial -n tocsin',
  ];
  const no = [
    ...['list secrets -A', 'get secrets -n shop', 'list secrets -n tocsin', 'watch secrets -n tocsin'],
    ...['create pods --subresource=exec -n shop', 'get pods --subresource=exec -n shop', 'create pods -n tocsin'],
    ...['delete pods -n shop', 'patch deployments.apps -n shop', 'update nodes', 'get nodes --subresource=proxy'],
    ...['update alertproviders.tocsin.dev -n tocsin', 'delete silences.tocsin.dev -n tocsin', 'delete events -n shop'],
    ...['update leases.coordination.k8s.io/other -n tocsin', 'get leases.coordination.k8s.io -n kube-system'],
    ...['create serviceaccounts --subresource=token -n tocsin', 'impersonate users', 'escalate clusterroles', '* *'],
  ];
  for (const action of yes) assert.equal(await can(action), true, action);
  for (const action of no) assert.equal(await can(action), false, action);
});

test('it is told whose the addresses of the cluster are, so that no tenant is led to them', async () => {
  const token = await kubectl('-n', 'tocsin', 'create', 'token', 'tocsin');
  const config = fixedClusterConfig({
    server: stage.plane.url,
    tls: { ca: stage.plane.admin.ca },
    token: token.trim(),
  });
  const client = createApiClient(config, { clock: systemClock, version: '0' });
  try {
    const networks = await listServiceNetworks(client, new AbortController().signal);
    const kubernetes = await readService(client, 'default', 'kubernetes');
    assert.ok(networks.length > 0);
    const [address] = kubernetes?.clusterIPs ?? [];
    assert.ok(address !== undefined);
    const addresses = new ClusterAddresses(() => networks);
    assert.equal(addresses.ownerOf(address), 'a Service');
    assert.equal(await readService(client, 'shop', 'nothing'), undefined);
    // Nodes and Pods are watched: what the watch gives is what is read here.
    const { items } = await client.json<{ items: RawObject[] }>({ path: '/api/v1/nodes' });
    const [node] = items;
    assert.ok(node);
    const status = { addresses: [{ type: 'ExternalIP', address: '34.90.1.2' }] };
    const event = { is: 'put', raw: { ...node, status } } as const;
    addresses.take({ kind: 'objects', source: 'nodes', events: [event] });
    assert.equal(addresses.ownerOf('34.90.1.2'), 'a Node');
  } finally {
    await client.close();
  }
});

test('people who may view a namespace see its alerting, and people who may edit it configure it', async () => {
  for (const role of ['view', 'edit'])
    await kubectl('-n', 'shop', 'create', 'rolebinding', role, `--clusterrole=${role}`, `--user=${role}er`);
  const rows: readonly [string, boolean, boolean][] = [
    ['get alertproviders.tocsin.dev -n shop', true, true],
    ['create silences.tocsin.dev -n shop', false, true],
    ['delete maintenancewindows.tocsin.dev -n shop', false, true],
    ['patch alertproviders.tocsin.dev --subresource=status -n shop', false, false],
    ['create silences.tocsin.dev -n tocsin', false, false],
  ];
  for (const [action, viewer, editor] of rows)
    assert.deepEqual([await can(action, 'viewer'), await can(action, 'editer')], [viewer, editor], action);
});

test('opt-in: a tenant’s provider says which permission it lacks, and works once the tenant grants it', async () => {
  await stage.apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'receiver', namespace: 'shop' },
      stringData: { url: 'https://receiver.example/alerts' },
    },
    {
      apiVersion: 'tocsin.dev/v1alpha1',
      kind: 'AlertProvider',
      metadata: { name: 'ours', namespace: 'shop' },
      spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'receiver', key: 'url' } } } },
    },
  );
  await kubectl('-n', 'shop', 'wait', '--for=condition=Stalled', '--timeout=20s', 'ap/ours');
  assert.match(await kubectl('-n', 'shop', 'describe', 'ap', 'ours'), /get secrets in namespace shop/);
  await kubectl('-n', 'shop', 'apply', '-k', join(config, 'rbac/tenants'));
  assert.equal(await can('get secrets -n shop'), true);
  assert.equal(await can('list secrets -n shop'), false);
  // It looks for what is missing every 10 s.
  await kubectl('-n', 'shop', 'wait', '--for=condition=Ready', '--timeout=20s', 'ap/ours');
});

test('asked to stop, it ends well within its grace period and gives the lock back', async () => {
  const started = Date.now();
  assert.equal(await container.stop(), 0);
  assert.ok(Date.now() - started < 15_000);
  const lease = await json<{ spec: { holderIdentity?: string } }>('-n', 'tocsin', 'get', 'lease', 'tocsin');
  assert.equal(lease.spec.holderIdentity ?? '', '');
});
