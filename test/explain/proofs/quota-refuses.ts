import { at, condition, workload } from '../../world/objects.ts';
import { long, type Proof, replicaSet, type Story, twoNodes } from '../proof.ts';

/** What the API server answers when the Pods of two workloads are to be made. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const refused = [condition('ReplicaFailure', 'True', at(1), 'FailedCreate', says)];
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(long, ...twoNodes);
    k8s.wait(at(0));
    for (const name of ['api', 'web'])
      k8s.put(at(1), workload('Deployment', name, none), replicaSet(name, 1, { ...none, conditions: refused }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'a quota refuses the Pods of two workloads',
    tell: story('pods "x" is forbidden: exceeded quota: budget, requested: pods=1, used: pods=2, limited: pods=2'),
    told: ['ResourceQuota/shop/budget QuotaExceeded 3'],
  },
  not: {
    what: 'a limit range refuses them, each for what it asks for',
    tell: story('pods "x" is forbidden: maximum cpu usage per Container is 1, but limit is 2'),
    told: ['Deployment/shop/api LimitRangeRejects 1', 'Deployment/shop/web LimitRangeRejects 1'],
  },
};
