import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { webhooks } from '../../world/control-objects.ts';
import { at, condition, cronJob, daemonSet, job, stamp, warning, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const old = { createdAt: at(-900) };
const named = (apiVersion: string, kind: string, name: string, namespace?: string): RawObject => ({
  ...{ apiVersion, kind },
  metadata: { name, uid: `uid-of-${name}`, ...(namespace !== undefined && { namespace }) },
});

/** A ReplicaSet whose Pods are refused in these words. */
const refused = (says: string): RawObject =>
  workload('ReplicaSet', 'api', {
    ...old,
    conditions: [condition('ReplicaFailure', 'True', at(0), 'FailedCreate', says)],
  });

const noAccount = 'pods "x" is forbidden: error looking up service account shop/api: serviceaccount "api" not found';
const exceeded =
  'pods "x" is forbidden: exceeded quota: compute, requested: limits.cpu=1,pods=1, used: limits.cpu=10,pods=3, limited: limits.cpu=10,pods=9';

test('W4 fires: a StatefulSet, a DaemonSet and a Job say in Events what they cannot make, beside a status that lacks it', () => {
  const { put, found, wait, says } = story();
  put(at(0), workload('StatefulSet', 'db', { ...old, status: { replicas: 1, readyReplicas: 1 } }));
  put(at(0), daemonSet('agent', { status: { currentNumberScheduled: 1, numberReady: 1, numberAvailable: 1 } }));
  put(at(0), job('import', { ...old, status: { startTime: stamp(at(0)) } }));
  const error = `create Pod db-1 in StatefulSet db failed error: ${exceeded}`;
  put(at(0), warning('StatefulSet', 'db', 'FailedCreate', error, at(0)));
  put(at(0), warning('DaemonSet', 'agent', 'FailedCreate', `Error creating: ${noAccount}`, at(0)));
  put(at(0), warning('Job', 'import', 'FailedCreate', 'Error creating: Pod "import-x" is invalid: spec', at(0)));
  wait(at(0, 30));
  assert.deepEqual(found().sort(), [
    'DaemonSet/shop/agent ReplicaFailure',
    'Job/shop/import ReplicaFailure',
    'ResourceQuota/shop/compute QuotaExceeded',
    'ServiceAccount/shop/api ServiceAccountMissing',
    'StatefulSet/shop/db ReplicaFailure',
  ]);
  assert.equal(
    says('Job/shop/import', 'ReplicaFailure'),
    'Pods cannot be created: Error creating: Pod "import-x" is invalid: spec.',
  );
});

test('W4 fires and clears: a CronJob whose Jobs are refused, until one is made', () => {
  const { put, found, wait, says } = story();
  const quota =
    'Error creating job: jobs.batch "backup-1" is forbidden: exceeded quota: jobs, requested: count/jobs.batch=1, used: count/jobs.batch=5, limited: count/jobs.batch=5';
  put(at(0), cronJob('backup'), warning('CronJob', 'backup', 'FailedCreate', quota, at(0)));
  wait(at(0, 25));
  assert.deepEqual(found(), ['CronJob/shop/backup ReplicaFailure', 'ResourceQuota/shop/jobs QuotaExceeded']);
  assert.match(says('CronJob/shop/backup', 'ReplicaFailure'), /^Jobs cannot be created: /);
  put(at(1), cronJob('backup', { status: { lastScheduleTime: stamp(at(0)), lastSuccessfulTime: stamp(at(1)) } }));
  assert.deepEqual(found(), []);
});

test('W4 clears: the webhook that refused its Pods is taken away, though the status goes on saying so until the next attempt', () => {
  const { put, gone, found, wait } = story('Pro');
  const guard = webhooks('ValidatingWebhookConfiguration', 'guard');
  const failed = 'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: timeout';
  put(at(0), guard, refused(failed));
  wait(at(1));
  assert.deepEqual(found(), ['ReplicaSet/shop/api ReplicaFailure']);
  gone(at(2), guard);
  put(
    at(2),
    workload('ReplicaSet', 'api', {
      ...old,
      status: { replicas: 1 },
      conditions: [condition('ReplicaFailure', 'True', at(0), 'FailedCreate', failed)],
    }),
  );
  wait(at(3));
  assert.deepEqual(found(), []);
});

test('W4 is quiet: an Event beside a status that lacks nothing; W4 clears without another attempt for 20 min', () => {
  const { put, found, wait } = story();
  put(at(0), workload('StatefulSet', 'whole', old), warning('StatefulSet', 'whole', 'FailedCreate', 'timeout', at(0)));
  put(at(0), workload('StatefulSet', 'db', { ...old, status: { replicas: 1 } }));
  put(at(0), warning('StatefulSet', 'db', 'FailedCreate', 'timeout', at(0)));
  wait(at(1));
  assert.deepEqual(found(), ['StatefulSet/shop/db ReplicaFailure']);
  wait(at(20));
  assert.equal(found().includes('StatefulSet/shop/db ReplicaFailure'), false);
});

test('G10 fires and clears: the quota that refuses is told within 30 s, with what is used and what is asked for', () => {
  const { put, found, wait, says, finding } = story();
  put(at(0), refused(exceeded));
  wait(at(0, 25));
  assert.deepEqual(found(), ['ReplicaSet/shop/api ReplicaFailure', 'ResourceQuota/shop/compute QuotaExceeded']);
  const { severity, conclusive } = finding('ResourceQuota/shop/compute', 'QuotaExceeded');
  assert.deepEqual([severity, conclusive], ['high', true]);
  assert.equal(
    says('ResourceQuota/shop/compute', 'QuotaExceeded'),
    'It refuses new pods: limits.cpu: 10 of 10 used, 1 more asked for; pods: 3 of 9 used, 1 more asked for.',
  );
  put(at(1), workload('ReplicaSet', 'api', old));
  assert.deepEqual(found(), []);
});

const quota = (hard: Record<string, string>, used: Record<string, string>): RawObject => ({
  ...named('v1', 'ResourceQuota', 'compute', 'shop'),
  status: { hard, used },
});

test('G10 stands without another attempt as long as the quota has no more left, and clears once it has', () => {
  const { put, found, wait } = story();
  const full = quota({ 'limits.cpu': '10', pods: '9' }, { 'limits.cpu': '10', pods: '3' });
  put(at(0), full, workload('StatefulSet', 'db', { ...old, status: { replicas: 1 } }));
  put(at(0), warning('StatefulSet', 'db', 'FailedCreate', exceeded, at(0)));
  const isTold = () => found().includes('ResourceQuota/shop/compute QuotaExceeded');
  wait(at(40));
  assert.equal(isTold(), true);
  put(at(41), quota({ 'limits.cpu': '20', pods: '9' }, { 'limits.cpu': '10', pods: '3' }));
  wait(at(43));
  assert.equal(isTold(), false);
});

test('G10 fires: more used than allowed is medium after 15 min; all of it, and nearly all of it, is low', () => {
  for (const [used, reason, severity] of [
    ['11', 'QuotaOverused', 'medium'],
    ['10', 'QuotaFullyUsed', 'low'],
    ['9500m', 'QuotaAlmostFull', 'low'],
  ] as const) {
    const { put, found, wait, finding, says } = story();
    put(at(0), quota({ 'requests.cpu': '10', pods: '50' }, { 'requests.cpu': used, pods: '10' }));
    wait(at(14, 59));
    assert.deepEqual(found(), []);
    wait(at(15));
    assert.deepEqual(found(), [`ResourceQuota/shop/compute ${reason}`]);
    assert.equal(finding('ResourceQuota/shop/compute', reason).severity, severity);
    assert.match(says('ResourceQuota/shop/compute', reason), new RegExp(`requests.cpu: ${used} of 10 used`));
  }
});

test('G10 is quiet: a quota of nothing, 4 of 5 Pods and 9 of 10; G10 clears as soon as less is used', () => {
  const { put, found, wait } = story();
  put(at(0), quota({ 'services.loadbalancers': '0', pods: '5' }, { 'services.loadbalancers': '0', pods: '4' }));
  wait(at(60));
  assert.deepEqual(found(), []);
  put(at(60), quota({ pods: '20' }, { pods: '20' }));
  wait(at(80));
  assert.deepEqual(found(), ['ResourceQuota/shop/compute QuotaFullyUsed']);
  put(at(81), quota({ pods: '20' }, { pods: '17' }));
  assert.deepEqual(found(), []);
});

test('G10 stands while the quota is out of sight', () => {
  const { put, found, wait, see } = story();
  put(at(0), quota({ pods: '20' }, { pods: '20' }), refused(exceeded));
  wait(at(20));
  see('ResourceQuota', 'Denied', at(21));
  wait(at(60));
  assert.deepEqual(found(), [
    'ReplicaSet/shop/api ReplicaFailure',
    'ResourceQuota/shop/compute QuotaExceeded',
    'ResourceQuota/shop/compute QuotaFullyUsed',
  ]);
});

test('G11 fires and clears: what a limit range refuses, in numbers, naming the one there is', () => {
  const { put, found, wait, says, finding } = story();
  put(at(0), named('v1', 'LimitRange', 'sizes', 'shop'));
  put(
    at(0),
    refused(
      'pods "x" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, minimum memory usage per Pod is 64Mi.  No request is specified]',
    ),
  );
  wait(at(0, 15));
  assert.deepEqual(found(), ['ReplicaSet/shop/api LimitRangeRejects']);
  assert.deepEqual(finding('ReplicaSet/shop/api', 'LimitRangeRejects').names, ['LimitRange/shop/sizes']);
  assert.equal(
    says('ReplicaSet/shop/api', 'LimitRangeRejects'),
    'Pods cannot be created: maximum cpu usage per Container is 1, but limit is 2; minimum memory usage per Pod is 64Mi; no request is specified.',
  );
  put(at(1), workload('ReplicaSet', 'api', old));
  assert.deepEqual(found(), []);
});

test('G11 is quiet: a limit range that refuses nothing', () => {
  const { put, found, wait } = story();
  put(at(0), named('v1', 'LimitRange', 'sizes', 'shop'), workload('ReplicaSet', 'api', old));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('G21 fires: what Pod Security refuses, in its own words', () => {
  const { put, found, wait, says } = story();
  put(at(0), refused('pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true'));
  wait(at(0, 15));
  assert.deepEqual(found(), ['ReplicaSet/shop/api PodSecurityRejects']);
  assert.equal(
    says('ReplicaSet/shop/api', 'PodSecurityRejects'),
    'Pods cannot be created: PodSecurity "restricted:latest" refuses them: runAsNonRoot != true.',
  );
});

test('G21 fires and clears: a ServiceAccount, PriorityClass or RuntimeClass that is missing, until it is there', () => {
  const cases = [
    ['ServiceAccount/shop/api', 'ServiceAccountMissing', noAccount, named('v1', 'ServiceAccount', 'api', 'shop')],
    [
      'PriorityClass//urgent',
      'PriorityClassMissing',
      'pods "x" is forbidden: no PriorityClass with name urgent was found',
      named('scheduling.k8s.io/v1', 'PriorityClass', 'urgent'),
    ],
    [
      'RuntimeClass//gvisor',
      'RuntimeClassMissing',
      'pods "x" is forbidden: pod rejected: RuntimeClass "gvisor" not found',
      named('node.k8s.io/v1', 'RuntimeClass', 'gvisor'),
    ],
  ] as const;
  for (const [ref, reason, text, object] of cases) {
    const { put, found, wait, says } = story();
    put(at(0), refused(text));
    wait(at(0, 15));
    assert.deepEqual(found().sort(), [`ReplicaSet/shop/api ReplicaFailure`, `${ref} ${reason}`].sort());
    assert.match(says(ref, reason), /does not exist, and a workload names it\.$/);
    // The controller has not tried again: what is missing no more is no reason any more.
    put(at(1), object);
    assert.deepEqual(found(), []);
  }
});

test('G21 is quiet: what is there, and what cannot be seen is not missing by that', () => {
  const { put, found, wait } = story();
  put(at(0), named('v1', 'ServiceAccount', 'api', 'shop'), refused(noAccount));
  wait(at(10));
  assert.deepEqual(found(), []);
});

const noRevision =
  'Failed to create new replica set "api-5d9": replicasets.apps "api-5d9" is forbidden: exceeded quota: objects, requested: count/replicasets.apps=1, used: count/replicasets.apps=3, limited: count/replicasets.apps=3';

/** A Deployment that serves, and whose last edit has no ReplicaSet: its controller gets no further, so it observes nothing. */
const unrevised = (says: string, since = at(0)): RawObject =>
  workload('Deployment', 'api', {
    ...{ ...old, generation: 2, status: { observedGeneration: 1 } },
    conditions: [condition('Progressing', 'False', since, 'ReplicaSetCreateError', says)],
  });

test('W4 fires: the ReplicaSet of a new template is refused, which is told with what refuses it, and W5 is quiet', () => {
  const { put, found, wait, says, finding } = story();
  put(at(0), workload('Deployment', 'api', old), unrevised(noRevision));
  wait(at(0, 25));
  const told = ['Deployment/shop/api ReplicaSetCreateError', 'ResourceQuota/shop/objects QuotaExceeded'];
  assert.deepEqual(found(), told);
  assert.equal(
    says('ResourceQuota/shop/objects', 'QuotaExceeded'),
    'It refuses new ReplicaSets: count/replicasets.apps: 3 of 3 used, 1 more asked for.',
  );
  assert.match(
    says('Deployment/shop/api', 'ReplicaSetCreateError'),
    /^Its last edit is not rolled out: Failed to create new replica set "api-5d9": .*limited: count\/replicasets\.apps=3\.$/,
  );
  assert.deepEqual(finding('Deployment/shop/api', 'ReplicaSetCreateError').names, ['ResourceQuota/shop/objects']);
  wait(at(60));
  assert.deepEqual(found(), told);
});

test('W4 fires: a policy refuses the ReplicaSet, and is named', () => {
  const { put, found, wait, says } = story();
  const denied =
    'Failed to create new replica set "api-5d9": admission webhook "tags.example" denied the request: no tag';
  put(at(0), unrevised(denied));
  wait(at(0, 15));
  assert.deepEqual(found(), ['Deployment/shop/api AdmissionDenied']);
  assert.equal(
    says('Deployment/shop/api', 'AdmissionDenied'),
    'ReplicaSets cannot be created: tags.example refuses them: no tag.',
  );
});

test('W4 fires: without a progress deadline there is no condition, and the Event tells it beside what is not observed', () => {
  const { put, found, wait } = story();
  const edited = workload('Deployment', 'api', { ...old, generation: 2, status: { observedGeneration: 1 } });
  put(at(0), edited, warning('Deployment', 'api', 'ReplicaSetCreateError', noRevision, at(0)));
  wait(at(0, 25));
  assert.deepEqual(found(), ['Deployment/shop/api ReplicaSetCreateError', 'ResourceQuota/shop/objects QuotaExceeded']);
});

test('W4 is quiet: an attempt that is refused once and then made; W4 clears: the ReplicaSet is made', () => {
  const { put, found, wait } = story();
  const progress = condition('Progressing', 'True', at(0, 20), 'NewReplicaSetCreated');
  const made = workload('Deployment', 'api', {
    ...old,
    generation: 2,
    conditions: [progress],
    status: { observedGeneration: 2 },
  });
  put(at(0), unrevised(noRevision));
  wait(at(0, 20));
  put(at(0, 20), made);
  wait(at(5));
  assert.deepEqual(found(), []);
  put(at(6), unrevised(noRevision, at(6)));
  wait(at(7));
  assert.equal(found().length, 2);
  put(at(8), made);
  assert.deepEqual(found(), []);
});
