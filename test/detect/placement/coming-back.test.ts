import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, condition, node, type PodParts, pod, stamp, status, waiting, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const old = { createdAt: at(-900) };
const owner = { kind: 'ReplicaSet', name: 'api' };
const complete = condition('Progressing', 'True', at(-900), 'NewReplicaSetAvailable');
const out = condition('Available', 'False', at(0), 'MinimumReplicasUnavailable');
const outage = 'Deployment/shop/api DeploymentUnavailable';
const placed = (since: number) => condition('PodScheduled', 'True', since);
const unready = (since: number) => condition('Ready', 'False', since, 'ContainersNotReady');
const running = (since: number, own = {}) =>
  status('api', { ready: false, state: { running: { startedAt: stamp(since) } }, ...own });

/** The only replica of a Deployment, ready `startSeconds` after it began, goes at 0; what replaces it then. */
function moved(startSeconds: number, replacement: PodParts) {
  const k8s = story();
  const before = [complete, condition('Available', 'True', at(-900))];
  const single = { ...old, replicas: 1 };
  k8s.put(at(-900), node('n1', old), workload('Deployment', 'api', { ...single, conditions: before }));
  k8s.put(at(-900), workload('ReplicaSet', 'api', { ...single, owner: { kind: 'Deployment', name: 'api' } }));
  const ready = condition('Ready', 'True', at(-900, startSeconds));
  const state = { running: { startedAt: stamp(at(-900)) } };
  k8s.put(
    at(-899),
    pod('api-1', { ...old, owner, conditions: [placed(at(-900)), ready], statuses: [status('api', { state })] }),
  );
  if (replacement.owner) {
    const next = { createdAt: at(0), replicas: 1, owner: { kind: 'Deployment', name: 'api' } };
    k8s.put(at(0), workload('ReplicaSet', replacement.owner.name, next));
  }
  k8s.put(at(0), pod('api-2', { createdAt: at(0), owner, ...replacement }));
  k8s.gone(at(0), pod('api-1', { ...old, owner }));
  k8s.put(
    at(0),
    workload('Deployment', 'api', {
      ...single,
      conditions: [complete, out],
      status: { readyReplicas: 0, availableReplicas: 0 },
    }),
  );
  /** After how many seconds the outage is found. */
  return (upTo = 200): number | undefined => {
    for (let seconds = 1; seconds <= upTo; seconds += 1) {
      k8s.wait(at(0, seconds));
      if (k8s.found().includes(outage)) return seconds;
    }
    return undefined;
  };
}

test('W3 fires: a Pod that starts may take twice as long as the one before took, and a little more', () => {
  const starting = { conditions: [placed(at(0)), unready(at(0))], statuses: [running(at(0, 2))] };
  assert.equal(moved(1, starting)(), 30);
  assert.equal(moved(30, starting)(), 2 + 15 + 60);
});

test('W3 fires: how long Pods of the revision before took tells nothing of a new one', () => {
  const renewed = { kind: 'ReplicaSet', name: 'api-next' };
  const starting = { conditions: [placed(at(0)), unready(at(0))], statuses: [running(at(0, 2))], owner: renewed };
  assert.equal(moved(1, starting)(), 90);
});

test('W3 fires: a Pod that its startup probe grants more may take that, but no longer than 90 s', () => {
  const probe = { startupProbe: { periodSeconds: 10, failureThreshold: 9 } };
  const parts = {
    containers: [{ name: 'api', image: 'registry.example/shop/api:1.0', ...probe }],
    ...{ conditions: [placed(at(0)), unready(at(0))], statuses: [running(at(0, 2), { started: false })] },
  };
  assert.equal(moved(1, parts)(), 90);
});

test('W3 fires: volumes and images may take 90 s to be there, a kubelet that does not take a Pod up half a minute', () => {
  const conditions = [placed(at(0)), unready(at(0))];
  const preparing = { phase: 'Pending', conditions, statuses: [waiting('api', 'ContainerCreating')] };
  assert.equal(moved(1, preparing)(), 90);
  assert.equal(moved(1, { phase: 'Pending', conditions: [placed(at(0))], statuses: [], takenUp: false })(), 30);
});
