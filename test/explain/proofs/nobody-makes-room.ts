import { at } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

const autoscaler = 'cluster-autoscaler';
const system = { namespace: 'kube-system' };
const noCpu = '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available.';

/** Pods of two workloads find no CPU since 2; the autoscaler crashes since 1. */
const story =
  (...others: readonly string[]): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.put(long, ...app(autoscaler, system), ...['a', ...others].map((which) => podOf(autoscaler, which, system)));
    k8s.wait(at(0));
    k8s.put(at(1), podOf(autoscaler, 'a', { ...system, ...crashing(long, at(1)) }));
    k8s.put(at(2), ...names.map((name) => podOf(name, 'b', unplaced(at(2), noCpu))));
    k8s.wait(at(9));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'whoever adds Nodes does not run',
    tell: story(),
    told: ['Deployment/kube-system/cluster-autoscaler CrashLoopBackOff 4'],
  },
  not: {
    what: 'another replica of it runs, and adds none',
    tell: story('b'),
    told: ['Cluster//nodes InsufficientCapacity 3', 'Deployment/kube-system/cluster-autoscaler CrashLoopBackOff 1'],
  },
};
