import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf, type Impact, judgeImpact, withRoot } from '../../../src/explain/solve/severity.ts';
import type { Reason } from '../../../src/model/reason.ts';
import type { Ref } from '../../../src/model/ref.ts';
import type { WorkloadView } from '../../../src/world/kinds/workloads/workload.ts';
import { at, cluster } from '../helpers.ts';

/** One node with one Pod of each workload; `elsewhere`: how many of these have a ready Pod on another node. */
function nodeDown(workloads: number, elsewhere: number, options: { nodes?: number; controlPlane?: boolean } = {}) {
  const k8s = cluster();
  k8s.node('n1', { controlPlane: options.controlPlane ?? false });
  for (let index = 2; index <= (options.nodes ?? 2); index += 1) k8s.node(`n${index}`);
  k8s.find('Node//n1', 'NodeNotReady');
  for (let index = 0; index < workloads; index += 1) {
    k8s.deployment(`shop/app${index}`, { replicas: 2, ready: index < elsewhere ? 1 : 0 });
    for (const pod of k8s.pods(`shop/app${index}`, 1, { nodes: ['n1'], ready: false }))
      k8s.find(pod, 'PodNotReady', { since: 3 });
    if (index < elsewhere) k8s.pods(`shop/app${index}`, 1, { first: 9, nodes: ['n2'] });
  }
  return k8s.explain()[0];
}

test('a lost node whose workloads all keep a ready replica is medium, low in a cluster of 500 nodes', () => {
  assert.equal(nodeDown(3, 3)?.severity, 'medium');
  assert.equal(nodeDown(3, 3, { nodes: 500 })?.severity, 'low');
});

test('a lost node with some workload down stays high; with every one down it is critical', () => {
  assert.equal(nodeDown(3, 2)?.severity, 'high');
  assert.equal(nodeDown(3, 0)?.severity, 'critical');
});

test('the impact of a lost node is what is ready elsewhere, whatever its controllers have counted so far', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.find('Node//n1', 'NodeUnreachable');
  k8s.deployment('shop/api', { replicas: 3, ready: 3 });
  // The control plane has not yet marked the Pod on the node.
  const [lost] = k8s.pods('shop/api', 3, { nodes: ['n1', 'n2', 'n3'] });
  k8s.find(lost ?? 'Pod/shop/api-1', 'PodNotReady', { since: 3 });
  assert.deepEqual(k8s.explain()[0]?.impact, [{ ref: 'Deployment/shop/api', wanted: 3, ready: 2 }]);
});

test('the impact of anything else is what the controllers of its workloads count', () => {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 3, ready: 1 });
  for (const pod of k8s.pods('shop/api', 2, { ready: false })) k8s.find(pod, 'CrashLoopBackOff');
  assert.deepEqual(k8s.explain()[0]?.impact, [{ ref: 'Deployment/shop/api', wanted: 3, ready: 1 }]);
  const alone = cluster();
  alone.find(alone.pod('shop/one', { ready: false }), 'CrashLoopBackOff');
  assert.equal(alone.explain()[0]?.impact, undefined);
});

test('a replacement that is ready elsewhere eases a lost node, although no finding changes', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.find('Node//n1', 'NodeNotReady');
  k8s.deployment('shop/api', { replicas: 1, ready: 0 });
  for (const pod of k8s.pods('shop/api', 1, { nodes: ['n1'], ready: false }))
    k8s.find(pod, 'PodNotReady', { since: 3 });
  assert.equal(k8s.explain()[0]?.severity, 'critical');
  k8s.pods('shop/api', 1, { first: 9, nodes: ['n2'] });
  assert.equal(k8s.explain()[0]?.severity, 'medium');
});

test('a lost node of the control plane is not played down', () => {
  assert.equal(nodeDown(3, 3, { controlPlane: true })?.severity, 'high');
});

function failing(replicas: number, ready: number, broken: number, severity: 'high' | 'medium' = 'high') {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas, ready });
  k8s.pods('shop/api', ready, { first: 100 });
  for (const pod of k8s.pods('shop/api', broken, { ready: false })) k8s.find(pod, 'CrashLoopBackOff', { severity });
  return { k8s, api };
}

test('a workload with all but a small share of its replicas ready is one step milder', () => {
  assert.equal(failing(10, 9, 1).k8s.explain()[0]?.severity, 'medium');
  assert.equal(failing(3, 2, 1).k8s.explain()[0]?.severity, 'high');
});

test('severity follows the replicas of the workload, although its findings stay the same', () => {
  const { k8s, api } = failing(10, 9, 1);
  assert.equal(k8s.explain()[0]?.severity, 'medium');
  k8s.workload('Deployment', 'shop/api', { replicas: 10, ready: 5 });
  assert.deepEqual(
    k8s.explain().map(({ root, severity }) => [root.ref, severity]),
    [[api, 'high']],
  );
});

test('a workload without a ready replica is at least high', () => {
  assert.equal(failing(2, 0, 2, 'medium').k8s.explain()[0]?.severity, 'high');
});

test('a release that hits nobody yet is medium while the old Pods serve whole, and high once it takes some of them', () => {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 5, ready: 5, revisions: 2 });
  k8s.pods('shop/api', 5);
  for (const pod of k8s.pods('shop/api', 1, { revision: 2, first: 9, ready: false }))
    k8s.find(pod, 'ImageNotFound', { since: 60 });
  k8s.change(api, 'image', 30);
  assert.equal(k8s.explain()[0]?.severity, 'medium');
  k8s.workload('Deployment', 'shop/api', { replicas: 5, ready: 4 });
  assert.equal(k8s.explain()[0]?.severity, 'high');
});

/** Every row of "severity is impact": how much of `shop/api` is left, who uses it, and what that is. */
const impacts: Readonly<
  Record<
    string,
    { readonly ready: number; readonly usedBy?: 'Service' | 'Ingress'; readonly newborn?: true; readonly is: string }
  >
> = {
  'what a Service selects has no ready Pod left': { ready: 0, usedBy: 'Service', is: 'critical' },
  'what a route leads to has no ready Pod left': { ready: 0, usedBy: 'Ingress', is: 'critical' },
  'nobody is seen to use what has no ready Pod left': { ready: 0, is: 'high' },
  'what a Service selects has never served': { ready: 0, usedBy: 'Service', newborn: true, is: 'high' },
  'some of what served is down': { ready: 2, usedBy: 'Service', is: 'high' },
  'some of what served is down, and nobody is seen to use it': { ready: 2, is: 'high' },
  'all of it still serves': { ready: 4, usedBy: 'Service', is: 'medium' },
};
for (const [situation, { ready, usedBy, newborn, is }] of Object.entries(impacts))
  test(`severity is impact: ${situation}`, () => {
    const k8s = cluster();
    const api = k8s.deployment('shop/api', { replicas: 4, ready, ...(newborn && { createdAt: at(0) }) });
    if (usedBy) k8s.link('Service/shop/api', 'fronts', api);
    if (usedBy === 'Ingress') k8s.link('Ingress/shop/web', 'routes-to', 'Service/shop/api');
    k8s.pods('shop/api', ready, { first: 100 });
    for (const pod of k8s.pods('shop/api', Math.max(1, 4 - ready), { ready: false }))
      k8s.find(pod, 'CrashLoopBackOff', { since: 30 });
    assert.equal(k8s.explain()[0]?.severity, is);
  });

test('severity is impact: a lost Node that takes the last Pods of what others use is critical, whatever else runs on', () => {
  const severityOf = (isUsed: boolean): string | undefined => {
    const k8s = cluster();
    k8s.node('n1');
    k8s.node('n2');
    k8s.find('Node//n1', 'NodeNotReady');
    for (const name of ['db', 'web']) {
      k8s.deployment(`shop/${name}`, { replicas: 1, ready: 1 });
      for (const pod of k8s.pods(`shop/${name}`, 1, { nodes: ['n1'], ready: false }))
        k8s.find(pod, 'PodNotReady', { since: 3 });
    }
    k8s.pods('shop/web', 1, { first: 9, nodes: ['n2'] });
    if (isUsed) k8s.link('Service/shop/db', 'fronts', 'Deployment/shop/db');
    return k8s.explain()[0]?.severity;
  };
  assert.equal(severityOf(false), 'high');
  assert.equal(severityOf(true), 'critical');
});

test('cluster DNS without a ready Pod is critical', () => {
  const k8s = cluster();
  const labels = { 'k8s-app': 'kube-dns' };
  k8s.deployment('kube-system/coredns', { replicas: 2, ready: 0, labels });
  for (const pod of k8s.pods('kube-system/coredns', 2, { ready: false, labels })) k8s.find(pod, 'CrashLoopBackOff');
  assert.equal(k8s.explain()[0]?.severity, 'critical');
});

test('the last API server is critical, one of several is not', () => {
  const severity = (others: boolean): string | undefined => {
    const k8s = cluster();
    const labels = { component: 'kube-apiserver', tier: 'control-plane' };
    const pods: Ref[] = ['a', 'b'].map((name) => {
      k8s.node(name, { controlPlane: true });
      const ready = others && name === 'b';
      return k8s.pod(`kube-system/kube-apiserver-${name}`, {
        owner: `Node//${name}`,
        node: name,
        mirror: true,
        ready,
        labels,
      });
    });
    k8s.find(pods[0] ?? 'Pod//', 'CrashLoopBackOff');
    return k8s.explain()[0]?.severity;
  };
  assert.equal(severity(false), 'critical');
  assert.equal(severity(true), 'high');
});

test('the first override that matches wins over impact', () => {
  const { k8s, api } = failing(2, 0, 2);
  const selector = { names: ['api'] };
  assert.equal(
    k8s.explain(600, [
      { selector, severity: 'low' },
      { selector, severity: 'critical' },
    ])[0]?.severity,
    'low',
  );
  assert.equal(k8s.explain(600, [{ selector, maxSeverity: 'medium' }])[0]?.severity, 'medium');
  assert.equal(k8s.explain(600, [{ selector: { names: ['web'] }, severity: 'low' }])[0]?.severity, 'high');
  const [plain] = k8s.explain();
  assert.equal(plain?.root.ref, api);
  assert.equal(k8s.explain()[0], plain);
});

test('an override lowers no outage of those that it does not pick: what hits others too stays as severe as it is', () => {
  const severityOf = (namespaces: readonly string[], override: object): string | undefined => {
    const k8s = cluster();
    k8s.node('n1');
    k8s.node('n2');
    k8s.find('Node//n1', 'NodeNotReady');
    for (const namespace of namespaces) {
      k8s.deployment(`${namespace}/app`, { replicas: 1, ready: 0 });
      for (const pod of k8s.pods(`${namespace}/app`, 1, { nodes: ['n1'], ready: false }))
        k8s.find(pod, 'PodNotReady', { since: 3 });
    }
    return k8s.explain(600, [{ selector: { namespaces: ['batch'] }, ...override }])[0]?.severity;
  };
  assert.equal(severityOf(['batch'], { severity: 'low' }), 'low');
  assert.equal(severityOf(['batch', 'shop'], { severity: 'low' }), 'critical');
  assert.equal(severityOf(['batch', 'shop'], { maxSeverity: 'medium' }), 'critical');
  assert.equal(severityOf(['shop'], { severity: 'low' }), 'critical');
});

test('what the whole cluster depends on by its PriorityClass is one level higher', () => {
  const crash = (priorityClass?: string) => {
    const k8s = cluster();
    const ref = k8s.deployment('kube-system/metrics', { replicas: 2, ready: 1 });
    const { template } = k8s.world.get(ref) as WorkloadView;
    k8s.workload('Deployment', 'kube-system/metrics', {
      ...{ replicas: 2, ready: 1 },
      template: { ...template, ...(priorityClass !== undefined && { priorityClass }) },
    });
    for (const pod of k8s.pods('kube-system/metrics', 1, { ready: false })) k8s.find(pod, 'CrashLoopBackOff');
    return k8s.explain()[0]?.severity;
  };
  assert.equal(crash(), 'high');
  assert.equal(crash('business-critical'), 'high');
  assert.equal(crash('system-cluster-critical'), 'critical');
});

test('an edit that its controller ignores is as severe with all replicas ready: they are of the old state', () => {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 2, ready: 2 });
  k8s.find('Deployment/shop/api', 'GenerationMismatch', { severity: 'medium' });
  assert.equal(k8s.explain()[0]?.severity, 'medium');
});

/** `shop/api` with so many of 4 replicas ready, hit by a root. */
function hitBy(root: Ref, reason: Reason, ready = 4): Impact {
  const k8s = cluster();
  const workload = k8s.deployment('shop/api', { replicas: 4, ready });
  k8s.pods('shop/api', ready, { first: 100 });
  const view = k8s.world.get(workload);
  assert.ok(typeof view === 'object' && view.kind === 'Deployment');
  const workloads = [{ workload, view }, ...(root.startsWith('Job/') ? [{ workload: root, view: undefined }] : [])];
  const since = at(300);
  return {
    root,
    reason,
    worst: 'high',
    outage: false,
    workloads,
    released: false,
    lasts: false,
    since,
    world: k8s.world,
  };
}

test('severity is impact: what hits new Pods alone is medium while the workloads serve whole', () => {
  const roots: readonly (readonly [Ref, Reason])[] = [
    ['Node//n1', 'MemoryPressure'],
    ['Node//n1', 'FailedCreatePodSandBox'],
    ['ExternalEndpoint//files.example:443', 'ExternalEndpointUnreachable'],
    ['Service/shop/db', 'ServiceMissing'],
    ['Job/shop/migration', 'JobFailed'],
  ];
  for (const [root, reason] of roots) {
    assert.equal(judgeImpact(hitBy(root, reason)).severity, 'medium', `${root} ${reason}`);
    assert.equal(judgeImpact(hitBy(root, reason, 3)).severity, 'high', `${root} ${reason}`);
  }
});

test('severity is impact: a Service that leads nowhere hits whoever calls it, however well its Pods are', () => {
  assert.equal(judgeImpact(hitBy('Service/shop/api', 'ServicePortMismatch')).severity, 'high');
});

test('severity is impact: one failed run is low, but where the next one will fail of the same', () => {
  const run: Impact = { ...hitBy('CronJob/shop/backup', 'CronJobFailing'), worst: 'low', workloads: [] };
  assert.equal(judgeImpact(run).severity, 'low');
  assert.equal(judgeImpact({ ...run, lasts: true }).severity, 'medium');
  assert.equal(judgeImpact({ ...run, lasts: true, worst: 'high' }).severity, 'high');
});

test('severity is impact: a root that serves nobody any more while others use it is an outage before it is late', () => {
  const k8s = cluster();
  const [db, web] = [k8s.deployment('shop/db', { replicas: 2, ready: 0 }), k8s.deployment('shop/web', { ready: 0 })];
  k8s.link('Service/shop/db', 'fronts', db);
  const view = k8s.world.get(web);
  assert.ok(typeof view === 'object' && view.kind === 'Deployment');
  const impact: Impact = {
    ...{ root: db, reason: 'CrashLoopBackOff', worst: 'high', outage: false, released: true, lasts: true },
    ...{ workloads: [{ workload: web, view }], since: at(300), world: k8s.world },
  };
  assert.deepEqual(healthOf(withRoot(impact)), [
    { ref: db, wanted: 2, ready: 0 },
    { ref: web, wanted: 1, ready: 0 },
  ]);
  assert.equal(judgeImpact(withRoot(impact)).severity, 'critical');
  k8s.pods('shop/db', 1);
  assert.equal(withRoot(impact), impact, 'one of its Pods is ready');
});
