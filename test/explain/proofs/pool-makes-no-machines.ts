import { custom } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

const noCpu = '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available.';

/** A pool of machines is not ready since 1, or is; Pods of two workloads find no CPU at 2. */
const story =
  (status: 'True' | 'False'): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const pool = (is: string, since: number) =>
      custom('karpenter.sh/v1', 'NodePool', 'general', {
        ...{ namespace: '', createdAt: long },
        conditions: [condition('Ready', is, since, 'NodeClassReady', 'NodeClassReady=False')],
      });
    k8s.put(long, ...twoNodes, pool('True', long), ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    k8s.put(at(1), pool(status, at(1)));
    k8s.put(at(2), ...names.map((name) => podOf(name, 'b', unplaced(at(2), noCpu))));
    k8s.wait(at(12));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'the pool that machines are made from is not ready',
    tell: story('False'),
    told: ['NodePool.karpenter.sh//general CustomResourceFailing 4'],
  },
  not: {
    what: 'it is ready, and no machine comes',
    tell: story('True'),
    told: ['Cluster//nodes InsufficientCapacity 3'],
  },
};
