import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, cluster, inShort } from './helpers.ts';

const generation = (value: string) => ({ 'pod-template-generation': value });

/** A Deployment whose one Pod ran on n1, which was lost at 0; the Pod is evicted and only what is short of it is left. */
function evicted() {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  k8s.find('Node//n1', 'NodeUnreachable');
  const api = k8s.deployment('shop/api', { replicas: 1, ready: 0 });
  const [lost] = k8s.pods('shop/api', 1, { nodes: ['n1'], ready: false });
  assert.ok(lost);
  k8s.find(lost, 'PodNotReady', { since: 5, conclusive: false });
  k8s.find(api, 'DeploymentUnavailable', { since: 5, conclusive: false });
  assert.deepEqual(inShort(k8s.explain(100)), ['Node//n1 NodeUnreachable 3']);
  k8s.clear(lost);
  return { k8s, api, lost };
}

test('a workload is still short because of its node when its Pods there are on their way out', () => {
  const { k8s } = evicted();
  assert.deepEqual(inShort(k8s.explain(301)), ['Node//n1 NodeUnreachable 2']);
});

test('a workload is still short because of its node while the replacement starts elsewhere', () => {
  const { k8s, lost } = evicted();
  k8s.remove(lost);
  const [replacement] = k8s.pods('shop/api', 1, { first: 9, nodes: ['n2'], ready: false });
  assert.ok(replacement);
  k8s.link(replacement, 'replaces', 'Node//n1');
  assert.deepEqual(inShort(k8s.explain(301)), ['Node//n1 NodeUnreachable 2']);
});

test('a node that is back a moment before its workloads count as whole makes no new problem of them', () => {
  const { k8s } = evicted();
  k8s.clear('Node//n1');
  assert.deepEqual(inShort(k8s.explain(301)), ['Node//n1 NodeUnreachable 1']);
});

test('a node that came back while nobody looked has just come back: what is short because of it is no new problem', () => {
  const { k8s } = evicted();
  const before = k8s.explain(200);
  k8s.clear('Node//n1');
  k8s.restart(before);
  assert.deepEqual(inShort(k8s.explain(301)), ['Node//n1 NodeUnreachable 1']);
});

test('Pods that serve again a moment before their workload counts them do not make a new problem of it', () => {
  const { k8s } = evicted();
  k8s.clear('Node//n1');
  const conditions = [{ type: 'Ready', status: 'True', reason: '', message: '', since: at(300) }] as const;
  k8s.pods('shop/api', 1, { nodes: ['n1'], conditions });
  assert.deepEqual(inShort(k8s.explain(301)), ['Node//n1 NodeUnreachable 1']);
});

test('a lost node is not why a workload is short whose Pods there serve as before', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.find('Node//n1', 'NodeUnreachable');
  const api = k8s.deployment('shop/api', { replicas: 2, ready: 1 });
  k8s.pods('shop/api', 1, { nodes: ['n1'] });
  k8s.pods('shop/api', 1, { first: 2, nodes: ['n2'], ready: false });
  k8s.find(api, 'DeploymentUnavailable', { since: 5 });
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/api DeploymentUnavailable 1',
    'Node//n1 NodeUnreachable 1',
  ]);
});

test('a lost node is not why a workload is short that has no Pod there, or was short before', () => {
  for (const since of [5, -120]) {
    const k8s = cluster();
    k8s.node('n1');
    k8s.find('Node//n1', 'NodeUnreachable');
    const api = k8s.deployment('shop/api', { replicas: 1, ready: 0 });
    k8s.pods('shop/api', 1, { nodes: [since === 5 ? 'n2' : 'n1'], ready: false });
    k8s.find(api, 'DeploymentUnavailable', { since });
    assert.deepEqual(
      inShort(k8s.explain()),
      ['Deployment/shop/api DeploymentUnavailable 1', 'Node//n1 NodeUnreachable 1'],
      `short since ${since}`,
    );
  }
});

/** A rollout that began at 0 with a new image and passed its deadline at 600. */
function stuck(field: 'image' | 'metadata' = 'image') {
  const k8s = cluster();
  const conditions = [{ type: 'Available', status: 'True', reason: '', message: '', since: at(-3600) }] as const;
  const api = k8s.deployment('shop/api', { replicas: 3, ready: 3, revisions: 2, conditions });
  k8s.pods('shop/api', 3, { revision: 1 });
  k8s.pods('shop/api', 1, { revision: 2, first: 9, ready: false });
  k8s.change(api, field, 0);
  k8s.find(api, 'ProgressDeadlineExceeded', { since: 600 });
  return { k8s, api };
}

test('a rollout that hangs without any failure is due to the edit that began it, and hits nobody while all replicas serve', () => {
  const [explanation, ...others] = stuck().k8s.explain(620);
  assert.deepEqual(others, []);
  assert.equal(explanation?.root.ref, 'Deployment/shop/api');
  assert.equal(explanation?.change?.field, 'image');
  assert.equal(explanation?.confidence, 'high');
  assert.equal(explanation?.severity, 'medium');
});

test('a rollout that hangs because its Pods are refused is not blamed on the edit', () => {
  const { k8s } = stuck();
  const quota = 'ResourceQuota/shop/budget';
  k8s.find('ReplicaSet/shop/api-r2', 'ReplicaFailure', { since: 2, names: [quota] });
  k8s.find(quota, 'QuotaExceeded', { since: 2 });
  assert.deepEqual(inShort(k8s.explain(620)), [`${quota} QuotaExceeded 3`]);
});

test('a restart is no release: it brings nothing new into the Pods', () => {
  const { k8s, api } = stuck('metadata');
  assert.equal(k8s.explain(620)[0]?.change, undefined);
  const restarted = k8s.pods('shop/api', 1, { revision: 2, first: 20, ready: false });
  for (const pod of restarted) {
    k8s.link(pod, 'uses', 'ConfigMap/shop/settings');
    k8s.find(pod, 'CrashLoopBackOff', { since: 30 });
  }
  k8s.clear(api);
  k8s.change('ConfigMap/shop/settings', 'data', -20, { certain: false });
  assert.deepEqual(inShort(k8s.explain(630)), ['ConfigMap/shop/settings CrashLoopBackOff 1']);
});

/** A lost node with the only Pod of a workload and one of a DaemonSet; `spread`: and one of a workload with another elsewhere. */
function mixedNode(spread: boolean) {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  k8s.find('Node//n1', 'NodeUnreachable');
  k8s.deployment('shop/only', { replicas: 1, ready: 0 });
  const agent = k8s.workload('DaemonSet', 'shop/agent', { replicas: 2, ready: 1 });
  k8s.pod('shop/agent-2', { owner: agent, node: 'n2' });
  const lost = [
    ...k8s.pods('shop/only', 1, { nodes: ['n1'], ready: false }),
    k8s.pod('shop/agent-1', { owner: agent, node: 'n1', ready: false }),
  ];
  if (spread) {
    k8s.deployment('shop/spread', { replicas: 2, ready: 1 });
    k8s.pods('shop/spread', 1, { first: 9, nodes: ['n2'] });
    lost.push(...k8s.pods('shop/spread', 1, { nodes: ['n1'], ready: false }));
  }
  for (const pod of lost) k8s.find(pod, 'PodNotReady', { since: 3 });
  return { k8s, lost };
}

test('a lost node gets no worse when one of its workloads recovers elsewhere', () => {
  const { k8s, lost } = mixedNode(true);
  assert.equal(k8s.explain()[0]?.severity, 'high');
  k8s.clear(...lost.slice(-1));
  assert.equal(k8s.explain()[0]?.severity, 'high');
});

test('a DaemonSet has Pods elsewhere and none to spare: it does not ease a lost node', () => {
  assert.equal(mixedNode(false).k8s.explain()[0]?.severity, 'critical');
});

test('what crashed before its node was lost stays the workload’s: its Pod, its severity and what shows on it later', () => {
  const { k8s } = mixedNode(true);
  k8s.deployment('shop/crash', { replicas: 1, ready: 0 });
  const [crashing] = k8s.pods('shop/crash', 1, { nodes: ['n1'], ready: false });
  assert.ok(crashing);
  k8s.find(crashing, 'CrashLoopBackOff', { since: -200 });
  k8s.find(crashing, 'PodNotReady', { since: 3 });
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/crash CrashLoopBackOff 2', 'Node//n1 NodeUnreachable 4']);
});

test('a lost node that takes no working replica for good is spared, whatever was down on it before', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  k8s.find('Node//n1', 'NodeUnreachable');
  k8s.deployment('shop/crash', { replicas: 1, ready: 0 });
  for (const pod of k8s.pods('shop/crash', 1, { nodes: ['n1'], ready: false }))
    k8s.find(pod, 'CrashLoopBackOff', { since: -200 });
  k8s.deployment('shop/spread', { replicas: 2, ready: 1 });
  k8s.pods('shop/spread', 1, { first: 9, nodes: ['n2'] });
  for (const pod of k8s.pods('shop/spread', 1, { nodes: ['n1'], ready: false })) k8s.find(pod, 'PodNotReady');
  assert.equal(k8s.explain().find(({ root }) => root.ref === 'Node//n1')?.severity, 'medium');
});

test('a DaemonSet’s release is told by the generation of the template that its Pods carry', () => {
  for (const [updated, crashing, blamed] of [
    [1, '2', 'image'],
    [1, '1', undefined],
    [0, '1', undefined],
  ] as const) {
    const k8s = cluster();
    const agent = k8s.workload('DaemonSet', 'shop/agent', { replicas: 2, ready: 1, updated });
    k8s.pod('shop/agent-1', { owner: agent, labels: generation(updated > 0 && crashing === '1' ? '2' : '1') });
    const pod = k8s.pod('shop/agent-2', { owner: agent, labels: generation(crashing), ready: false });
    k8s.change(agent, 'image', 0);
    k8s.find(pod, 'CrashLoopBackOff', { since: 60 });
    assert.equal(k8s.explain()[0]?.change?.field, blamed, `${updated} updated, generation ${crashing} crashes`);
  }
});
