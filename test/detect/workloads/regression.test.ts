import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, node, pod, status, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const api = 'Deployment/shop/api';
const revised = (revision: number, replicas: number, createdAt: number): RawObject =>
  workload('ReplicaSet', `api-r${revision}`, {
    ...{ replicas, createdAt, owner: { kind: 'Deployment', name: 'api' } },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
  });
const podOf = (revision: number, which: string, createdAt: number, restartCount = 0, ready = true): RawObject =>
  pod(`api-r${revision}-${which}`, {
    ...{ createdAt, owner: { kind: 'ReplicaSet', name: `api-r${revision}` } },
    statuses: [status('api', { restartCount, ready })],
  });

/** Two revisions: the first one watched for so many minutes, the second one rolled out at 0 with Pods `a` and `b`. */
function released({ watched = 60 }: { readonly watched?: number } = {}) {
  const k8s = story('Pro');
  const old = ['a', 'b'].map((which) => podOf(1, which, at(-600)));
  k8s.put(
    at(-watched),
    node('n1', { since: at(-600) }),
    workload('Deployment', 'api', { replicas: 2, createdAt: at(-600) }),
  );
  k8s.put(at(-watched), revised(1, 2, at(-600)), ...old);
  const roll = (): void => {
    k8s.put(at(0), revised(2, 2, at(0)), ...['a', 'b'].map((which) => podOf(2, which, at(0))));
    k8s.gone(at(1), ...old);
    k8s.put(at(1), revised(1, 0, at(-600)));
  };
  /** A container of a Pod restarts, and is ready again a moment later. */
  const restarts = (revision: number, which: string, minute: number, count: number): void => {
    const made = revision === 1 ? at(-600) : at(0);
    k8s.put(at(minute), podOf(revision, which, made, count, false));
    k8s.put(at(minute, 10), podOf(revision, which, made, count));
  };
  return { ...k8s, roll, restarts };
}

test('W22 fires and clears: the Pods of a new revision restart now and then, those of the one before did not', () => {
  const { roll, restarts, found, wait, finding, says } = released();
  roll();
  restarts(2, 'a', 6, 1);
  restarts(2, 'b', 8, 1);
  restarts(2, 'a', 12, 2);
  wait(at(15));
  assert.deepEqual(found(), []);
  wait(at(16));
  assert.deepEqual(found(), [`${api} ReleaseRegression`]);
  assert.equal(finding(api, 'ReleaseRegression').severity, 'high');
  assert.equal(
    says(api, 'ReleaseRegression'),
    'Revision 2 is less steady: 2 pods of it restarted or lost readiness, 3 times in all; those of revision 1 never did in the last hour before it.',
  );
  restarts(2, 'b', 50, 2);
  wait(at(109));
  assert.deepEqual(found(), [`${api} ReleaseRegression`]);
  wait(at(110));
  assert.deepEqual(found(), []);
});

test('W22 fires: on readiness that comes and goes alone; W22 clears: it is rolled back', () => {
  const { put, roll, found, wait } = released();
  roll();
  for (const [minute, which] of [
    [6, 'a'],
    [7, 'b'],
    [9, 'a'],
  ] as const) {
    put(at(minute), podOf(2, which, at(0), 0, false));
    put(at(minute, 40), podOf(2, which, at(0)));
  }
  wait(at(20));
  assert.deepEqual(found(), [`${api} ReleaseRegression`]);
  put(
    at(21),
    workload('ReplicaSet', 'api-r1', {
      ...{ replicas: 2, createdAt: at(-600), owner: { kind: 'Deployment', name: 'api' } },
      annotations: { 'deployment.kubernetes.io/revision': '3' },
    }),
  );
  wait(at(22));
  assert.deepEqual(found(), []);
});

test('W22 is quiet: the revision before did the same, one Pod alone, what begins long after, and a start that takes three attempts', () => {
  const same = released();
  for (const [minute, which, count] of [
    [-30, 'a', 1],
    [-25, 'b', 1],
    [-5, 'a', 2],
  ] as const)
    same.restarts(1, which, minute, count);
  same.roll();
  const one = released();
  one.roll();
  const late = released();
  late.roll();
  const start = released();
  start.roll();
  for (const [minute, which, count] of [
    [6, 'a', 1],
    [8, 'b', 1],
    [12, 'a', 2],
  ] as const) {
    same.restarts(2, which, minute, count);
    one.restarts(2, 'a', minute, minute);
    late.restarts(2, which, minute + 60, count);
    start.restarts(2, which, minute / 3, count);
  }
  for (const k8s of [same, one, late, start]) {
    k8s.wait(at(90));
    assert.equal(k8s.found().includes(`${api} ReleaseRegression`), false);
  }
});

test('W22 is quiet: nobody has watched the revision before, the Node of the Pods fails, and a Pod that is being deleted', () => {
  const unseen = released({ watched: 10 });
  const lost = released();
  for (const k8s of [unseen, lost]) k8s.roll();
  lost.put(at(5), node('n1', { ready: 'Unknown', since: at(5) }));
  for (const [minute, which, count] of [
    [6, 'a', 1],
    [8, 'b', 1],
    [12, 'a', 2],
  ] as const)
    for (const k8s of [unseen, lost]) k8s.restarts(2, which, minute, count);
  for (const k8s of [unseen, lost]) {
    k8s.wait(at(60));
    assert.equal(k8s.found().includes(`${api} ReleaseRegression`), false);
  }
});
