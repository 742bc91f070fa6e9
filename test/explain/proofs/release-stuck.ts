import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes, unready } from '../proof.ts';

/** A rollout of a new image that passes its deadline; what the controller says of its new ReplicaSet. */
const story =
  (conditions: readonly Record<string, unknown>[]): Story['tell'] =>
  (k8s) => {
    const image = 'registry.example/shop/api:2';
    const late = condition('Progressing', 'False', at(10), 'ProgressDeadlineExceeded');
    const rolling = { replicas: 2, createdAt: long, image, generation: 2 };
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b'));
    k8s.wait(at(0));
    k8s.put(at(0), workload('Deployment', 'api', rolling));
    k8s.put(at(0), replicaSet('api', 2, { replicas: 1, createdAt: at(0), conditions }));
    if (conditions.length === 0)
      k8s.put(at(0, 1), podOf('api', 'c', { revision: 2, createdAt: at(0, 1), conditions: unready(at(0, 1)) }));
    k8s.put(at(10), workload('Deployment', 'api', { ...rolling, conditions: [late] }));
    k8s.wait(at(12));
  };

const says = 'pods "api-r2-c" is forbidden: exceeded quota: budget, requested: pods=1, used: pods=2, limited: pods=2';

export const proof: Proof = {
  shows: {
    what: 'a rollout hangs, and nothing else fails',
    tell: story([]),
    told: ['Deployment/shop/api ProgressDeadlineExceeded 1, image edited'],
  },
  not: {
    what: 'the rollout hangs because a quota refuses its Pods',
    tell: story([condition('ReplicaFailure', 'True', at(0, 1), 'FailedCreate', says)]),
    told: ['ResourceQuota/shop/budget QuotaExceeded 3'],
  },
};
