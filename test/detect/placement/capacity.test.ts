import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { unplaced } from '../../explain/proof.ts';
import { at, node, pod, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const long = at(-60);
const noCpu = '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available.';
const size = { allocatable: { cpu: '2', memory: '4Gi', pods: '110' } };
const owners = ['api', 'web'].map((name) => workload('ReplicaSet', name));
const requests = (cpu: string, nodeSelector: Readonly<Record<string, string>> = {}) => ({
  containers: [{ name: 'api', image: 'x', resources: { requests: { cpu } } }],
  nodeSelector,
});
/** A Pod of a workload that waits since an instant. */
const waits = (
  name: string,
  spec: ReturnType<typeof requests> = requests('500m'),
  minute = 0,
  kind = 'ReplicaSet',
): RawObject => pod(`${name}-a`, { ...unplaced(at(minute), noCpu), spec, owner: { kind, name } });

function cluster(...raws: readonly RawObject[]) {
  const k8s = story();
  k8s.put(at(0), ...owners, ...['n1', 'n2'].map((name) => node(name, { since: long, ...size })), ...raws);
  const short = (): string[] => k8s.found().filter((line) => line.includes('InsufficientCapacity'));
  return { ...k8s, short };
}

const whole: Ref = 'Cluster//nodes';

test('N24 fires and clears: Pods of two workloads for which no Node has CPU left', () => {
  const { put, wait, short, finding, says } = cluster(waits('api'), waits('web', requests('250m')));
  wait(at(2));
  assert.deepEqual(short(), [`${whole} InsufficientCapacity`]);
  assert.deepEqual(finding(whole, 'InsufficientCapacity').facts, {
    pods: 2,
    workloads: 2,
    resource: 'cpu',
    asks: 0.25,
  });
  assert.equal(
    says(whole, 'InsufficientCapacity'),
    'There is too little free CPU for 2 pods of 2 workloads (the smallest waiting pod asks for 0.25 CPU).',
  );
  put(at(3), pod('web-a', { owner: { kind: 'ReplicaSet', name: 'web' }, createdAt: at(0) }));
  assert.deepEqual(short(), []);
});

test('N24 fires: the pool that both select has no room', () => {
  const spec = requests('500m', { 'eks.amazonaws.com/nodegroup': 'batch' });
  const { wait, short } = cluster(waits('api', spec), waits('web', spec));
  wait(at(2));
  assert.deepEqual(short(), ['NodePool//batch InsufficientCapacity']);
});

test('N24 is quiet: one workload, two that wait an hour apart, one larger than every Node, Pods of DaemonSets', () => {
  const told = (...raws: readonly RawObject[]): string[] => {
    const { wait, short } = cluster(...raws);
    wait(at(2));
    return short();
  };
  assert.deepEqual(told(waits('api')), []);
  assert.deepEqual(told(waits('api'), waits('web', requests('3'))), []);
  const { put, wait, short } = cluster(waits('api'));
  put(at(61), waits('web', requests('500m'), 61));
  wait(at(64));
  assert.deepEqual(short(), []);
  const agents = ['api', 'web'].map((name) => waits(name, requests('500m'), 0, 'DaemonSet'));
  assert.deepEqual(told(...agents), []);
});
