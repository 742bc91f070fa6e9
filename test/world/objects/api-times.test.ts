import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, ended, node, pod, stamp, status, waiting, workload } from '../objects.ts';
import { story } from '../story.ts';

const minute = 60_000;
const owner = { kind: 'ReplicaSet', name: 'api-1' };

/** A cluster at rest with one Pod that runs well, on a Node whose clock is wrong by `skew` milliseconds. */
function atRest(skew: number) {
  const k8s = story();
  const started = at(-50) + skew;
  const running = [runs(true, started)];
  k8s.put(at(-50), node('n1', { since: at(-60) }), workload('ReplicaSet', 'api-1', { createdAt: at(-51) }));
  k8s.put(
    at(-50),
    pod('api', { owner, createdAt: at(-51), statuses: running, conditions: conditions('True', started) }),
  );
  return k8s;
}

/** A container status that runs since. */
function runs(ready: boolean, since: number) {
  return status('api', { ready, state: { running: { startedAt: stamp(since) } } });
}

function conditions(ready: 'True' | 'False', since: number) {
  const early = at(-50);
  return [
    condition('Initialized', 'True', early),
    condition('Ready', ready, since),
    condition('PodScheduled', 'True', early),
  ];
}

/** When a crash loop is found, in seconds after the first crash. */
function crashLoopFoundAfter(skew: number): number | undefined {
  const k8s = atRest(skew);
  let now = at(1);
  for (let restarts = 1; restarts <= 8; restarts++) {
    const waitSeconds = Math.min(300, 10 * 2 ** (restarts - 1));
    const lastState = ended(now - 2000 + skew, now + skew);
    const says = `back-off ${waitSeconds}s restarting failed container=api pod=api`;
    const statuses = [waiting('api', 'CrashLoopBackOff', says, { restartCount: restarts, lastState })];
    k8s.put(now, pod('api', { owner, createdAt: at(-51), statuses, conditions: conditions('False', at(1) + skew) }));
    if (k8s.found().includes('Pod/shop/api CrashLoopBackOff')) return (now - at(1)) / 1000;
    now += waitSeconds * 1000;
    k8s.wait(now - 1000);
  }
  return undefined;
}

for (const minutes of [30, -30, 3, -3, 300])
  test(`a crash loop is found as soon on a Node whose clock is wrong by ${minutes} min`, () => {
    const right = crashLoopFoundAfter(0);
    assert.ok(right !== undefined && right <= 120, `${right} s`);
    assert.equal(crashLoopFoundAfter(minutes * minute), right);
  });

test('a Pod that turns unready on a Node whose clock is behind is unready since then, not for half an hour', () => {
  const k8s = atRest(-30 * minute);
  const statuses = [runs(false, at(-80))];
  const turned = pod('api', { owner, createdAt: at(-51), statuses, conditions: conditions('False', at(-20)) });
  k8s.put(at(10), turned);
  assert.deepEqual(k8s.found(), []);
  assert.equal(k8s.world.since('Pod/shop/api', 'condition/Ready'), at(10));
});

test('a time that lies ahead stays as it was first seen, also when it has come', () => {
  const k8s = atRest(0);
  const unready = (restartCount: number) =>
    pod('api', {
      owner,
      createdAt: at(-51),
      statuses: [status('api', { ready: false, restartCount })],
      conditions: conditions('False', at(40)),
    });
  k8s.put(at(10), unready(0));
  for (const [minutes, restarts] of [
    [11, 0],
    [20, 1],
    [50, 2],
    [120, 3],
  ] as const) {
    k8s.put(at(minutes), unready(restarts));
    assert.equal(k8s.world.since('Pod/shop/api', 'condition/Ready'), at(10), `after ${minutes} min`);
  }
});

test('the times of one update keep their distances', () => {
  const k8s = atRest(0);
  const lastState = ended(at(39), at(39, 50));
  const statuses = [status('api', { restartCount: 1, lastState, state: { running: { startedAt: stamp(at(40)) } } })];
  k8s.put(at(10), pod('api', { owner, createdAt: at(-51), statuses }));
  const view = k8s.world.get('Pod/shop/api');
  assert.ok(typeof view === 'object' && view.kind === 'Pod');
  const [api] = view.containers;
  assert.equal(api?.running?.startedAt, at(10));
  assert.equal(api?.last?.finishedAt, at(9, 50));
  assert.equal(api?.last?.startedAt, at(9));
});

test('what is found when the watch has been away is as old as it says', () => {
  const k8s = atRest(0);
  k8s.see('Pod', 'Failing', at(10));
  const statuses = [status('api', { ready: false })];
  k8s.put(at(40), pod('api', { owner, createdAt: at(-51), statuses, conditions: conditions('False', at(15)) }));
  assert.equal(k8s.world.since('Pod/shop/api', 'condition/Ready'), at(15));
});

test('nothing of an object happened before it was made, but for static Pods, whose API objects are younger', () => {
  const k8s = story();
  const statuses = [waiting('api', 'CrashLoopBackOff', '', { restartCount: 3, lastState: ended(at(-40), at(-30)) })];
  const parts = { createdAt: at(-5), statuses };
  const mirror = {
    annotations: { 'kubernetes.io/config.mirror': 'x' },
    owner: { apiVersion: 'v1', kind: 'Node', name: 'n1' },
  };
  k8s.load(at(0), node('n1'), pod('api', parts), pod('static', { ...parts, ...mirror }));
  const lastEnd = (name: string) => {
    const view = k8s.world.get(`Pod/shop/${name}`);
    return typeof view === 'object' && view.kind === 'Pod' ? view.containers[0]?.last?.finishedAt : undefined;
  };
  assert.equal(lastEnd('api'), at(-5));
  assert.equal(lastEnd('static'), at(-30));
});

test('what comes while its kind is watched came just now, though our own clock is 45 min ahead', () => {
  const k8s = story();
  const statuses = [status('api', { ready: false })];
  k8s.put(at(45), pod('api', { createdAt: at(0), statuses, conditions: [condition('Ready', 'False', at(0))] }));
  assert.equal(k8s.world.since('Pod/shop/api', 'condition/Ready'), at(45));
  k8s.wait(at(46));
  assert.deepEqual(k8s.found(), []);
});

test('an object made while our own clock is behind was made now', () => {
  const k8s = story();
  k8s.put(at(0), workload('ReplicaSet', 'api-1', { createdAt: at(5) }));
  const view = k8s.world.get('ReplicaSet/shop/api-1');
  assert.equal(typeof view === 'object' && view.createdAt, at(0));
});
