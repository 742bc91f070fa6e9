import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said, saying } from '../explain/said.ts';
import { service } from '../world/network-objects.ts';
import { at, condition, pod, workload } from '../world/objects.ts';
import { story } from '../world/story.ts';

const long = at(-60);
const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'DB_HOST', value: 'db.shop.svc' }] }] };
const ownedBy = (name: string) => ({ owner: { kind: 'ReplicaSet', name }, createdAt: long, spec });
const unready = [condition('Ready', 'False', at(1), 'ContainersNotReady')];
const none = { createdAt: long, replicas: 1, status: { readyReplicas: 0, availableReplicas: 0 } };
const conditions = [condition('Available', 'False', at(1), 'MinimumReplicasUnavailable')];

/** When a Deployment whose only Pod runs on and is not ready since 1 is found, beside another workload (s after 1). */
function foundAfter(words: string): number {
  const { put, found, wait } = story();
  put(
    long,
    service('db'),
    workload('Deployment', 'api', { createdAt: long, replicas: 1 }),
    workload('ReplicaSet', 'web'),
  );
  put(
    long,
    workload('ReplicaSet', 'api', { createdAt: long, replicas: 1, owner: { kind: 'Deployment', name: 'api' } }),
  );
  put(long, pod('api-a', ownedBy('api')), pod('web-a', ownedBy('web')));
  put(at(0, 50), pod('web-a', { ...ownedBy('web'), ...saying(long, at(0, 50), words) }));
  put(
    at(1),
    pod('api-a', { ...ownedBy('api'), conditions: unready }),
    workload('Deployment', 'api', { ...none, conditions }),
  );
  for (let second = 0; second < 60; second += 1) {
    wait(at(1, second));
    if (found().includes('Deployment/shop/api DeploymentUnavailable')) return second;
  }
  return Number.NaN;
}

test('W3 fires: what serves no more is found after 15 s while another says that a Service which both call refuses it', () => {
  assert.equal(foundAfter(said.full('db')), 15);
});

test('W3 fires: it is found after 30 s where the other fails for something of its own', () => {
  assert.equal(foundAfter(said.variable), 30);
});
