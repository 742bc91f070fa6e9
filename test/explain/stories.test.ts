import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { at, condition, ended, node, pod, status, waiting, workload } from '../world/objects.ts';
import { house } from './raw.ts';

const long = at(-60);

/** A Deployment `shop/<name>` with its ReplicaSet, an hour old. */
function deployment(name: string, replicas: number): RawObject[] {
  const labels = {};
  return [workload('Deployment', name, { replicas, createdAt: long, labels }), replicaSet(name, 1, replicas, long)];
}

function replicaSet(
  name: string,
  revision: number,
  replicas: number,
  createdAt: number,
  image = `registry.example/shop/${name}:1.${revision}`,
) {
  return workload('ReplicaSet', `${name}-r${revision}`, {
    ...{ replicas, createdAt, image, owner: { kind: 'Deployment', name } },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
  });
}

const owned = (name: string, revision = 1) => ({
  owner: { kind: 'ReplicaSet', name: `${name}-r${revision}` },
  createdAt: long,
});
const running = [status('api', { state: { running: { startedAt: '2026-06-01T11:00:00Z' } } })];

test('a lost node with 20 Pods of 6 workloads is one message, rooted at the node, and one end', () => {
  const k8s = house();
  const counts = [4, 4, 3, 3, 3, 3];
  const onNode = (ready: boolean, since = long): RawObject[] =>
    counts.flatMap((count, app) =>
      Array.from({ length: count }, (_, index) =>
        pod(`app${app}-${index}`, {
          ...owned(`app${app}`),
          ...{ node: 'n1', statuses: running },
          conditions: [condition('Ready', ready ? 'True' : 'False', since)],
        }),
      ),
    );
  const elsewhere = counts.map((_, app) =>
    pod(`app${app}-x`, { ...owned(`app${app}`), node: 'n2', statuses: running }),
  );
  k8s.put(long, node('n1', { since: long }), node('n2', { since: long }));
  k8s.put(long, ...counts.flatMap((count, app) => deployment(`app${app}`, count + 1)));
  k8s.put(long, ...onNode(true), ...elsewhere);
  k8s.wait(at(0));
  k8s.put(at(1), node('n1', { ready: 'Unknown', since: at(1) }));
  k8s.put(at(1, 1), ...onNode(false, at(1, 1)));
  k8s.wait(at(5));
  assert.deepEqual(k8s.told, ['open Node//n1 Settled → oncall']);
  const [explanation] = k8s.explain();
  assert.equal(explanation?.workloads.length, 6);
  assert.equal(explanation?.members.length, 21);
  assert.equal(explanation?.severity, 'medium');
  k8s.put(at(6), node('n1', { since: at(6) }), ...onNode(true, at(6)));
  k8s.wait(at(20));
  assert.deepEqual(k8s.told.slice(1), ['resolve Node//n1 HeldGood → oncall']);
});

test('a Deployment of 5 whose new image crash-loops is one message that names the change, and one end when it is put right', () => {
  const k8s = house();
  const old = Array.from({ length: 5 }, (_, index) => pod(`api-old-${index}`, { ...owned('api'), statuses: running }));
  const api = (image: string, generation: number): RawObject =>
    workload('Deployment', 'api', { replicas: 5, createdAt: long, image, generation });
  k8s.put(
    long,
    node('n1', { since: long }),
    api('registry.example/shop/api:1.1', 1),
    replicaSet('api', 1, 5, long),
    ...old,
  );
  k8s.wait(at(0));

  k8s.put(at(1), api('registry.example/shop/api:1.2', 2), replicaSet('api', 2, 2, at(1)));
  k8s.gone(at(1, 1), ...old.slice(0, 1));
  const crash = ended(at(1, 5), at(1, 6), 1);
  const fresh = (restarts: number, seconds: number): RawObject[] =>
    ['a', 'b'].map((name) =>
      pod(`api-new-${name}`, {
        ...{ owner: { kind: 'ReplicaSet', name: 'api-r2' }, createdAt: at(1, 2) },
        statuses: [
          waiting('api', 'CrashLoopBackOff', `back-off ${seconds}s restarting failed container`, {
            restartCount: restarts,
            lastState: crash,
          }),
        ],
      }),
    );
  for (const [restarts, seconds] of [
    [1, 10],
    [2, 20],
    [3, 40],
    [4, 80],
  ] as const)
    k8s.put(at(1, 10 + seconds), ...fresh(restarts, seconds));
  k8s.wait(at(6));
  assert.deepEqual(k8s.told, ['open Deployment/shop/api Settled → oncall']);
  const [explanation] = k8s.explain();
  assert.equal(explanation?.reason, 'CrashLoopBackOff');
  assert.equal(explanation?.confidence, 'high');
  assert.equal(explanation?.change?.field, 'image');
  assert.equal(explanation?.change?.from, 'registry.example/shop/api:1.1');
  assert.equal(explanation?.change?.to, 'registry.example/shop/api:1.2');
  assert.deepEqual(explanation?.samplePod, {
    ...{ ref: 'Pod/shop/api-new-a', container: 'api', previous: true, attempt: 4, ended: true },
  });

  k8s.put(at(7), api('registry.example/shop/api:1.1', 3));
  k8s.gone(at(7, 1), ...fresh(4, 80));
  k8s.put(at(7, 2), ...old);
  k8s.wait(at(40));
  assert.deepEqual(k8s.told.slice(1), ['resolve Deployment/shop/api HeldGood → oncall']);
});

test('a missing Secret of two workloads is one message, rooted at the Secret', () => {
  const k8s = house();
  k8s.put(long, node('n1', { since: long }), ...deployment('api', 1), ...deployment('web', 1));
  k8s.wait(at(0));
  const stuck = ['api', 'web'].map((name) =>
    pod(`${name}-1`, {
      ...{ owner: { kind: 'ReplicaSet', name: `${name}-r1` }, createdAt: at(1), phase: 'Pending' },
      statuses: [waiting('api', 'CreateContainerConfigError', 'secret "db" not found')],
    }),
  );
  k8s.put(at(1, 5), ...stuck);
  k8s.wait(at(5));
  assert.deepEqual(k8s.told, ['open Secret/shop/db Settled → oncall']);
});

test('a quota that lets a Deployment make no ReplicaSet is one message, with what the Deployment lacks', () => {
  const k8s = house();
  const unserved = { readyReplicas: 0, availableReplicas: 0, replicas: 0, updatedReplicas: 0 };
  const says =
    'Failed to create new replica set "api-5d9": replicasets.apps "api-5d9" is forbidden: exceeded quota: objects, requested: count/replicasets.apps=1, used: count/replicasets.apps=3, limited: count/replicasets.apps=3';
  const conditions = [condition('Progressing', 'False', at(1), 'ReplicaSetCreateError', says)];
  k8s.put(long, node('n1', { since: long }));
  k8s.wait(at(0));
  k8s.put(
    at(1),
    workload('Deployment', 'api', { createdAt: at(1), conditions, status: { ...unserved, observedGeneration: 0 } }),
  );
  k8s.wait(at(60));
  assert.deepEqual(k8s.told, ['open ResourceQuota/shop/objects Settled → oncall']);
});
