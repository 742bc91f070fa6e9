import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/model/ref.ts';
import { registryHost } from '../../../src/world/pods/image.ts';
import { at, condition, node, pod, start, workload } from '../objects.ts';
import { story } from '../story.ts';

const sorted = (refs: Iterable<Ref>): Ref[] => [...refs].sort();

test('a Pod uses the Secrets and ConfigMaps it cannot start without, mounts claims and pulls from registries', () => {
  const { world, put } = story();
  const spec = {
    initContainers: [{ name: 'init', image: 'busybox' }],
    containers: [
      {
        name: 'api',
        image: 'ghcr.io/shop/api:1.0',
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'app', key: 'b' } } },
          { name: 'C', valueFrom: { secretKeyRef: { name: 'maybe', key: 'c', optional: true } } },
        ],
        envFrom: [{ secretRef: { name: 'env' } }, { configMapRef: { name: 'maybe', optional: true } }],
      },
    ],
    volumes: [
      { name: 'a', secret: { secretName: 'tls' } },
      { name: 'b', projected: { sources: [{ configMap: { name: 'ca' } }, { secret: { name: 'part' } }] } },
      { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
    ],
    imagePullSecrets: [{ name: 'pull' }],
  };
  put(start, pod('api-1', { spec }));
  const ref = 'Pod/shop/api-1';
  const uses = [
    'ConfigMap/shop/app',
    'ConfigMap/shop/ca',
    ...['db', 'env', 'part', 'pull', 'tls'].map((name) => `Secret/shop/${name}`),
  ];
  assert.deepEqual(sorted(world.linked(ref, 'uses', 'out')), uses);
  assert.deepEqual(sorted(world.linked(ref, 'mounts', 'out')), [
    'PersistentVolumeClaim/shop/api-1-scratch',
    'PersistentVolumeClaim/shop/data',
  ]);
  assert.deepEqual(sorted(world.linked(ref, 'pulls', 'out')), ['Registry//docker.io', 'Registry//ghcr.io']);

  for (const [target, type] of [
    ['Secret/shop/db', 'uses'],
    ['PersistentVolumeClaim/shop/data', 'mounts'],
    ['PersistentVolumeClaim/shop/api-1-scratch', 'mounts'],
    ['Registry//ghcr.io', 'pulls'],
    ['Node//n1', 'runs-on'],
  ] as const)
    assert.deepEqual([...world.linked(target, type, 'in')], [ref], target);
  assert.deepEqual([...world.linked('Secret/shop/maybe', 'uses', 'in')], []);
  assert.deepEqual([...world.linked('Secret/other/db', 'uses', 'in')], []);
});

test('the claims of a StatefulSet are those of each Pod, though its Pods share one template', () => {
  const { world, put } = story();
  for (const ordinal of [0, 1])
    put(
      start,
      pod(`web-${ordinal}`, {
        owner: { kind: 'StatefulSet', name: 'web' },
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-web-${ordinal}` } }] },
      }),
    );
  assert.deepEqual([...world.linked('Pod/shop/web-1', 'mounts', 'out')], ['PersistentVolumeClaim/shop/data-web-1']);
  assert.deepEqual([...world.linked('PersistentVolumeClaim/shop/data-web-1', 'mounts', 'in')], ['Pod/shop/web-1']);
  const view = world.get('Pod/shop/web-1');
  assert.deepEqual(typeof view === 'object' && view.kind === 'Pod' && view.template.claims, ['data-web-1']);
});

test('owners and children are linked both ways, and links go with the object', () => {
  const { world, put, gone } = story();
  const replicaSet = workload('ReplicaSet', 'api-7d9', { owner: { kind: 'Deployment', name: 'api' } });
  const one = pod('api-1', { owner: { kind: 'ReplicaSet', name: 'api-7d9' } });
  put(start, replicaSet, one, pod('api-2', { owner: { kind: 'ReplicaSet', name: 'api-7d9' } }));
  assert.deepEqual([...world.linked('Pod/shop/api-1', 'owned-by', 'out')], ['ReplicaSet/shop/api-7d9']);
  assert.deepEqual(sorted(world.linked('ReplicaSet/shop/api-7d9', 'owned-by', 'in')), [
    'Pod/shop/api-1',
    'Pod/shop/api-2',
  ]);
  assert.deepEqual([...world.linked('ReplicaSet/shop/api-7d9', 'owned-by', 'in', 1)].length, 1);
  assert.deepEqual([...world.linked('Deployment/shop/api', 'owned-by', 'in')], ['ReplicaSet/shop/api-7d9']);
  gone(at(1), one, replicaSet);
  assert.deepEqual([...world.linked('ReplicaSet/shop/api-7d9', 'owned-by', 'in')], ['Pod/shop/api-2']);
  assert.deepEqual([...world.linked('Node//n1', 'runs-on', 'in')], ['Pod/shop/api-2']);
  assert.deepEqual([...world.linked('Deployment/shop/api', 'owned-by', 'in')], []);
});

const owned = { owner: { kind: 'ReplicaSet', name: 'api-7d9' } };

test('a Pod made after one of its owner was lost with its Node replaces it', () => {
  const { world, put } = story();
  put(at(0), node('n1'), pod('api-1', owned), pod('calm', { owner: { kind: 'ReplicaSet', name: 'calm' } }));
  put(at(5), node('n1', { ready: 'Unknown', since: at(5) }));
  put(at(10), pod('api-1', { ...owned, deletionAt: at(10, 30) }));
  put(at(10, 5), pod('api-2', { ...owned, createdAt: at(10, 1), node: 'n2' }));
  put(at(40), pod('api-3', { ...owned, createdAt: at(40), node: 'n2' }));
  assert.deepEqual([...world.linked('Pod/shop/api-2', 'replaces', 'out')], ['Node//n1']);
  assert.deepEqual([...world.linked('Node//n1', 'replaces', 'in')], ['Pod/shop/api-2']);
  assert.deepEqual([...world.linked('Pod/shop/api-3', 'replaces', 'out')], [], 'made too late');
  assert.deepEqual([...world.linked('Pod/shop/calm', 'replaces', 'out')], []);
});

test('a Pod deleted from a Node that is well is no loss', () => {
  const { world, put, gone } = story();
  const first = pod('api-1', owned);
  put(at(0), node('n1'), first);
  gone(at(5), first);
  put(at(5), pod('api-2', { ...owned, createdAt: at(5), node: 'n2' }));
  assert.deepEqual([...world.linked('Pod/shop/api-2', 'replaces', 'out')], []);
});

test('the condition of a disrupted Pod tells the loss after a restart of ours', () => {
  const { world, put } = story();
  const disrupted = condition('DisruptionTarget', 'True', at(-5), 'DeletionByTaintManager');
  put(at(0), pod('api-2', { ...owned, createdAt: at(-4), node: 'n2' }));
  put(at(0), pod('api-1', { ...owned, createdAt: at(-90), deletionAt: at(-4), conditions: [disrupted] }));
  assert.deepEqual([...world.linked('Pod/shop/api-2', 'replaces', 'out')], ['Node//n1']);
});

test('the registry of an image is found as runtimes find it', () => {
  const hosts = {
    nginx: 'docker.io',
    'library/nginx:1.27': 'docker.io',
    'docker.io/library/nginx': 'docker.io',
    'index.docker.io/shop/api': 'docker.io',
    'ghcr.io/shop/api:1': 'ghcr.io',
    'localhost/api': 'localhost',
    'localhost:5000/api': 'localhost:5000',
    'registry:5000/api@sha256:abc': 'registry:5000',
    'Registry/api': 'registry',
  };
  for (const [image, host] of Object.entries(hosts)) assert.equal(registryHost(image), host, image);
});
