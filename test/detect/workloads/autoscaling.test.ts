import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, autoscaler, condition, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const hpa = 'HorizontalPodAutoscaler/shop/api';
const blind = (reason: string, message: string, status = 'False') => ({
  conditions: [condition('ScalingActive', status, at(0), reason, message)],
});
const unable = (reason: string, message: string, since = at(0)) => ({
  conditions: [condition('AbleToScale', 'False', since, reason, message)],
});
const computing = 'the HPA was unable to compute the replica count: failed to get cpu utilization: ';

test('A1 fires: metrics cannot be read for 5 min', () => {
  const { put, found, says, wait } = story('Pro');
  const message = `${computing}unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)`;
  put(at(0), workload('Deployment', 'api'), autoscaler('api', blind('FailedGetResourceMetric', message)));
  wait(at(4, 59));
  assert.deepEqual(found(), []);
  wait(at(5));
  assert.deepEqual(found(), [`${hpa} FailedGetResourceMetric`]);
  assert.equal(says(hpa, 'FailedGetResourceMetric'), 'It cannot scale: it cannot read the metric that it goes by.');
});

test('A1 fires: within 30 s where no waiting helps', () => {
  for (const why of [
    'missing request for cpu in container api of Pod api-1',
    'unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
  ]) {
    const { put, finding, found, wait } = story('Pro');
    put(at(0), workload('Deployment', 'api'), autoscaler('api', blind('FailedGetResourceMetric', computing + why)));
    wait(at(0, 29));
    assert.deepEqual(found(), []);
    wait(at(0, 30));
    assert.equal(finding(hpa, 'FailedGetResourceMetric').conclusive, true);
  }
});

test('A1 is quiet: what it scales is at zero, or scaling was switched off, or its Pods have just begun', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api', { replicas: 0 }));
  put(at(0), autoscaler('api', blind('FailedGetResourceMetric', `${computing}no metrics returned`)));
  put(at(0), workload('Deployment', 'off'), autoscaler('off', blind('ScalingDisabled', 'scaling is disabled')));
  wait(at(60));
  assert.deepEqual(found(), []);
  put(at(60), workload('Deployment', 'new'));
  const waits = 'did not receive metrics for targeted pods (pods might be unready)';
  const young = { conditions: [condition('ScalingActive', 'False', at(60), 'FailedGetResourceMetric', waits)] };
  put(at(60), autoscaler('new', young));
  wait(at(64));
  put(at(64), autoscaler('new', blind('ValidMetricFound', '', 'True')));
  wait(at(120));
  assert.deepEqual(found(), []);
});

test('A1 clears: ScalingActive is True', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api'), autoscaler('api', blind('FailedGetResourceMetric', computing)));
  wait(at(6));
  assert.equal(found().length, 1);
  put(at(6), autoscaler('api', blind('ValidMetricFound', '', 'True')));
  assert.deepEqual(found(), []);
});

test('A6 fires: what it scales does not exist', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), autoscaler('api', unable('FailedGetScale', 'deployments/scale.apps "api" not found')));
  wait(at(0, 30));
  assert.deepEqual(found(), [`${hpa} HPATargetMissing`]);
  assert.equal(says(hpa, 'HPATargetMissing'), 'It scales nothing: Deployment shop/api does not exist.');
});

test('A6 is quiet: nobody can see whether it exists, and the controller does not say that it is missing', () => {
  const { put, see, found, wait } = story('Pro');
  see('Deployment', 'Denied', at(0));
  put(at(0), autoscaler('api', unable('FailedGetScale', 'deployments.apps is forbidden')));
  wait(at(10));
  assert.deepEqual(found(), [`${hpa} FailedGetScale`]);
});

test('A6 clears: it comes to exist', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), autoscaler('api', unable('FailedGetScale', 'deployments/scale.apps "api" not found')));
  wait(at(1));
  assert.equal(found().length, 1);
  put(at(1), workload('Deployment', 'api'));
  assert.ok(!found().includes(`${hpa} HPATargetMissing`));
});

test('A2 fires: the scale cannot be changed', () => {
  const { put, found, says, wait } = story('Pro');
  const refused = 'the HPA controller was unable to update the target scale: admission webhook "x" denied the request';
  put(at(0), workload('Deployment', 'api'), autoscaler('api', unable('FailedUpdateScale', refused)));
  wait(at(1));
  assert.deepEqual(found(), [`${hpa} FailedUpdateScale`]);
  assert.equal(says(hpa, 'FailedUpdateScale'), `It cannot change the number of replicas: ${refused}.`);
});

test('A2 fires: the controller dates its condition anew at each attempt, every 15 s', () => {
  const { put, found, finding } = story('Pro');
  put(at(0), workload('Deployment', 'api'));
  for (const seconds of [0, 15, 30, 45]) {
    put(at(0, seconds), autoscaler('api', unable('FailedUpdateScale', 'denied', at(0, seconds))));
    assert.deepEqual(found(), []);
  }
  put(at(1), autoscaler('api', unable('FailedUpdateScale', 'denied', at(1))));
  assert.deepEqual(found(), [`${hpa} FailedUpdateScale`]);
  assert.equal(finding(hpa, 'FailedUpdateScale').since, at(0));
});

test('A2 is quiet: a conflict that the next try of the controller mends', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api'), autoscaler('api', unable('FailedUpdateScale', 'object has been modified')));
  wait(at(0, 45));
  put(at(0, 45), autoscaler('api'));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('A2 A3 clears: the condition is good again', () => {
  const { put, found, wait } = story('Pro');
  const shared = 'pods by selector app=api are controlled by multiple HPAs: [shop/api shop/b]';
  put(at(0), workload('Deployment', 'api'), workload('Deployment', 'web'));
  put(
    at(0),
    autoscaler('api', unable('FailedGetScale', 'forbidden')),
    autoscaler('web', blind('AmbiguousSelector', shared)),
  );
  wait(at(5));
  assert.equal(found().length, 2);
  put(at(5), autoscaler('api'), autoscaler('web'));
  assert.deepEqual(found(), []);
});

test('A3 fires: two autoscalers scale the same Pods', () => {
  const { put, says, wait } = story('Pro');
  const shared = 'pods by selector app=api are controlled by multiple HPAs: [shop/api shop/b]';
  put(at(0), workload('Deployment', 'api'), autoscaler('api', blind('AmbiguousSelector', shared)));
  wait(at(0, 30));
  assert.equal(
    says(hpa, 'AmbiguousSelector'),
    `It does not scale, because other autoscalers scale the same pods: ${shared}.`,
  );
});

test('A3 is quiet: the selector is being changed', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api'), autoscaler('api', blind('InvalidSelector', 'missing a selector')));
  wait(at(0, 20));
  put(at(0, 20), autoscaler('api'));
  wait(at(10));
  assert.deepEqual(found(), []);
});

const limited = (reason: string, own: Record<string, unknown> = {}) => ({
  conditions: [condition('ScalingLimited', 'True', at(0), reason)],
  status: { currentReplicas: 10, desiredReplicas: 10 },
  ...own,
});

test('A4 fires: it has wanted more than its maximum for 15 min', () => {
  const { put, found, finding, says, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api', { replicas: 10 }), autoscaler('api', limited('TooManyReplicas')));
  wait(at(14, 59));
  assert.deepEqual(found(), []);
  wait(at(15));
  assert.equal(says(hpa, 'HPAMaxedOut'), 'It runs its maximum of 10 replicas and wants more.');
  assert.equal(finding(hpa, 'HPAMaxedOut').clearHoldMs, 600_000);
});

test('A4 is quiet: idle at its minimum, at a fixed size, or at its maximum by chance', () => {
  const { put, found, wait } = story('Pro');
  const idle = { currentReplicas: 2, desiredReplicas: 2 };
  put(at(0), ...['idle', 'fixed', 'chance'].map((name) => workload('Deployment', name, { replicas: 10 })));
  put(at(0), autoscaler('idle', limited('TooFewReplicas', { status: idle })));
  put(at(0), autoscaler('fixed', limited('TooManyReplicas', { spec: { minReplicas: 10 } })));
  put(at(0), autoscaler('chance', { status: { currentReplicas: 10, desiredReplicas: 10 } }));
  wait(at(120));
  assert.deepEqual(found(), []);
});

test('A4 A5 clears: it wants what there is', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api', { replicas: 10 }), workload('Deployment', 'web'));
  put(at(0), autoscaler('api', limited('TooManyReplicas')), autoscaler('web', { status: { desiredReplicas: 6 } }));
  wait(at(16));
  assert.equal(found().length, 2);
  put(at(16), autoscaler('api'), autoscaler('web'));
  assert.deepEqual(found(), []);
});

test('A5 fires: its target does not follow it for 15 min', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api'), autoscaler('api'));
  put(at(1), autoscaler('api', { status: { desiredReplicas: 6 } }));
  wait(at(15, 59));
  assert.deepEqual(found(), []);
  wait(at(16));
  assert.equal(says(hpa, 'HPAReplicasMismatch'), 'It wants 6 replicas, and there are 3.');
});

test('A5 is quiet: it follows, step by step', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), workload('Deployment', 'api'));
  for (let minute = 0; minute < 60; minute += 10) {
    wait(at(minute));
    put(at(minute), autoscaler('api', { status: { desiredReplicas: 4 + minute / 10 } }));
  }
  assert.deepEqual(found(), []);
});

const vertical = (type: string, status: string) => ({
  apiVersion: 'autoscaling.k8s.io/v1',
  kind: 'VerticalPodAutoscaler',
  metadata: { name: 'api', namespace: 'shop', uid: 'vpa' },
  spec: { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } },
  status: { conditions: [condition(type, status, at(0), '', 'no pods match this VPA object')] },
});

test('A11 fires: a vertical autoscaler has done nothing for an hour', () => {
  const { put, found, says, wait } = story('Pro');
  put(at(0), vertical('NoPodsMatched', 'True'));
  wait(at(59));
  assert.deepEqual(found(), []);
  wait(at(60));
  const ref = 'VerticalPodAutoscaler/shop/api';
  assert.equal(says(ref, 'VPANoPodsMatched'), 'It does nothing, because its target has no pods that match.');
});

test('A11 is quiet: it is still learning', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), vertical('LowConfidence', 'True'));
  wait(at(600));
  assert.deepEqual(found(), []);
});

test('A11 clears: the condition has changed', () => {
  const { put, found, wait } = story('Pro');
  put(at(0), vertical('NoPodsMatched', 'True'));
  wait(at(60));
  assert.equal(found().length, 1);
  put(at(61), vertical('NoPodsMatched', 'False'));
  assert.deepEqual(found(), []);
});
