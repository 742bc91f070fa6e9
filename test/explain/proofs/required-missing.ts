import { at, condition, workload } from '../../world/objects.ts';
import { long, type Proof, replicaSet, type Story, twoNodes } from '../proof.ts';

const says = 'pods "x" is forbidden: error looking up service account shop/api: serviceaccount "api" not found';
const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'api', namespace: 'shop', uid: 'api' } };

/** Two workloads name a ServiceAccount; later it is there, and their controllers have not tried again yet. */
const story =
  (isThere: boolean): Story['tell'] =>
  (k8s) => {
    const refused = [condition('ReplicaFailure', 'True', at(1), 'FailedCreate', says)];
    const none = { createdAt: long, status: { readyReplicas: 2, availableReplicas: 2, replicas: 2 } };
    k8s.put(long, ...twoNodes);
    k8s.wait(at(0));
    for (const name of ['api', 'web'])
      k8s.put(at(1), workload('Deployment', name, none), replicaSet(name, 1, { ...none, conditions: refused }));
    k8s.wait(at(2));
    if (isThere) k8s.put(at(2), account);
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'the Pods of two workloads are refused for want of a ServiceAccount',
    tell: story(false),
    told: ['ServiceAccount/shop/api ServiceAccountMissing 3'],
  },
  not: {
    what: 'the ServiceAccount is there by now',
    tell: story(true),
    told: [],
  },
};
