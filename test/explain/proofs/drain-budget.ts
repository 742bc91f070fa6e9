import { at, budget, condition, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story } from '../proof.ts';

const cordon = { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] };
const exhausted = {
  createdAt: long,
  conditions: [condition('DisruptionAllowed', 'False', long, 'InsufficientPods')],
  status: { disruptionsAllowed: 0, desiredHealthy: 3 },
};

/** A drain of n1 that does not end; `labels`: of the Pods that are left. */
const story =
  (labels: Record<string, string>, deletionAt?: number): Story['tell'] =>
  (k8s) => {
    const left = () => ['a', 'b'].map((which) => podOf('api', which, { labels, node: 'n1' }));
    k8s.put(long, node('n1'), ...app('api'), ...left(), budget('api', { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(1), node('n1', { spec: cordon }), budget('api', exhausted));
    if (deletionAt !== undefined)
      k8s.put(at(1), ...['a', 'b'].map((which) => podOf('api', which, { labels, node: 'n1', deletionAt })));
    k8s.wait(at(70));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'a budget holds all Pods that are left on a Node',
    tell: story({ app: 'api' }),
    told: ['PodDisruptionBudget/shop/api PDBBlocksDrain 2'],
  },
  not: {
    what: 'the Pods that are left do not end, and no budget has a say any more',
    tell: story({ app: 'other' }, at(2)),
    told: ['Node//n1 NodeDraining 1'],
  },
};
