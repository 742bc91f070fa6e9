import { at, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, unplaced } from '../proof.ts';

const taints = [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }];
const keeps = '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).';

/** The Node n2 joins and keeps the mark of its start; Pods of two workloads wait for room at 20, as the scheduler says. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, node('n1', { since: long }), ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    k8s.put(at(0), node('n2', { since: at(0), createdAt: at(0), spec: { taints } }));
    k8s.wait(at(20));
    k8s.put(at(20), ...names.map((name) => podOf(name, 'b', unplaced(at(20), says))));
    k8s.wait(at(30));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'a Node that nobody takes over keeps the Pods of two workloads away',
    tell: story(keeps),
    told: ['Node//n2 NodeUninitialized 4'],
  },
  not: {
    what: 'they wait for a card, which no Node has',
    tell: story('0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: 0/2 nodes are available.'),
    told: ['Cluster//nodes InsufficientCapacity 3', 'Node//n2 NodeUninitialized 1'],
  },
};
