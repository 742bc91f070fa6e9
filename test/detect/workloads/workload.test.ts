import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  condition,
  daemonSet,
  ended,
  job,
  node,
  pod,
  stamp,
  start,
  status,
  waiting,
  workload,
} from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const deployment = 'Deployment/shop/api';
const old = { createdAt: at(-900) };
const complete = condition('Progressing', 'True', at(-900), 'NewReplicaSetAvailable');
const short = (available: number) => ({ availableReplicas: available, readyReplicas: available });
/** Nobody has made a Pod anew. */
const unmade = { replicas: 0, ...short(0) };
const notReady = (since: number) => ({
  ...old,
  statuses: [status('api', { ready: false })],
  conditions: [condition('Ready', 'False', since, 'ContainersNotReady')],
});

test('W1 fires and clears: a rollout past its deadline is found as the controller says it', () => {
  const { put, found, says } = story();
  const late = condition('Progressing', 'False', at(10), 'ProgressDeadlineExceeded');
  put(
    at(10),
    workload('Deployment', 'api', { ...old, conditions: [late], status: { updatedReplicas: 1, ...short(2) } }),
  );
  assert.ok(found().includes(`${deployment} ProgressDeadlineExceeded`));
  assert.match(says(deployment, 'ProgressDeadlineExceeded'), /1 of 3 pods is on the new revision/);
  put(at(11), workload('Deployment', 'api', { ...old, conditions: [complete] }));
  assert.deepEqual(found(), []);
});

const outageSince = (since: number) => condition('Available', 'False', since, 'MinimumReplicasUnavailable');

test('W3 fires and clears: a Deployment none of whose several Pods is left is found after 30 s and is told at once', () => {
  const { put, found, finding, wait, says } = story();
  put(at(0), workload('Deployment', 'api', { ...old, conditions: [complete, outageSince(at(0))], status: unmade }));
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  assert.deepEqual(found(), [`${deployment} DeploymentUnavailable`]);
  const { severity, conclusive, facts } = finding(deployment, 'DeploymentUnavailable');
  assert.deepEqual([severity, conclusive], ['high', true]);
  assert.equal(says(deployment, 'DeploymentUnavailable'), 'None of 3 pods is available.');
  assert.deepEqual([facts.wanted, facts.available], [3, 0]);
  put(at(1), workload('Deployment', 'api', { ...old, conditions: [complete] }));
  assert.deepEqual(found(), []);
});

test('W3 fires: Pods that crash or cannot start are left to the rows that know why', () => {
  const { put, found, wait } = story();
  const conditions = [complete, outageSince(at(0))];
  const owner = { kind: 'ReplicaSet', name: 'api-1' };
  put(at(0), node('n1'), workload('ReplicaSet', 'api-1', { ...old, owner: { kind: 'Deployment', name: 'api' } }));
  put(at(0), workload('Deployment', 'api', { ...old, conditions, status: short(0) }));
  put(
    at(0),
    pod('api-1', { ...notReady(at(0)), owner, statuses: [waiting('api', 'CrashLoopBackOff', 'back-off 10s')] }),
  );
  wait(at(1, 29));
  assert.deepEqual(found(), []);
  wait(at(1, 30));
  assert.deepEqual(found(), [`${deployment} DeploymentUnavailable`]);
});

test('W3 fires: the only Pod that runs on and no longer serves is an outage after 30 s, one that was replaced after 90 s', () => {
  const { put, found, wait } = story();
  const single = { ...old, replicas: 1, conditions: [complete, outageSince(at(0))], status: short(0) };
  const began = { state: { running: { startedAt: stamp(at(0, 20)) } }, ready: false };
  for (const name of ['stuck', 'moved']) {
    put(at(0), workload('Deployment', name, single));
    put(at(0), workload('ReplicaSet', name, { ...old, owner: { kind: 'Deployment', name } }));
  }
  put(
    at(0),
    node('n1'),
    pod('stuck', {
      ...notReady(at(0)),
      owner: { kind: 'ReplicaSet', name: 'stuck' },
      statuses: [status('api', { ready: false, state: { running: { startedAt: stamp(at(-900)) } } })],
    }),
  );
  put(
    at(0, 20),
    pod('moved', {
      ...notReady(at(0, 10)),
      owner: { kind: 'ReplicaSet', name: 'moved' },
      statuses: [status('api', began)],
    }),
  );
  wait(at(0, 30));
  assert.deepEqual(found(), ['Deployment/shop/stuck DeploymentUnavailable']);
  wait(at(1, 29));
  assert.ok(!found().includes('Deployment/shop/moved DeploymentUnavailable'));
  wait(at(1, 30));
  assert.ok(found().includes('Deployment/shop/moved DeploymentUnavailable'));
});

test('W3 fires: a Pod that nobody makes anew is an outage after 30 s, one below what the Deployment can do without after 90 s', () => {
  const { put, found, wait } = story();
  const conditions = [complete, outageSince(at(0))];
  put(at(0), workload('Deployment', 'single', { ...old, replicas: 1, conditions, status: unmade }));
  put(at(0), workload('Deployment', 'below', { ...old, conditions, status: short(1) }));
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  assert.deepEqual(found(), ['Deployment/shop/single DeploymentUnavailable']);
  wait(at(1, 29));
  assert.ok(!found().includes('Deployment/shop/below DeploymentUnavailable'));
  wait(at(1, 30));
  assert.ok(found().includes('Deployment/shop/below DeploymentUnavailable'));
});

test('W3 W7 fires: a rollout that leaves nothing serving and makes nothing is found after 30 s, one of what never served is given time', () => {
  const { put, found, wait } = story();
  const rolling = condition('Progressing', 'True', at(0), 'ReplicaSetUpdated');
  const serving = [complete, condition('Available', 'True', at(-900))];
  put(at(-1), workload('Deployment', 'api', { ...old, conditions: serving }), workload('StatefulSet', 'db', old));
  const next = { ...old, image: 'shop/api:2', generation: 2 };
  const none = { observedGeneration: 2, ...unmade };
  put(at(0), workload('Deployment', 'api', { ...next, conditions: [rolling, outageSince(at(0))], status: none }));
  const revisions = { currentRevision: 'a', updateRevision: 'b' };
  put(at(0), workload('StatefulSet', 'db', { ...next, status: { ...none, ...revisions } }));
  const young = { createdAt: at(0), conditions: [rolling, outageSince(at(0, 1))], status: short(0) };
  put(at(0), workload('Deployment', 'new', young));
  wait(at(0, 29));
  assert.deepEqual(found(), []);
  wait(at(0, 30));
  const outages = [`${deployment} DeploymentUnavailable`, 'StatefulSet/shop/db StatefulSetUnavailable'];
  assert.deepEqual(found(), outages);
  wait(at(29));
  // By then the one that never served is told as that, and the StatefulSet as stuck in its rollout.
  assert.deepEqual(
    found().filter((each) => each.endsWith('Unavailable')),
    outages,
  );
  assert.ok(!found().includes(`${deployment} WorkloadNeverReady`));
});

test('W2 fires and clears: one that is only short is medium, after 10 minutes of the same Pods being unready', () => {
  const { put, found, finding, wait } = story();
  const parts = { ...old, conditions: [complete, condition('Available', 'True', at(-900))], status: short(2) };
  const replicaSet = workload('ReplicaSet', 'api-1', { ...old, owner: { kind: 'Deployment', name: 'api' } });
  const owner = { kind: 'ReplicaSet', name: 'api-1' };
  put(at(0), node('n1'), workload('Deployment', 'api', parts), replicaSet, pod('api-1', { ...notReady(at(0)), owner }));
  const unavailable = () => found().includes(`${deployment} DeploymentUnavailable`);
  wait(at(5));
  // Another Pod takes over being unready: the count is the same, the Pod is not.
  put(at(5), pod('api-1', { ...old, owner }), pod('api-2', { ...notReady(at(5)), owner }));
  wait(at(14, 59));
  assert.equal(unavailable(), false);
  wait(at(15));
  assert.equal(unavailable(), true);
  assert.equal(finding(deployment, 'DeploymentUnavailable').severity, 'medium');
  put(at(16), workload('Deployment', 'api', { ...parts, status: short(3) }));
  assert.equal(unavailable(), false);
});

test('W3 is quiet: a Deployment of which a Pod has just become ready again is on its way back, until half a minute later', () => {
  const { put, found, wait } = story();
  const owner = { kind: 'Deployment', name: 'api' };
  const parts = { ...old, replicas: 4, conditions: [complete, outageSince(at(0))], status: short(1) };
  const back = { ...old, owner, conditions: [condition('Ready', 'True', at(1, 20))] };
  put(
    at(0),
    workload('Deployment', 'api', parts),
    ...['a', 'b', 'c'].map((one) => pod(one, { ...notReady(at(0)), owner })),
  );
  put(at(1, 20), pod('a', back));
  const isFound = (): boolean => found().includes(`${deployment} DeploymentUnavailable`);
  wait(at(1, 49));
  assert.equal(isFound(), false);
  wait(at(1, 50));
  assert.equal(isFound(), true);
});

test('W2 W3 is quiet: rollouts, scale-ups, pauses and scaling to zero are no outage', () => {
  const outage = condition('Available', 'False', at(0), 'MinimumReplicasUnavailable');
  const rolling = condition('Progressing', 'True', at(0), 'NewReplicaSetCreated');
  const { put, found, wait } = story();
  put(at(0), workload('Deployment', 'rolling', { createdAt: at(0), conditions: [rolling, outage], status: short(0) }));
  put(
    at(0),
    workload('Deployment', 'paused', { ...old, conditions: [outage], spec: { paused: true }, status: short(0) }),
  );
  put(at(0), workload('Deployment', 'zero', { ...old, replicas: 0, conditions: [outage] }));
  put(at(0), workload('Deployment', 'scaled', { ...old, replicas: 2, conditions: [complete] }));
  put(
    at(1),
    workload('Deployment', 'scaled', {
      ...old,
      replicas: 9,
      generation: 1,
      conditions: [complete, outage],
      status: short(2),
    }),
  );
  wait(at(9));
  assert.deepEqual(found(), []);
});

test('W3 is quiet: a Deployment at its first start whose controller wrote its conditions a minute late', () => {
  const { put, found, wait } = story();
  const progressing = condition('Progressing', 'True', at(1), 'NewReplicaSetCreated');
  const conditions = [progressing, outageSince(at(1))];
  put(at(1), workload('Deployment', 'api', { createdAt: at(0), generation: 1, conditions, status: short(0) }));
  wait(at(9));
  assert.deepEqual(found(), []);
});

test('W4 fires and clears: a refused create is found on the ReplicaSet and names what refused it', () => {
  const { put, found, finding, wait } = story();
  const text =
    'pods "api-7d9-x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10';
  put(
    at(0),
    workload('ReplicaSet', 'api-7d9', {
      ...old,
      conditions: [condition('ReplicaFailure', 'True', at(0), 'FailedCreate', text)],
    }),
  );
  wait(at(0, 24));
  assert.deepEqual(found(), []);
  wait(at(0, 25));
  assert.deepEqual(found(), ['ReplicaSet/shop/api-7d9 ReplicaFailure', 'ResourceQuota/shop/compute QuotaExceeded']);
  assert.deepEqual(finding('ReplicaSet/shop/api-7d9', 'ReplicaFailure').names, ['ResourceQuota/shop/compute']);
  put(at(1), workload('ReplicaSet', 'api-7d9', old));
  assert.deepEqual(found(), []);
});

test('W4 is quiet: a quota that is free again within 30 s, and a ReplicaSet that wants no Pods any more', () => {
  const { put, found, wait } = story();
  const conditions = [condition('ReplicaFailure', 'True', at(0), 'FailedCreate', 'exceeded quota: compute')];
  put(at(0), workload('ReplicaSet', 'api-7d9', { ...old, conditions }));
  put(at(0), workload('ReplicaSet', 'api-6c8', { ...old, replicas: 0, conditions }));
  put(at(0, 20), workload('ReplicaSet', 'api-7d9', old));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('W1 is quiet: a rollout that is slow but moves, and one that is paused', () => {
  const { put, found, wait } = story();
  const moving = condition('Progressing', 'True', at(0), 'ReplicaSetUpdated');
  const paused = condition('Progressing', 'Unknown', at(0), 'DeploymentPaused');
  const available = condition('Available', 'True', at(-900));
  put(at(0), workload('Deployment', 'api', { ...old, conditions: [moving, available] }));
  put(at(0), workload('Deployment', 'web', { ...old, spec: { paused: true }, conditions: [paused, available] }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('W4 fires: what a policy refuses is the fault of the object that breaks it, in the words of the policy', () => {
  const { put, found, finding, wait, says } = story();
  const text = 'admission webhook "validation.gatekeeper.sh" denied the request: [team-label] no label "team"';
  const conditions = [condition('ReplicaFailure', 'True', at(0), 'FailedCreate', text)];
  put(at(0), workload('ReplicaSet', 'api-7d9', { ...old, conditions }));
  wait(at(0, 30));
  assert.deepEqual(found(), ['ReplicaSet/shop/api-7d9 AdmissionDenied']);
  const { names, conclusive } = finding('ReplicaSet/shop/api-7d9', 'AdmissionDenied');
  assert.deepEqual([names, conclusive], [[], true]);
  assert.equal(
    says('ReplicaSet/shop/api-7d9', 'AdmissionDenied'),
    'Pods cannot be created: validation.gatekeeper.sh refuses them: [team-label] no label "team".',
  );
});

test('W7 fires and clears: a StatefulSet without a ready Pod is high after 30 s, a short one medium after 10 min, naming the lowest', () => {
  const { put, found, finding, wait } = story();
  const owner = { kind: 'StatefulSet', name: 'web' };
  put(at(0), node('n1'), workload('StatefulSet', 'web', { ...old, status: short(1) }));
  put(at(0), pod('web-10', { ...notReady(at(0)), owner }), pod('web-2', { ...notReady(at(0)), owner }));
  put(at(0), workload('StatefulSet', 'down', { ...old, status: short(0) }));
  wait(at(0, 29));
  assert.deepEqual(
    found().filter((line) => line.startsWith('StatefulSet')),
    [],
  );
  wait(at(0, 30));
  assert.equal(finding('StatefulSet/shop/down', 'StatefulSetUnavailable').severity, 'high');
  wait(at(10));
  const { severity, facts } = finding('StatefulSet/shop/web', 'StatefulSetUnavailable');
  assert.deepEqual([severity, facts.firstUnready], ['medium', 'web-2']);
  put(at(11), workload('StatefulSet', 'web', old), workload('StatefulSet', 'down', old));
  assert.ok(!found().some((line) => line.startsWith('StatefulSet')));
});

test('W7 is quiet: a StatefulSet that was just made or rolls out is given time', () => {
  const { put, found, wait } = story();
  put(at(0), workload('StatefulSet', 'new', { createdAt: at(0), status: short(0) }));
  put(at(0), workload('StatefulSet', 'web', { ...old }));
  const rolling = { currentRevision: 'a', updateRevision: 'b', ...short(2) };
  put(
    at(1),
    workload('StatefulSet', 'web', {
      ...old,
      generation: 2,
      image: 'shop/api:2',
      status: { observedGeneration: 2, ...rolling },
    }),
  );
  wait(at(9, 59));
  assert.deepEqual(found(), []);
});

const agent = { kind: 'DaemonSet', name: 'agent' };

test('W10 fires and clears: a DaemonSet that misses Pods on Nodes that are well is found', () => {
  const { put, found, finding, wait } = story();
  put(at(0), node('n1'), node('n2'), daemonSet('agent', { status: { numberReady: 1, numberAvailable: 1 } }));
  put(
    at(0),
    pod('agent-1', { ...old, owner: agent }),
    pod('agent-2', { ...notReady(at(0)), owner: agent, node: 'n2' }),
  );
  wait(at(9, 59));
  assert.ok(!found().includes('DaemonSet/shop/agent DaemonSetUnavailable'));
  wait(at(10));
  const { severity, names } = finding('DaemonSet/shop/agent', 'DaemonSetUnavailable');
  assert.deepEqual([severity, names], ['medium', ['Node//n2']]);
  put(at(11), daemonSet('agent', { status: { numberReady: 2, numberAvailable: 2 } }));
  assert.ok(!found().includes('DaemonSet/shop/agent DaemonSetUnavailable'));
});

test('W10 is quiet: Nodes that are away, leaving or young excuse the Pods on them', () => {
  for (const n2 of [
    node('n2', { ready: 'Unknown', since: at(0) }),
    node('n2', { spec: { unschedulable: true } }),
    node('n2', { createdAt: at(0) }),
  ]) {
    const { put, found, wait } = story();
    put(at(0), node('n1'), n2, daemonSet('agent', { status: { numberReady: 1, numberAvailable: 1 } }));
    put(
      at(0),
      pod('agent-1', { ...old, owner: agent }),
      pod('agent-2', { ...notReady(at(0)), owner: agent, node: 'n2' }),
    );
    wait(at(9, 59));
    assert.ok(!found().includes('DaemonSet/shop/agent DaemonSetUnavailable'));
  }
});

test('W10 is quiet: a young Node excuses for 10 minutes only', () => {
  const { put, found, wait } = story();
  put(
    at(0),
    node('n1'),
    node('n2', { createdAt: at(0) }),
    daemonSet('agent', { status: { numberReady: 1, numberAvailable: 1 } }),
  );
  put(
    at(0),
    pod('agent-1', { ...old, owner: agent }),
    pod('agent-2', { ...notReady(at(0)), owner: agent, node: 'n2' }),
  );
  wait(at(10));
  assert.ok(found().includes('DaemonSet/shop/agent DaemonSetUnavailable'));
});

test('W14 fires, is quiet and clears: a failed Job is found for a day and says what its Pod died of; one of a CronJob is not', () => {
  const { put, found, finding, wait, says } = story();
  const conditions = [
    condition('Failed', 'True', at(1), 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'),
  ];
  put(at(1), job('import', { conditions, status: { failed: 7 } }));
  put(at(1), job('nightly-1', { conditions, owner: { kind: 'CronJob', name: 'nightly' } }));
  put(
    at(1),
    pod('import-x', {
      phase: 'Failed',
      owner: { kind: 'Job', name: 'import' },
      statuses: [status('job', { ready: false, state: ended(at(0), at(1), 3) })],
    }),
  );
  assert.deepEqual(found(), ['Job/shop/import JobFailed']);
  const { facts } = finding('Job/shop/import', 'JobFailed');
  assert.deepEqual([facts.conditionReason, facts.exitCode, facts.failed], ['BackoffLimitExceeded', 3, 7]);
  assert.match(says('Job/shop/import', 'JobFailed'), /more often than its back-off limit allows/);
  wait(at(24 * 60 + 1));
  assert.deepEqual(found(), []);
});

test('W14 is quiet: a Job that retries or is suspended has not failed', () => {
  const { put, found } = story();
  put(start, job('retrying', { status: { active: 1, failed: 2 } }));
  put(start, job('suspended', { spec: { suspend: true }, conditions: [condition('Suspended', 'True')] }));
  assert.deepEqual(found(), []);
});
