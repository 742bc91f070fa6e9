import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, condition, workload } from '../../world/objects.ts';
import { long, type Proof, replicaSet, type Story, twoNodes } from '../proof.ts';

const says = 'pods "x" is forbidden: maximum memory usage per Container is 128Mi, but limit is 256Mi';

const limitRange = (name: string): RawObject => ({
  ...{ apiVersion: 'v1', kind: 'LimitRange' },
  metadata: { name, namespace: 'shop', uid: name },
});

/** A limit range refuses Pods of these workloads. */
const story =
  (...names: readonly string[]): Story['tell'] =>
  (k8s) => {
    const refused = [condition('ReplicaFailure', 'True', at(1), 'FailedCreate', says)];
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(long, ...twoNodes, limitRange('sizes'));
    k8s.wait(at(0));
    for (const name of names)
      k8s.put(at(1), workload('Deployment', name, none), replicaSet(name, 1, { ...none, conditions: refused }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-name',
  shows: {
    what: 'the limit range of a namespace refuses the Pods of two workloads',
    tell: story('api', 'web'),
    told: ['LimitRange/shop/sizes LimitRangeRejects 2'],
  },
  not: {
    what: 'one workload alone may ask for too much',
    tell: story('api'),
    told: ['Deployment/shop/api LimitRangeRejects 1'],
  },
};
