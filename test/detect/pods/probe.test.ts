import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  condition,
  ended,
  eventOf,
  node,
  type PodParts,
  pod,
  stamp,
  start,
  status,
  waiting,
} from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Pod/shop/api-1';
const unready = (since = at(10)): PodParts => ({
  statuses: [status('api', { ready: false })],
  conditions: [condition('Ready', 'False', since, 'ContainersNotReady')],
});
const asking = (own: object, ports?: readonly object[]) => ({
  containers: [{ name: 'api', image: 'shop/api:1', ...(ports && { ports }), ...own }],
});
const readiness = asking({ readinessProbe: { httpGet: { path: '/ready', port: 8080 } } }, [{ containerPort: 8080 }]);
const told = (reason: string, note: string, time: number, own = {}) =>
  eventOf(pod('api-1'), reason, note, time, { container: 'api', ...own });

test('P19 fires: a Pod that lost its readiness is found after 90 s with what its probe got', () => {
  const { put, found, finding, wait, says } = story();
  put(start, node('n1'), pod('api-1', readiness));
  put(at(10), pod('api-1', { ...readiness, ...unready() }));
  put(
    at(10),
    told(
      'Unhealthy',
      'Readiness probe failed: Get "http://10.0.3.9:8080/ready": dial tcp 10.0.3.9:8080: connect: connection refused',
      at(10),
    ),
  );
  wait(at(11, 29));
  assert.deepEqual(found(), []);
  wait(at(11, 30));
  assert.deepEqual(found(), [`${ref} ReadinessProbeFailed`]);
  assert.equal(finding(ref, 'ReadinessProbeFailed').facts.container, 'api');
  assert.equal(
    says(ref, 'ReadinessProbeFailed'),
    'Container api runs but fails its readiness probe: connection refused.',
  );
});

test('P19 fires: one that never got ready has 5 min, not 15, when its probe is told to fail', () => {
  const { put, found, wait, says } = story();
  put(start, node('n1'), pod('api-1', { ...readiness, ...unready(start) }));
  put(at(1), told('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 404', at(1), { count: 5 }));
  wait(at(4, 59));
  assert.deepEqual(found(), []);
  wait(at(5));
  assert.deepEqual(found(), [`${ref} ReadinessProbeFailed`]);
  assert.equal(
    says(ref, 'ReadinessProbeFailed'),
    'Container api runs but has not passed its readiness probe yet: HTTP status 404.',
  );
});

test('P19 is quiet: failures while it starts, and of a Pod that is being deleted', () => {
  const starts = story();
  starts.put(start, node('n1'), pod('api-1', { ...readiness, ...unready(start) }));
  starts.put(at(0, 10), told('Unhealthy', 'Readiness probe failed: connect: connection refused', at(0, 10)));
  starts.put(at(2), pod('api-1', readiness));
  starts.wait(at(30));
  assert.deepEqual(starts.found(), []);
  const ends = story();
  ends.put(start, node('n1'), pod('api-1', readiness));
  ends.put(at(10), pod('api-1', { ...readiness, ...unready(), deletionAt: at(12) }));
  ends.put(at(10), told('Unhealthy', 'Readiness probe failed: connect: connection refused', at(10)));
  ends.wait(at(13));
  assert.deepEqual(ends.found(), []);
});

test('P19 clears: Ready is True, though the Event of its probe still stands', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1', { ...readiness, ...unready(start) }));
  put(at(1), told('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 500', at(1)));
  wait(at(6));
  assert.deepEqual(found(), [`${ref} ReadinessProbeFailed`]);
  put(at(6, 1), pod('api-1', readiness));
  assert.deepEqual(found(), []);
});

test('P19 fires: a probe at a port by a name that no port has is conclusive after 15 s, whatever rolls out', () => {
  const { put, finding, found, wait, says } = story();
  const spec = asking({ readinessProbe: { httpGet: { port: 'http' } } }, [{ name: 'web', containerPort: 8080 }]);
  put(start, node('n1'), pod('api-1', { ...spec, ...unready(start) }));
  put(
    at(0, 5),
    told('Unhealthy', "Readiness probe errored and resulted in unknown state: couldn't find port: http", at(0, 5)),
  );
  wait(at(0, 19));
  assert.deepEqual(found(), []);
  wait(at(0, 20));
  assert.deepEqual(found(), [`${ref} ProbeMisconfigured`]);
  assert.equal(finding(ref, 'ProbeMisconfigured').conclusive, true);
  assert.equal(
    says(ref, 'ProbeMisconfigured'),
    'The readiness probe of container api cannot succeed: no port of the container is called “http”.',
  );
});

test('P19 fires: a command that the image does not have, and a closed port that the container does not state while it is alive', () => {
  const command = story();
  command.put(
    start,
    node('n1'),
    pod('api-1', { ...asking({ livenessProbe: { exec: { command: ['curl'] } } }), ...unready(start) }),
  );
  const missing =
    'Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: exec: "curl": executable file not found in $PATH: unknown';
  command.put(at(0, 5), told('Unhealthy', missing, at(0, 5)));
  command.wait(at(0, 20));
  assert.equal(
    command.says(ref, 'ProbeMisconfigured'),
    'The liveness probe of container api cannot succeed: its command is not in the image or cannot be run.',
  );
  const closed = story();
  const both = asking({ readinessProbe: { httpGet: { port: 8081 } }, livenessProbe: { tcpSocket: { port: 8080 } } }, [
    { containerPort: 8080 },
  ]);
  closed.put(start, node('n1'), pod('api-1', { ...both, ...unready(start) }));
  closed.put(
    at(0, 40),
    told('Unhealthy', 'Readiness probe failed: dial tcp 10.0.3.9:8081: connect: connection refused', at(0, 40), {
      firstAt: at(0, 20),
      count: 3,
    }),
  );
  assert.equal(
    closed.says(ref, 'ProbeMisconfigured'),
    'The readiness probe of container api cannot succeed: the container neither states nor opens port 8081.',
  );
});

test('P19 fires: a gRPC server says that it does not have the service that its probe asks for', () => {
  const { put, found, says, wait } = story();
  const message =
    'Readiness probe failed: error: health rpc failed: rpc error: code = Unimplemented desc = unknown service grpc.health.v1.Health';
  put(start, node('n1'), pod('api-1', { ...readiness, ...unready(start) }));
  put(at(0, 5), told('Unhealthy', message, at(0, 5)));
  wait(at(0, 19));
  assert.deepEqual(found(), []);
  wait(at(0, 20));
  assert.deepEqual(found(), [`${ref} ProbeMisconfigured`]);
  const why = 'who answers does not have the gRPC service that it asks for';
  assert.equal(says(ref, 'ProbeMisconfigured'), `The readiness probe of container api cannot succeed: ${why}.`);
});

test('P19 is quiet: an unstated port that refuses while nothing shows that the container is at work', () => {
  const { put, found, wait } = story();
  const boots = asking({ readinessProbe: { httpGet: { port: 8081 } }, livenessProbe: { httpGet: { port: 8081 } } }, [
    { containerPort: 8080 },
  ]);
  put(start, node('n1'), pod('api-1', { ...boots, ...unready(start) }));
  put(
    at(1),
    told('Unhealthy', 'Readiness probe failed: dial tcp 10.0.3.9:8081: connect: connection refused', at(1), {
      count: 9,
    }),
  );
  wait(at(4, 59));
  assert.deepEqual(found(), []);
});

const alive = asking({ livenessProbe: { httpGet: { path: '/live', port: 8080 } } }, [{ containerPort: 8080 }]);
const restarted = (minute: number, restartCount: number, exitCode = 137): PodParts => ({
  ...alive,
  statuses: [
    status('api', {
      restartCount,
      state: { running: { startedAt: stamp(at(minute, 32)) } },
      lastState: ended(at(minute - 4), at(minute, 30), exitCode),
    }),
  ],
});
const killing = (minute: number, count: number) =>
  told('Killing', 'Container api failed liveness probe, will be restarted', at(minute), {
    ...{ type: 'Normal', firstAt: at(5), count },
  });
const unhealthy = (minute: number) =>
  told('Unhealthy', 'Liveness probe failed: Get "http://10.0.3.9:8080/live": context deadline exceeded', at(minute));

test('P20 fires: two restarts in 15 min for which the kubelet says that the liveness probe failed', () => {
  const { put, found, finding, wait, says } = story();
  put(start, node('n1'), pod('api-1', alive));
  put(at(5), unhealthy(5), killing(5, 1));
  put(at(5, 32), pod('api-1', restarted(5, 1)));
  wait(at(9));
  assert.deepEqual(found(), []);
  put(at(10), unhealthy(10), killing(10, 2));
  put(at(10, 32), pod('api-1', restarted(10, 2)));
  assert.deepEqual(found(), [`${ref} LivenessProbeFailed`]);
  assert.equal(finding(ref, 'LivenessProbeFailed').facts.killedFor, 'liveness');
  assert.equal(
    says(ref, 'LivenessProbeFailed'),
    'Container api keeps being restarted for its liveness probe: context deadline exceeded, 2 restarts so far.',
  );
});

test('P20 fires: a loop of such kills is told as that and not as a crash loop', () => {
  const { put, found } = story();
  put(start, node('n1'), pod('api-1', alive));
  put(at(20), killing(20, 4));
  const loop = waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=api', {
    restartCount: 4,
    lastState: ended(at(16), at(20, 30), 143),
  });
  put(at(20, 31), pod('api-1', { ...alive, ...unready(at(20, 30)), statuses: [loop] }));
  assert.deepEqual(found(), [`${ref} LivenessProbeFailed`]);
});

test('P20 fires: the second kill is enough while the container waits for its restart', () => {
  const { put, found } = story();
  put(start, node('n1'), pod('api-1', alive));
  put(at(5), killing(5, 1));
  put(at(5, 32), pod('api-1', restarted(5, 1)));
  assert.deepEqual(found(), []);
  put(at(6), killing(6, 2));
  const waits = waiting('api', 'CrashLoopBackOff', 'back-off 10s restarting failed container=api', {
    restartCount: 1,
    lastState: ended(at(5, 32), at(6, 30), 143),
  });
  put(at(6, 31), pod('api-1', { ...alive, ...unready(at(6, 30)), statuses: [waits] }));
  assert.deepEqual(found(), [`${ref} LivenessProbeFailed`]);
});

test('P20 is quiet: one kill, and a container that ends by itself', () => {
  const once = story();
  once.put(start, node('n1'), pod('api-1', alive));
  once.put(at(5), killing(5, 1));
  once.put(at(5, 32), pod('api-1', restarted(5, 1)));
  once.wait(at(40));
  assert.deepEqual(once.found(), []);
  const own = story();
  own.put(start, node('n1'), pod('api-1', alive));
  own.put(at(5, 32), pod('api-1', restarted(5, 1, 1)));
  own.put(at(10, 32), pod('api-1', restarted(10, 2, 1)));
  own.wait(at(11));
  assert.deepEqual(own.found(), []);
});

test('P20 clears: 30 min without such a kill', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1', alive));
  put(at(5), killing(5, 1));
  put(at(5, 32), pod('api-1', restarted(5, 1)));
  put(at(10), killing(10, 2));
  put(at(10, 32), pod('api-1', restarted(10, 2)));
  wait(at(40, 29));
  assert.deepEqual(found(), [`${ref} LivenessProbeFailed`]);
  wait(at(40, 30));
  assert.deepEqual(found(), []);
});

const hook = 'Exec lifecycle hook ([/warm-up]) for Container "api" failed: exit status 1';

test('P31 fires: a container waits for its postStart hook, or its preStop hook failed twice, for 60 s', () => {
  const { put, found, wait, says } = story();
  put(start, node('n1'), pod('api-1', { phase: 'Pending', statuses: [waiting('api', 'PostStartHookError', hook)] }));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  put(
    at(1),
    eventOf(pod('api-2'), 'FailedPreStopHook', 'PreStopHook failed', at(1), { container: 'api', count: 2 }),
    pod('api-2'),
  );
  wait(at(2));
  assert.deepEqual(found(), [`${ref} PostStartHookError`, 'Pod/shop/api-2 FailedPreStopHook']);
  assert.equal(
    says(ref, 'PostStartHookError'),
    'The postStart hook of container api fails, so the kubelet ends the container: Exec lifecycle hook ([/warm-up]) for Container "api" failed: exit status 1.',
  );
});

test('P31 is quiet: a hook that failed once', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1'));
  put(at(1), told('FailedPostStartHook', 'PostStartHook failed', at(1)));
  wait(at(30));
  assert.deepEqual(found(), []);
});

test('P31 clears: the container has run for 7 min since, or nothing was told for 30 min', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1'));
  put(at(1), told('FailedPostStartHook', 'PostStartHook failed', at(1), { firstAt: start, count: 3 }));
  put(at(1), told('FailedPreStopHook', 'PreStopHook failed', at(1), { firstAt: start, count: 3 }), pod('api-2'));
  wait(at(2));
  assert.equal(found().length, 1);
  put(at(3), pod('api-1', { statuses: [status('api', { state: { running: { startedAt: stamp(at(2)) } } })] }));
  wait(at(8, 59));
  assert.equal(found().length, 1);
  wait(at(9));
  assert.deepEqual(found(), []);
});

const turned = (is: boolean, time: number): PodParts => ({
  statuses: [status('api', { ready: is })],
  conditions: [condition('Ready', is ? 'True' : 'False', time, is ? '' : 'ContainersNotReady')],
});

test('P22 fires: readiness that was lost three times in 15 min', () => {
  const { put, found, says } = story();
  put(start, node('n1'), pod('api-1'));
  for (const minute of [5, 10, 15]) {
    assert.deepEqual(found(), []);
    put(at(minute), pod('api-1', turned(false, at(minute))));
    put(at(minute, 30), pod('api-1', turned(true, at(minute, 30))));
  }
  assert.deepEqual(found(), [`${ref} ReadinessFlapping`]);
  assert.equal(says(ref, 'ReadinessFlapping'), 'The pod was ready and lost it 3 times within a short time.');
});

test('P22 is quiet: twice, further apart, with its Node, or for its containers that crash', () => {
  const apart = story();
  apart.put(start, node('n1'), pod('api-1'));
  for (const minute of [5, 14, 23]) {
    apart.put(at(minute), pod('api-1', turned(false, at(minute))));
    apart.put(at(minute, 30), pod('api-1', turned(true, at(minute, 30))));
  }
  assert.deepEqual(apart.found(), []);
  const crashes = story();
  crashes.put(start, node('n1'), pod('api-1'));
  for (const [restarts, minute] of [5, 8, 11].entries()) {
    const ends = { restartCount: restarts + 1, lastState: ended(at(minute - 2), at(minute), 1) };
    crashes.put(
      at(minute),
      pod('api-1', { ...turned(false, at(minute)), statuses: [status('api', { ready: false, ...ends })] }),
    );
    crashes.put(at(minute, 30), pod('api-1', { ...turned(true, at(minute, 30)), statuses: [status('api', ends)] }));
  }
  assert.ok(!crashes.found().includes(`${ref} ReadinessFlapping`));
  // Of three losses the first was a restart, which the container tells a second earlier than its Pod.
  const restarted = story();
  restarted.put(start, node('n1'), pod('api-1'));
  const own = { restartCount: 1, lastState: ended(at(1), at(4, 59), 1) };
  for (const minute of [5, 8, 11]) {
    const unready = [status('api', { ready: false, ...own })];
    restarted.put(at(minute), pod('api-1', { ...turned(false, at(minute)), statuses: unready }));
    restarted.put(at(minute, 30), pod('api-1', { ...turned(true, at(minute, 30)), statuses: [status('api', own)] }));
  }
  assert.ok(!restarted.found().includes(`${ref} ReadinessFlapping`));
});

test('P22 clears: steady for 30 min', () => {
  const { put, found, wait } = story();
  put(start, node('n1'), pod('api-1'));
  for (const minute of [5, 8, 11]) {
    put(at(minute), pod('api-1', turned(false, at(minute))));
    put(at(minute, 30), pod('api-1', turned(true, at(minute, 30))));
  }
  wait(at(40, 59));
  assert.deepEqual(found(), [`${ref} ReadinessFlapping`]);
  wait(at(41));
  assert.deepEqual(found(), []);
});
