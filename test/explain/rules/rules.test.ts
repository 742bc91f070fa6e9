import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeField } from '../../../src/model/change-field.ts';
import type { Reason } from '../../../src/model/reason.ts';
import type { Ref } from '../../../src/model/ref.ts';
import type { ContainerTemplate } from '../../../src/world/reading/pod-template.ts';
import { at, cluster, inShort } from '../helpers.ts';

const plainContainer: ContainerTemplate = {
  ...{ name: 'app', role: 'main', image: 'app' },
  ...{ startupProbe: false, readinessProbe: false, livenessProbe: false },
};

/** 20 Pods of 6 Deployments on node n1, each Deployment with a Pod that is well on n2. */
function lostNode() {
  const k8s = cluster();
  k8s.node('n1');
  k8s.node('n2');
  const lost: Ref[] = [];
  for (const [index, count] of [4, 4, 3, 3, 3, 3].entries()) {
    k8s.deployment(`shop/app${index}`, { replicas: count + 1, ready: 1 });
    lost.push(...k8s.pods(`shop/app${index}`, count, { nodes: ['n1'], ready: false }));
    k8s.pods(`shop/app${index}`, 1, { first: 90, nodes: ['n2'] });
  }
  k8s.find('Node//n1', 'NodeNotReady', { since: 0 });
  for (const pod of lost) k8s.find(pod, 'PodNotReady', { since: 5, conclusive: false });
  return { k8s, lost };
}

test('a lost node with 20 Pods of 6 workloads is one explanation, rooted at the node, that counts what it hit', () => {
  const { k8s } = lostNode();
  const [explanation, ...others] = k8s.explain();
  assert.deepEqual(others, []);
  assert.equal(explanation?.root.ref, 'Node//n1');
  assert.equal(explanation?.reason, 'NodeNotReady');
  assert.equal(explanation?.confidence, 'high');
  assert.equal(explanation?.members.length, 21);
  assert.equal(explanation?.members[0]?.subject.ref, 'Node//n1');
  assert.equal(explanation?.workloads.length, 6);
  assert.equal(explanation?.affected.length, 26);
  assert.equal(explanation?.samplePod, undefined);
  assert.deepEqual(explanation?.proof[0], { code: 'ShareOfNode', failing: 20, all: 20 });
  assert.deepEqual(
    explanation?.parts?.map(({ root, members }) => `${root.ref} ${members.length}`),
    ['Node//n1 1', ...[4, 4, 3, 3, 3, 3].map((count, index) => `Deployment/shop/app${index} ${count}`)],
  );
});

test('a Pod that was failing before its node went is not the node’s', () => {
  const { k8s, lost } = lostNode();
  const [early] = lost;
  assert.ok(early);
  k8s.clear(early);
  k8s.find(early, 'PodNotReady', { since: -120 });
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/app0 PodNotReady 1', 'Node//n1 NodeNotReady 20']);
});

test('a crashing app on a healthy node is never the node’s', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.deployment('shop/api', { replicas: 2 });
  for (const pod of k8s.pods('shop/api', 2, { nodes: ['n1'], ready: false })) k8s.find(pod, 'CrashLoopBackOff');
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/api CrashLoopBackOff 2']);
});

test('a crash on a node that is not ready stays the app’s: the kubelet still reported it', () => {
  const { k8s } = lostNode();
  k8s.deployment('shop/crash');
  const [pod] = k8s.pods('shop/crash', 1, { nodes: ['n1'], ready: false });
  assert.ok(pod);
  k8s.find(pod, 'CrashLoopBackOff', { since: -600 });
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/crash CrashLoopBackOff 1', 'Node//n1 NodeNotReady 21']);
});

test('replacements of a lost node’s Pods that find no room are the node’s', () => {
  const { k8s } = lostNode();
  const pending = k8s.pods('shop/app0', 2, { first: 50, ready: false, phase: 'Pending' });
  for (const pod of pending) {
    k8s.link(pod, 'replaces', 'Node//n1');
    k8s.find(pod, 'Unschedulable', { since: 330 });
  }
  assert.deepEqual(inShort(k8s.explain()), ['Node//n1 NodeNotReady 23']);
});

test('a Pod that finds no room long after, or replaces nothing, is not the node’s', () => {
  for (const [since, replaces] of [
    [1000, true],
    [330, false],
  ] as const) {
    const { k8s } = lostNode();
    const [pending] = k8s.pods('shop/app0', 1, { first: 50, ready: false, phase: 'Pending' });
    assert.ok(pending);
    if (replaces) k8s.link(pending, 'replaces', 'Node//n1');
    k8s.find(pending, 'Unschedulable', { since });
    assert.ok(inShort(k8s.explain(1100)).includes('Deployment/shop/app0 Unschedulable 1'));
  }
});

test('memory pressure explains kills of containers without a limit of their own, and no others', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.find('Node//n1', 'MemoryPressure');
  k8s.deployment('shop/api', { replicas: 3 });
  const owner: Ref = 'ReplicaSet/shop/api-r1';
  const free = { ...plainContainer, name: 'app' };
  const killed = k8s.pod('shop/api-1', { owner, node: 'n1', template: { containers: [free] } });
  const limited = { containers: [{ ...free, memoryLimit: '64Mi' }] };
  const atLimit = k8s.pod('shop/api-2', { owner, node: 'n1', template: limited });
  k8s.pods('shop/api', 1, { first: 9 });
  k8s.find(killed, 'OOMKilled', { since: 10, scope: 'app' });
  k8s.find(atLimit, 'OOMKilled', { since: 10, scope: 'app', facts: { memoryLimit: '64Mi' } });
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/api OOMKilled 1', 'Node//n1 MemoryPressure 2']);
});

/** A Deployment of 5 whose new revision has two Pods; four old ones are well. */
function release(change = true) {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 5, ready: 4, revisions: 2 });
  const old = k8s.pods('shop/api', 4, { revision: 1 });
  const fresh = k8s.pods('shop/api', 2, { revision: 2, first: 10, ready: false });
  for (const pod of fresh) k8s.find(pod, 'CrashLoopBackOff', { since: 60, scope: 'app' });
  if (change) k8s.change(api, 'image', 30, { from: 'api:1.0', to: 'api:1.1', by: 'kubectl' });
  return { k8s, api, old, fresh };
}

test('a new image that crash-loops is one explanation, rooted at the Deployment, that names the change', () => {
  const { k8s, api } = release();
  k8s.find(api, 'ProgressDeadlineExceeded', { since: 600 });
  const [explanation, ...others] = k8s.explain(700);
  assert.deepEqual(others, []);
  assert.equal(explanation?.root.ref, api);
  assert.equal(explanation?.reason, 'CrashLoopBackOff');
  assert.equal(explanation?.confidence, 'high');
  assert.equal(explanation?.severity, 'high');
  assert.deepEqual(explanation?.change, {
    ref: api,
    field: 'image',
    at: at(30),
    by: 'kubectl',
    from: 'api:1.0',
    to: 'api:1.1',
  });
  assert.equal(explanation?.members.length, 3);
  assert.equal(explanation?.parts, undefined);
  assert.deepEqual(explanation?.proof, [{ code: 'OnlyNewRevision', all: true }]);
});

test('a refused create beside a bad release stays a second explanation', () => {
  const { k8s, api } = release();
  k8s.find(api, 'ReplicaFailure', { since: 40 });
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/api CrashLoopBackOff 2',
    'Deployment/shop/api ReplicaFailure 1',
  ]);
});

test('without a change the same Pods are lifted to the Deployment, and the cause is not known', () => {
  const { k8s, api } = release(false);
  const [explanation, ...others] = k8s.explain();
  assert.deepEqual(others, []);
  assert.equal(explanation?.root.ref, api);
  assert.equal(explanation?.confidence, 'unknown');
  assert.equal(explanation?.change, undefined);
});

test('a release is not blamed when the old Pods fail in the same way', () => {
  const { k8s, old } = release();
  for (const pod of old) k8s.find(pod, 'CrashLoopBackOff', { since: 40 });
  const explanations = k8s.explain();
  assert.deepEqual(inShort(explanations), ['Deployment/shop/api CrashLoopBackOff 6']);
  assert.equal(explanations[0]?.change, undefined);
});

test('a release is not blamed for what began before it, or more than 30 min after', () => {
  for (const changedAt of [200, -1800]) {
    const { k8s, api } = release(false);
    k8s.change(api, 'image', changedAt);
    assert.equal(k8s.explain()[0]?.change, undefined, `changed at ${changedAt}`);
  }
});

test('scaling is not a release', () => {
  const { k8s, api } = release(false);
  k8s.change(api, 'replicas', 30);
  assert.equal(k8s.explain()[0]?.change, undefined);
});

/** The new revision's Pods become ready at 40 and fail when told to; nothing of the old one is left. */
function servedRelease(failedAt: number, oldPodsLeft = 0) {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 3, ready: 0, revisions: 2 });
  k8s.pods('shop/api', oldPodsLeft, { revision: 1 });
  k8s.change(api, 'image', 30);
  for (const pod of k8s.pods('shop/api', 3, { revision: 2, first: 10, ready: false, readySince: failedAt }))
    k8s.find(pod, 'CrashLoopBackOff', { since: failedAt, scope: 'app' });
  return k8s.explain(failedAt + 100)[0];
}

test('a release whose Pods served for 25 min before they failed is not why they fail', () => {
  const explanation = servedRelease(1500);
  assert.equal(explanation?.change, undefined);
  assert.equal(explanation?.confidence, 'unknown');
  const change = { ref: 'Deployment/shop/api', field: 'image', at: at(30) };
  assert.deepEqual(explanation?.proof, [{ code: 'ServedAfterEdit', change, servedMs: 1_470_000 }]);
});

test('a release whose Pods served for 25 min may still be why they fail when the old Pods beside them are well', () => {
  const explanation = servedRelease(1500, 3);
  assert.equal(explanation?.change?.field, 'image');
  assert.equal(explanation?.confidence, 'likely');
});

test('a release is sure to be the cause only with a contrast: old Pods that are well, or a Deployment available until then', () => {
  assert.equal(servedRelease(35)?.confidence, 'likely');
  assert.equal(servedRelease(35, 3)?.confidence, 'high');
});

test('a Deployment that was not available before it was edited was not broken by the edit', () => {
  const said = ([status, since]: readonly ['True' | 'False', number]) => {
    const k8s = cluster();
    const conditions = [{ type: 'Available', status, reason: '', message: '', since: at(since) }] as const;
    const api = k8s.deployment('shop/api', { replicas: 1, ready: 0, revisions: 2, conditions });
    k8s.change(api, 'image', 30);
    for (const pod of k8s.pods('shop/api', 1, { revision: 2, ready: false }))
      k8s.find(pod, 'CrashLoopBackOff', { since: 60 });
    const [explanation] = k8s.explain();
    return `${explanation?.change?.field} ${explanation?.confidence}`;
  };
  assert.deepEqual(
    (
      [
        ['False', -600],
        ['False', 35],
        ['True', -600],
      ] as const
    ).map(said),
    ['undefined unknown', 'image high', 'image high'],
  );
});

/** What is blamed when these fields were edited at once and a new Pod shows a reason. */
function blamedFor(reason: Reason, fields: readonly ChangeField[], more: { killingProbe?: string } = {}) {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 5, ready: 4, revisions: 2 });
  k8s.pods('shop/api', 4, { revision: 1 });
  for (const field of fields) k8s.change(api, field, 30);
  for (const pod of k8s.pods('shop/api', 1, { revision: 2, first: 10, ready: false }))
    k8s.find(pod, reason, { since: 60, scope: 'app', facts: more });
  const change = k8s.explain()[0]?.change;
  return change && [change.field, ...(change.also ?? [])].join(' + ');
}

for (const [reason, edited, blamed] of [
  ['CrashLoopBackOff', ['image'], 'image'],
  ['CrashLoopBackOff', ['env', 'image'], 'image + env'],
  ['CrashLoopBackOff', ['affinity'], undefined],
  ['CrashLoopBackOff', ['metadata', 'replicas', 'strategy'], undefined],
  ['Unschedulable', ['image'], undefined],
  ['Unschedulable', ['image', 'resources'], 'resources'],
  ['Unschedulable', ['nodeSelector'], 'nodeSelector'],
  ['ImageNotFound', ['env', 'image'], 'image'],
  ['ImageNotFound', ['env'], undefined],
  ['CreateContainerConfigError', ['image', 'envFrom'], 'envFrom + image'],
  ['OOMKilled', ['image', 'resources'], 'resources + image'],
  ['PodNotReady', ['image', 'readinessProbe'], 'readinessProbe + image'],
  ['PodNotReady', ['affinity'], undefined],
  ['StartupProbeFailed', ['startupProbe'], 'startupProbe'],
  ['PodStuckTerminating', ['image'], undefined],
] as const)
  test(`${reason} after an edit of ${edited.join(', ')} is blamed on ${blamed ?? 'nothing'}`, () =>
    assert.equal(blamedFor(reason, edited), blamed));

test('of a container that the kubelet may have ended for its probe, the probe that changed is blamed', () => {
  const edited = ['env', 'livenessProbe'] as const;
  assert.equal(blamedFor('CrashLoopBackOff', edited, { killingProbe: 'liveness' }), 'livenessProbe + env');
  assert.equal(blamedFor('CrashLoopBackOff', edited), 'env + livenessProbe');
});

test('of an edit of several containers the failing one’s own field is blamed, and no other’s for an image it cannot pull', () => {
  const said = (reason: Reason, ...edited: readonly (readonly [container: string, field: ChangeField])[]) => {
    const k8s = cluster();
    const api = k8s.deployment('shop/api', { replicas: 5, ready: 4, revisions: 2 });
    k8s.pods('shop/api', 4, { revision: 1 });
    for (const [container, field] of edited) k8s.change(api, field, 30, { container });
    for (const pod of k8s.pods('shop/api', 1, { revision: 2, first: 10, ready: false }))
      k8s.find(pod, reason, { since: 60, scope: 'app' });
    const change = k8s.explain()[0]?.change;
    return change && `${change.container} ${change.field}`;
  };
  assert.equal(said('CrashLoopBackOff', ['proxy', 'image'], ['app', 'env']), 'app env');
  assert.equal(said('CrashLoopBackOff', ['proxy', 'image']), 'proxy image');
  assert.equal(said('ImageNotFound', ['proxy', 'image']), undefined);
});

test('a StatefulSet’s release is told by the revision hash of its Pods', () => {
  const k8s = cluster();
  const db = k8s.workload('StatefulSet', 'shop/db', {
    replicas: 3,
    ready: 2,
    revision: 'db-bbb',
    currentRevision: 'db-aaa',
  });
  const old = k8s.pod('shop/db-0', { owner: db, labels: { 'controller-revision-hash': 'db-aaa' } });
  const fresh = k8s.pod('shop/db-2', { owner: db, labels: { 'controller-revision-hash': 'db-bbb' }, ready: false });
  k8s.change(db, 'image', 0);
  k8s.find(fresh, 'CrashLoopBackOff', { since: 60 });
  assert.equal(k8s.explain()[0]?.change?.field, 'image');
  k8s.clear(fresh);
  k8s.find(old, 'CrashLoopBackOff', { since: 60 });
  assert.equal(k8s.explain()[0]?.change, undefined);
});

test('a changed ConfigMap may be the cause, but never for sure, however many it hits', () => {
  const k8s = cluster();
  for (const name of ['shop/a', 'shop/b', 'shop/c'] as const) {
    k8s.deployment(name, { replicas: 2 });
    for (const pod of k8s.pods(name, 2, { created: 60, ready: false })) {
      k8s.link(pod, 'uses', 'ConfigMap/shop/config');
      k8s.find(pod, 'CrashLoopBackOff', { since: 60 });
    }
  }
  k8s.change('ConfigMap/shop/config', 'data', 60, { certain: false });
  const [explanation, ...others] = k8s.explain();
  assert.deepEqual(others, []);
  assert.equal(explanation?.root.ref, 'ConfigMap/shop/config');
  assert.equal(explanation?.reason, 'CrashLoopBackOff');
  assert.equal(explanation?.confidence, 'likely');
  assert.equal(explanation?.change?.certain, false);
});

test('a release takes its Pods from a ConfigMap that explains them worse, though that explains more', () => {
  const k8s = cluster();
  const b = k8s.deployment('shop/b', { replicas: 3, revisions: 2 });
  k8s.deployment('shop/a', { replicas: 6 });
  k8s.pods('shop/b', 2, { revision: 1 });
  const pods = [
    ...k8s.pods('shop/a', 6, { created: 30, ready: false }),
    ...k8s.pods('shop/b', 2, { revision: 2, first: 10, ready: false }),
  ];
  for (const pod of pods) {
    k8s.link(pod, 'uses', 'ConfigMap/shop/config');
    k8s.find(pod, 'CrashLoopBackOff', { since: 60 });
  }
  k8s.change('ConfigMap/shop/config', 'data', 20, { certain: false });
  k8s.change(b, 'image', 30);
  assert.deepEqual(inShort(k8s.explain()), [
    'ConfigMap/shop/config CrashLoopBackOff 6',
    'Deployment/shop/b CrashLoopBackOff 2',
  ]);
});

test('a missing Secret is the root of all that need it', () => {
  const k8s = cluster();
  const secret: Ref = 'Secret/shop/db';
  k8s.find(secret, 'SecretMissing', { since: 1 });
  for (const name of ['shop/api', 'shop/web'] as const) {
    k8s.deployment(name);
    for (const pod of k8s.pods(name, 2, { ready: false })) {
      k8s.find(pod, 'CreateContainerConfigError', { names: [secret] });
      k8s.find(pod, 'PodNotReady', { conclusive: false });
    }
  }
  const explanations = k8s.explain();
  assert.deepEqual(inShort(explanations), ['Secret/shop/db SecretMissing 9']);
  assert.equal(explanations[0]?.confidence, 'high');
  assert.deepEqual(explanations[0]?.workloads, ['Deployment/shop/api', 'Deployment/shop/web']);
});

test('a configuration error that names nothing missing is the workload’s own', () => {
  const k8s = cluster();
  k8s.find('Secret/shop/db', 'SecretMissing');
  k8s.deployment('shop/api');
  const [pod] = k8s.pods('shop/api', 1, { ready: false });
  assert.ok(pod);
  k8s.link(pod, 'uses', 'Secret/shop/db');
  k8s.find(pod, 'CreateContainerConfigError');
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/api CreateContainerConfigError 1',
    'Secret/shop/db SecretMissing 1',
  ]);
});

function pulls(names: readonly `${string}/${string}`[]) {
  const k8s = cluster();
  k8s.find('Registry//ghcr.io', 'RegistryUnreachable', { since: 5 });
  for (const name of names) {
    k8s.deployment(name);
    const [pod] = k8s.pods(name, 1, { ready: false });
    assert.ok(pod);
    k8s.link(pod, 'pulls', 'Registry//ghcr.io');
    k8s.find(pod, 'ImagePullBackOff', { detail: 'Pulling ghcr.io/app failed.' });
  }
  return k8s;
}

test('pull errors of several workloads from one registry are the registry’s', () => {
  assert.deepEqual(inShort(pulls(['shop/a', 'pay/b']).explain()), ['Registry//ghcr.io RegistryUnreachable 3']);
});

test('pull errors of one workload are its own', () => {
  assert.deepEqual(inShort(pulls(['shop/a']).explain()), [
    'Deployment/shop/a ImagePullBackOff 1',
    'Registry//ghcr.io RegistryUnreachable 1',
  ]);
});

test('a claim that the scheduler does not find is the root of the Pods that wait for it', () => {
  const k8s = cluster();
  k8s.workload('StatefulSet', 'shop/db');
  const pod = k8s.pod('shop/db-0', { owner: 'StatefulSet/shop/db', ready: false, phase: 'Pending' });
  k8s.find(pod, 'Unschedulable', { names: ['PersistentVolumeClaim/shop/data-db-0'] });
  assert.deepEqual(inShort(k8s.explain()), ['PersistentVolumeClaim/shop/data-db-0 Unschedulable 1']);
});

test('a quota that the refusal names is the root of all it refused', () => {
  const k8s = cluster();
  for (const name of ['shop/a', 'shop/b'] as const) {
    const ref = k8s.deployment(name);
    k8s.find(ref, 'ReplicaFailure', { names: ['ResourceQuota/shop/compute'] });
  }
  k8s.find('ResourceQuota/shop/compute', 'QuotaExceeded');
  assert.deepEqual(inShort(k8s.explain()), ['ResourceQuota/shop/compute QuotaExceeded 3']);
});

test('a workload that is short of replicas goes with what stops its Pods, and shows their reason', () => {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 3, ready: 0 });
  k8s.find(api, 'DeploymentUnavailable', { since: -30 });
  for (const pod of k8s.pods('shop/api', 3, { ready: false })) {
    k8s.find(pod, 'ImageNotFound');
    k8s.find(pod, 'PodNotReady');
  }
  assert.deepEqual(inShort(k8s.explain()), ['Deployment/shop/api ImageNotFound 7']);
});

test('a workload that is short because of a lost node goes with the node', () => {
  const { k8s } = lostNode();
  k8s.find('Deployment/shop/app0', 'DeploymentUnavailable', { since: 60 });
  assert.deepEqual(inShort(k8s.explain()), ['Node//n1 NodeNotReady 22']);
});

test('two independent faults of one workload stay two', () => {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 4 });
  const [a, b, c] = k8s.pods('shop/api', 3, { ready: false });
  assert.ok(a && b && c);
  k8s.find(a, 'CrashLoopBackOff');
  k8s.find(b, 'CrashLoopBackOff');
  k8s.find(c, 'Unschedulable');
  assert.deepEqual(inShort(k8s.explain()), [
    'Deployment/shop/api CrashLoopBackOff 2',
    'Deployment/shop/api Unschedulable 1',
  ]);
});

test('a Job of a CronJob that is not seen is still lifted to it', () => {
  const k8s = cluster();
  k8s.workload('ReplicaSet', 'shop/nightly-1', { owner: 'CronJob/shop/nightly' });
  k8s.find('ReplicaSet/shop/nightly-1', 'JobFailed');
  assert.deepEqual(inShort(k8s.explain()), ['CronJob/shop/nightly JobFailed 1']);
});

test('a static Pod stands for itself, although its node owns it', () => {
  const k8s = cluster();
  k8s.node('n1');
  k8s.find(
    k8s.pod('kube-system/etcd-n1', { owner: 'Node//n1', node: 'n1', mirror: true, ready: false }),
    'CrashLoopBackOff',
  );
  assert.deepEqual(inShort(k8s.explain()), ['Pod/kube-system/etcd-n1 CrashLoopBackOff 1']);
});

test('a second container of a Pod that a release broke is part of that failure; another Pod of the workload is not', () => {
  const k8s = cluster();
  const api = k8s.deployment('shop/api', { replicas: 5, ready: 3, revisions: 2 });
  const [old] = k8s.pods('shop/api', 4, { revision: 1 });
  const [broken] = k8s.pods('shop/api', 1, { revision: 2, first: 10, ready: false });
  assert.ok(old && broken);
  k8s.change(api, 'image', 30, { container: 'app' });
  k8s.find(broken, 'ImageNotFound', { since: 60, scope: 'app' });
  k8s.find(broken, 'ImageNotFound', { since: 60, scope: 'sidecar' });
  k8s.find(old, 'OOMKilled', { since: 60, scope: 'app' });
  assert.deepEqual(inShort(k8s.explain()).sort(), [
    'Deployment/shop/api ImageNotFound 2',
    'Deployment/shop/api OOMKilled 1',
  ]);
});
