import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

const noCpu = '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available.';
const gone = {
  deletionAt: at(1),
  conditions: [condition('DisruptionTarget', 'True', at(1), 'PreemptionByScheduler')],
};

/** A report of a high priority comes to a Node at 1, from which Pods of these workloads are preempted, and find no room. */
const story =
  (...names: readonly string[]): Story['tell'] =>
  (k8s) => {
    const two = (name: string, parts: object) => ['a', 'b'].map((which) => podOf(name, which, parts));
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), ...two(name, {})]));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.flatMap((name) => two(name, gone)));
    const report = podOf('report', 'a', {
      createdAt: at(1),
      spec: { priority: 1000, priorityClassName: 'board' },
      conditions: [condition('PodScheduled', 'True', at(1)), condition('Ready', 'True', at(1))],
    });
    k8s.put(at(1), ...app('report', { createdAt: at(1) }), report);
    for (const name of names) {
      k8s.gone(at(1, 30), ...two(name, gone));
      const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
      k8s.put(at(1, 30), workload('Deployment', name, none));
      k8s.put(at(1, 30), ...['c', 'd'].map((which) => podOf(name, which, unplaced(at(1, 30), noCpu))));
    }
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload of a high priority takes the places of two others',
    tell: story('api', 'web'),
    told: ['Deployment/shop/report Unschedulable 6'],
  },
  not: {
    what: 'one workload alone makes room, as its low priority wants it',
    tell: story('api'),
    told: ['Deployment/shop/api Unschedulable 3'],
  },
};
