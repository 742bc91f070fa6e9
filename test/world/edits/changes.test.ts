import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { namespace, service } from '../control-objects.ts';
import { custom } from '../custom-objects.ts';
import { networkPolicy } from '../network-objects.ts';
import { at, configMap, daemonSet, managed, node, stamp, workload } from '../objects.ts';
import { story } from '../story.ts';

const template = { 'f:spec': { 'f:template': { 'f:spec': {} } } };
const owner = { kind: 'Deployment', name: 'api' };
const revision = (number: number) => ({ 'deployment.kubernetes.io/revision': String(number) });

test('an edit of a template says which field, when, by whom, and for images from and to what', () => {
  const { world, put } = story();
  put(at(0), workload('Deployment', 'api', { generation: 1 }));
  put(
    at(5),
    workload('Deployment', 'api', {
      generation: 2,
      image: 'registry.example/shop/api:1.1',
      managedFields: [
        managed('helm', at(-90), template),
        managed('kubectl-set', at(4, 58), template),
        managed('kube-controller-manager', at(5), { 'f:status': {} }, 'status'),
      ],
    }),
  );
  assert.deepEqual(world.changes('Deployment/shop/api', at(0)), [
    {
      ref: 'Deployment/shop/api',
      field: 'image',
      container: 'api',
      from: 'registry.example/shop/api:1.0',
      to: 'registry.example/shop/api:1.1',
      at: at(4, 58),
      by: 'kubectl-set',
      certain: true,
    },
  ]);
  assert.deepEqual(world.changes('Deployment/shop/api', at(4, 58)), []);
});

const container = { name: 'api', image: 'registry.example/shop/api:1.0' };
const probe = { httpGet: { path: '/', port: 80 }, timeoutSeconds: 5 };
const secret = { name: 'PASSWORD', value: 'hunter2' };

/** What was edited of a StatefulSet whose Pods had one template and then another. */
function editsOf(before: object, after: object) {
  const { world, put } = story();
  put(at(0), workload('StatefulSet', 'db', { template: { ...before } }));
  put(at(1), workload('StatefulSet', 'db', { generation: 2, template: { ...after } }));
  const changes = world.changes('StatefulSet/shop/db', at(0));
  for (const change of changes) assert.equal(change.at, at(1));
  assert.ok(!JSON.stringify(changes).includes('hunter'));
  return changes.map(({ ref: _, at: __, certain: ___, ...change }) => change);
}
const inContainer = (before: object, after: object) =>
  editsOf({ containers: [{ ...container, ...before }] }, { containers: [{ ...container, ...after }] });
const own = { container: 'api' };

test('each field of a container is told apart', () => {
  const edits = {
    command: [['run'], ['run', 'fast']],
    args: [['--password=hunter2'], ['--password=hunter3']],
    envFrom: [[{ configMapRef: { name: 'a' } }], [{ configMapRef: { name: 'b' } }]],
    lifecycle: [{}, { preStop: { sleep: { seconds: 5 } } }],
    securityContext: [{}, { runAsUser: 1 }],
  };
  for (const [field, [before, after]] of Object.entries(edits))
    assert.deepEqual(inContainer({ [field]: before }, { [field]: after }), [{ field, ...own }]);
  assert.deepEqual(inContainer({ imagePullPolicy: 'Always' }, { imagePullPolicy: 'Never' }), [
    { field: 'imagePullPolicy', ...own, from: 'Always', to: 'Never' },
  ]);
  assert.deepEqual(inContainer({ ports: [{ containerPort: 80 }] }, { ports: [{ containerPort: 81 }] }), [
    { field: 'ports', ...own, parts: ['80', '81'] },
  ]);
  assert.deepEqual(inContainer({}, { volumeMounts: [{ name: 'v', mountPath: '/data' }] }), [
    { field: 'volumeMounts', ...own, parts: ['/data'] },
  ]);
});

test('variables are told apart by name, and no value of one is kept', () => {
  const env = [secret, { name: 'LEVEL', value: 'info' }, { name: 'constructor', value: 'x' }];
  assert.deepEqual(inContainer({ env }, { env: [{ ...secret, value: 'hunter3' }, ...env.slice(1)] }), [
    { field: 'env', ...own, parts: ['PASSWORD'] },
  ]);
  assert.deepEqual(inContainer({ env }, { env: [secret, { name: '__proto__', value: 'y' }] }), [
    { field: 'env', ...own, parts: ['LEVEL', '__proto__', 'constructor'] },
  ]);
  assert.deepEqual(inContainer({ env }, { env: [...env].reverse() }), [], 'their order says nothing');
});

test('a probe that changes is told apart from what was edited with it', () => {
  const before = { livenessProbe: probe, readinessProbe: probe, env: [secret] };
  const after = { ...before, livenessProbe: { ...probe, timeoutSeconds: 1 }, env: [{ ...secret, value: 'hunter3' }] };
  assert.deepEqual(inContainer(before, after), [
    { field: 'livenessProbe', ...own, parts: ['timeoutSeconds'], from: '5', to: '1' },
    { field: 'env', ...own, parts: ['PASSWORD'] },
  ]);
  const exec = { exec: { command: ['check', 'hunter2'] } };
  assert.deepEqual(inContainer({ startupProbe: exec }, { startupProbe: { exec: { command: ['check'] } } }), [
    { field: 'startupProbe', ...own, parts: ['exec'] },
  ]);
});

test('a limit that changes says from and to what', () => {
  const limits = (memory: string, cpu: string) => ({ resources: { limits: { memory, cpu } } });
  assert.deepEqual(inContainer(limits('256Mi', '1'), limits('128Mi', '1')), [
    { field: 'resources', ...own, parts: ['limits.memory'], from: '256Mi', to: '128Mi' },
  ]);
  assert.deepEqual(inContainer(limits('256Mi', '1'), limits('128Mi', '2')), [
    { field: 'resources', ...own, parts: ['limits.cpu', 'limits.memory'] },
  ]);
});

test('each field of a Pod is told apart, and what has no word of its own is named below the template', () => {
  const containers = [container];
  const edits = {
    affinity: [{}, { nodeAffinity: {} }],
    tolerations: [[], [{ operator: 'Exists' }]],
    nodeSelector: [{}, { disk: 'ssd' }],
    imagePullSecrets: [[], [{ name: 'registry' }]],
    topologySpreadConstraints: [[], [{ maxSkew: 1 }]],
    hostNetwork: [false, true],
    securityContext: [{}, { fsGroup: 1 }],
  };
  for (const [field, [before, after]] of Object.entries(edits))
    assert.deepEqual(editsOf({ containers, [field]: before }, { containers, [field]: after }), [{ field }]);
  for (const field of ['serviceAccountName', 'priorityClassName', 'runtimeClassName'])
    assert.deepEqual(editsOf({ containers, [field]: 'a' }, { containers, [field]: 'b' }), [
      { field, from: 'a', to: 'b' },
    ]);
  assert.deepEqual(editsOf({ containers }, { containers, volumes: [{ name: 'data', emptyDir: {} }] }), [
    { field: 'volumes', parts: ['data'] },
  ]);
  assert.deepEqual(editsOf({ containers }, { containers, terminationGracePeriodSeconds: 5 }), [
    { field: 'template', parts: ['terminationGracePeriodSeconds'] },
  ]);
  assert.deepEqual(editsOf({ containers }, { containers: [container, { name: 'proxy', image: 'p' }] }), [
    { field: 'containers', parts: ['proxy'] },
  ]);
  assert.deepEqual(editsOf({ containers }, { containers, initContainers: [{ name: 'migrate', image: 'm' }] }), [
    { field: 'initContainers', parts: ['migrate'] },
  ]);
});

test('a strategy that changes is an edit of its own', () => {
  const { world, put } = story();
  put(at(0), workload('Deployment', 'api', { spec: { strategy: { type: 'RollingUpdate' } } }));
  put(at(1), workload('Deployment', 'api', { generation: 2, spec: { strategy: { type: 'Recreate' } } }));
  assert.deepEqual(
    world.changes('Deployment/shop/api', at(0)).map(({ field }) => field),
    ['strategy'],
  );
});

test('a restart by kubectl is an edit of the metadata of the template', () => {
  const { world, put } = story();
  const restarted = {
    template: {
      metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'x' } },
      spec: { containers: [{ name: 'api', image: 'registry.example/shop/api:1.0' }] },
    },
  };
  put(at(0), workload('Deployment', 'api'));
  put(at(1), workload('Deployment', 'api', { generation: 2, spec: restarted }));
  assert.deepEqual(
    world.changes('Deployment/shop/api', at(0)).map(({ field }) => field),
    ['metadata'],
  );
});

test('status and resync noise is not a change', () => {
  const { world, put } = story();
  put(at(0), workload('Deployment', 'api'), node('n1'), configMap('app'));
  put(at(1), workload('Deployment', 'api', { status: { readyReplicas: 1 }, annotations: { a: 'b' } }));
  const derived = { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] };
  put(at(1), node('n1', { ready: 'Unknown', spec: derived }), configMap('app', { labels: { a: 'b' } }));
  for (const ref of ['Deployment/shop/api', 'Node//n1', 'ConfigMap/shop/app'] as const)
    assert.deepEqual(world.changes(ref, 0), [], ref);
});

test('scaling, cordoning and tainting are changes', () => {
  const { world, put } = story();
  put(at(0), workload('Deployment', 'api'), node('n1'));
  put(at(1), workload('Deployment', 'api', { replicas: 5 }));
  const spec = { unschedulable: true, taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }] };
  put(at(2), node('n1', { spec }));
  const told = (ref: 'Deployment/shop/api' | 'Node//n1') =>
    world.changes(ref, 0).map(({ field, from, to }) => `${field}: ${from} → ${to}`);
  assert.deepEqual(told('Deployment/shop/api'), ['replicas: 3 → 5']);
  assert.deepEqual(told('Node//n1'), ['taints:  → dedicated=batch:NoSchedule', 'unschedulable: false → true']);
});

test('data of a ConfigMap may have changed when who owns it wrote later', () => {
  const { world, put } = story();
  put(at(0), configMap('app', { managedFields: [managed('helm', at(0), { 'f:data': {} })] }));
  put(at(9), configMap('app', { managedFields: [managed('kubectl-edit', at(8), { 'f:data': {} })] }));
  assert.deepEqual(world.changes('ConfigMap/shop/app', at(1)), [
    { ref: 'ConfigMap/shop/app', field: 'data', at: at(8), by: 'kubectl-edit', certain: false },
  ]);
});

test('a key that a ConfigMap lost is an edit, though managedFields have no time of it', () => {
  const { world, put } = story();
  const holding = (keys: Record<string, object>) =>
    configMap('app', { managedFields: [managed('helm', at(0), { 'f:data': keys })] });
  put(at(0), holding({ 'f:HOST': {}, 'f:PORT': {} }));
  put(at(9), holding({ 'f:PORT': {} }));
  put(at(10), holding({ 'f:PORT': {} }));
  assert.deepEqual(world.changes('ConfigMap/shop/app', at(1)), [
    { ref: 'ConfigMap/shop/app', field: 'data', parts: ['HOST'], at: at(9), certain: true },
  ]);
});

test('at first sight the ReplicaSets of a Deployment tell its last edit', () => {
  const { world, put } = story();
  put(
    at(10),
    workload('Deployment', 'api', {
      createdAt: at(-900),
      managedFields: [managed('argocd-controller', at(4), template)],
    }),
    workload('ReplicaSet', 'api-2', { owner, createdAt: at(4, 1), annotations: revision(10), image: 'shop/api:2' }),
    workload('ReplicaSet', 'api-1', { owner, createdAt: at(-900), annotations: revision(9), image: 'shop/api:1' }),
  );
  const edit = {
    field: 'image',
    container: 'api',
    from: 'shop/api:1',
    to: 'shop/api:2',
    at: at(4, 1),
    by: 'Argo CD',
  };
  assert.deepEqual(world.changes('Deployment/shop/api', at(0)), [
    { ref: 'Deployment/shop/api', ...edit, certain: true },
  ]);
  assert.deepEqual(world.changes('Deployment/shop/api', at(5)), [], 'older than asked for');
});

test('an edit that was seen is not told again by the ReplicaSet it made', () => {
  const { world, put } = story();
  const image = { image: 'shop/api:1' };
  put(
    at(0),
    workload('Deployment', 'api', image),
    workload('ReplicaSet', 'api-1', { owner, annotations: revision(1), ...image }),
  );
  put(at(3), workload('Deployment', 'api', { generation: 2, image: 'shop/api:2' }));
  put(
    at(3),
    workload('ReplicaSet', 'api-2', { owner, createdAt: at(3), annotations: revision(2), image: 'shop/api:2' }),
  );
  assert.equal(world.changes('Deployment/shop/api', at(0)).length, 1);
});

test('at first sight a StatefulSet that rolls out was edited, and one at rest was not', () => {
  const { world, put } = story();
  const managedFields = [managed('helm', at(4), template)];
  const parts = { createdAt: at(-900), managedFields };
  put(at(10), workload('StatefulSet', 'web', { ...parts, status: { currentRevision: 'a', updateRevision: 'b' } }));
  put(at(10), workload('StatefulSet', 'calm', { ...parts, status: { currentRevision: 'a', updateRevision: 'a' } }));
  put(at(10), daemonSet('agent', { ...parts, status: { updatedNumberScheduled: 1 } }));
  const told = (ref: 'StatefulSet/shop/web' | 'StatefulSet/shop/calm' | 'DaemonSet/shop/agent') =>
    world.changes(ref, at(0)).map(({ field, at: time, by }) => [field, time, by]);
  assert.deepEqual(told('StatefulSet/shop/web'), [['template', at(4), 'Helm']]);
  assert.deepEqual(told('DaemonSet/shop/agent'), [['template', at(4), 'Helm']]);
  assert.deepEqual(told('StatefulSet/shop/calm'), []);
});

test('at first sight what whoever wrote last has alone written was edited', () => {
  const { world, put } = story();
  const alone = (by: string, section: string, field: string) => ({
    createdAt: at(-900),
    managedFields: [
      managed('helm', at(-900), { 'f:spec': { 'f:type': {}, 'f:replicas': {} }, 'f:metadata': { 'f:labels': {} } }),
      managed(by, at(4), { [section]: { [field]: {} } }),
    ],
  });
  put(at(10), workload('Deployment', 'api', { replicas: 5, ...alone('kubectl', 'f:spec', 'f:replicas') }));
  put(at(10), service('erp', { ...alone('kubectl-patch', 'f:spec', 'f:externalName') }));
  put(at(10), service('shop', { ...alone('kubectl-edit', 'f:spec', 'f:sessionAffinity') }));
  put(at(10), namespace('shop', { labels: { team: 'a' }, ...alone('kubectl-label', 'f:metadata', 'f:labels') }));
  const told = (ref: Ref) => world.changes(ref, at(0)).map(({ field, to, by, certain }) => [field, to, by, certain]);
  assert.deepEqual(told('Deployment/shop/api'), [['replicas', '5', 'kubectl', true]]);
  assert.deepEqual(told('Service/shop/erp'), [['externalName', undefined, 'kubectl-patch', true]]);
  assert.deepEqual(told('Service/shop/shop'), []);
  assert.deepEqual(told('Namespace//shop'), [['labels', 'team=a', 'kubectl-label', true]]);
});

test('at first sight a StatefulSet that rolls out and was scaled was edited in what it runs', () => {
  const { world, put } = story();
  const scaled = managed('kubectl', at(5), { 'f:spec': { 'f:replicas': {} } });
  const parts = { createdAt: at(-900), managedFields: [managed('helm', at(4), template), scaled] };
  const status = { currentRevision: 'a', updateRevision: 'b' };
  put(at(10), workload('StatefulSet', 'web', { ...parts, replicas: 3, status }));
  put(at(10), workload('StatefulSet', 'gone', { ...parts, replicas: 0, status }));
  const told = (ref: Ref) => world.changes(ref, at(0)).map(({ field }) => field);
  assert.deepEqual(told('StatefulSet/shop/web'), ['template']);
  assert.deepEqual(told('StatefulSet/shop/gone'), ['replicas']);
});

test('what nobody put a name to may have been edited', () => {
  const { world, put } = story();
  const { manager: _, ...write } = managed('', at(4), { 'f:spec': { 'f:selector': {} } });
  put(at(10), service('shop', { createdAt: at(-900), managedFields: [write] }));
  assert.deepEqual(
    world.changes('Service/shop/shop', at(0)).map(({ field, certain }) => [field, certain]),
    [['selector', false]],
  );
});

test('what Pods tell of a template may be an edit of it, at rest as well, or that all was started anew', () => {
  const { world, put } = story();
  const { manager: _, ...write } = managed('', at(4), { 'f:spec': { 'f:template': { 'f:spec': {} } } });
  const status = { currentRevision: 'a', updateRevision: 'a' };
  const anew = (time: number) => ({
    template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': stamp(time) } }, spec: {} },
  });
  const parts = { createdAt: at(-900), managedFields: [write], status };
  put(at(10), workload('StatefulSet', 'calm', parts));
  put(at(10), workload('StatefulSet', 'anew', { ...parts, spec: anew(at(3)) }));
  put(at(10), workload('StatefulSet', 'long', { ...parts, spec: anew(at(-60)) }));
  const told = (ref: Ref) => world.changes(ref, at(0)).map(({ field, certain }) => [field, certain]);
  assert.deepEqual(told('StatefulSet/shop/calm'), [['template', false]]);
  assert.deepEqual(told('StatefulSet/shop/anew'), [['metadata', false]]);
  assert.deepEqual(told('StatefulSet/shop/long'), [['template', false]]);
});

test('at first sight a rule of a mesh works since its spec was written last', () => {
  const { world, put } = story();
  const rule = (name: string, ...managedFields: readonly object[]) => ({
    ...custom('networking.istio.io/v1', 'DestinationRule', name, { spec: { host: 'rates' } }),
    metadata: { name, namespace: 'shop', creationTimestamp: stamp(at(-900)), managedFields },
  });
  put(at(10), rule('edited', managed('kubectl-edit', at(4), { 'f:spec': { 'f:trafficPolicy': {} } })) as RawObject);
  put(at(10), rule('calm', managed('kubectl-label', at(4), { 'f:metadata': { 'f:labels': {} } })) as RawObject);
  const told = (name: string) =>
    world
      .changes(`DestinationRule.networking.istio.io/shop/${name}`, at(0))
      .map(({ field, at: time, by }) => [field, time, by]);
  assert.deepEqual(told('edited'), [['policy', at(4), 'kubectl-edit']]);
  assert.deepEqual(told('calm'), []);
});

test('at first sight a StatefulSet that was only started anew was not edited in what it runs', () => {
  const { world, put } = story();
  const restarted = { 'f:spec': { 'f:template': { 'f:metadata': { 'f:annotations': {} } } } };
  const rolling = { status: { currentRevision: 'a', updateRevision: 'b' } };
  const managedFields = [managed('helm', at(-800), template), managed('kubectl-rollout', at(4), restarted)];
  put(at(10), workload('StatefulSet', 'db', { createdAt: at(-900), managedFields, ...rolling }));
  assert.deepEqual(
    world.changes('StatefulSet/shop/db', at(0)).map(({ field, by }) => [field, by]),
    [['metadata', 'kubectl-rollout']],
  );
});

test('an edit that was seen before a restart is told as it was, not once more as one of the template', () => {
  const before = story();
  const parts = { createdAt: at(-900), managedFields: [managed('kubectl-rollout', at(4), template)] };
  const restarted = (value: string) => ({
    template: {
      metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': value } },
      spec: { containers: [{ name: 'db', image: 'registry.example/shop/db:1.0' }] },
    },
  });
  before.put(at(0), workload('StatefulSet', 'db', { ...parts, spec: restarted('x') }));
  const rolling = { status: { currentRevision: 'a', updateRevision: 'b' } };
  const db = workload('StatefulSet', 'db', { ...parts, generation: 2, spec: restarted('y'), ...rolling });
  before.put(at(5), db);
  const seen = before.world.changes('StatefulSet/shop/db', 0);
  assert.deepEqual(
    seen.map(({ field }) => field),
    ['metadata'],
  );
  const after = story();
  after.world.restoreSeen({ edits: new Map([['StatefulSet/shop/db', seen]]) }, undefined);
  after.load(at(6), db);
  assert.deepEqual(after.world.changes('StatefulSet/shop/db', 0), seen);
});

test('changes are kept for half an hour at least, and not for ever', () => {
  const { world, put } = story();
  put(at(0), node('n1'));
  put(at(1), node('n1', { spec: { unschedulable: true } }));
  world.expire(at(45));
  assert.equal(world.changes('Node//n1', at(0)).length, 1);
  world.expire(at(120));
  assert.equal(world.changes('Node//n1', at(0)).length, 0);
});

test('what was taken out of a ConfigMap is kept for a day: programs read it when they start', () => {
  const { world, put } = story();
  const settings = (minute: number, ...keys: string[]) => {
    const fields = { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) };
    return configMap('settings', { createdAt: at(0), managedFields: [managed('kubectl', at(minute), fields)] });
  };
  put(at(0), settings(0, 'URL', 'REGION'));
  put(at(1), settings(1, 'REGION'));
  world.expire(at(23 * 60));
  assert.deepEqual(
    world.changes('ConfigMap/shop/settings', 0).map(({ field, parts }) => [field, parts]),
    [['data', ['URL']]],
  );
  world.expire(at(25 * 60));
  assert.deepEqual(world.changes('ConfigMap/shop/settings', 0), []);
});

test('the changes of an object go with it', () => {
  const { world, put } = story();
  put(at(0), node('n1', { uid: 'one' }));
  put(at(1), node('n1', { uid: 'one', spec: { unschedulable: true } }));
  put(at(2), node('n1', { uid: 'two' }));
  assert.deepEqual(world.changes('Node//n1', at(0)), []);
});

test('a network policy tells when it was made and whose traffic it restricts; an edit that only lets more through is none', () => {
  const { world, put } = story();
  const rule = (port: number) => ({ ports: [{ port }] });
  const policy = (minute: number, ...ports: number[]) =>
    networkPolicy('api', {
      managedFields: [managed('kubectl', at(minute), { 'f:spec': {} })],
      spec: { ingress: ports.map(rule), policyTypes: ['Ingress'] },
    });
  const seen = () =>
    world.changes('NetworkPolicy/shop/api', 0).map(({ field, by, parts, at: time }) => [field, by, parts, time]);
  const made = ['creation', 'kubectl', ['Pods with app=api'], at(0)];
  put(at(0), policy(0, 80));
  assert.deepEqual(seen(), [made]);
  put(at(5), policy(5, 80, 443));
  assert.deepEqual(seen(), [made]);
  put(at(6), policy(6, 443));
  assert.deepEqual(seen(), [made, ['policy', 'kubectl', ['Pods with app=api'], at(6)]]);
  put(at(7), networkPolicy('api', { spec: { podSelector: {}, ingress: [rule(443)], policyTypes: ['Ingress'] } }));
  assert.deepEqual(seen().at(-1)?.slice(0, 1), ['selector']);
  // Both directions from now on.
  put(at(8), networkPolicy('api', { spec: { podSelector: {}, ingress: [rule(443)] } }));
  assert.deepEqual(seen().at(-1)?.slice(0, 1), ['policy']);
});

test('a Node tells which labels it lost, for a day: they are asked for at the next start', () => {
  const { put, world } = story();
  const lost = () => world.changes('Node//n1', 0).map(({ field, parts }) => [field, parts]);
  put(at(0), node('n1', { labels: { disks: 'nvme', zone: 'a' } }));
  put(at(1), node('n1', { labels: { zone: 'a', team: 'maps' } }));
  assert.deepEqual(lost(), [['labels', ['disks=nvme']]]);
  world.expire(at(23 * 60));
  assert.deepEqual(lost(), [['labels', ['disks=nvme']]]);
  world.expire(at(26 * 60));
  assert.deepEqual(lost(), []);
});
