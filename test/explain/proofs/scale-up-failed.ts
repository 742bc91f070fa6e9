import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { at, configMap } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

const status = configMap('cluster-autoscaler-status', { namespace: 'kube-system', createdAt: long });
const about: RawObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: status.metadata };

/** Pods of two workloads fit on no Node; for these the autoscaler began to make one, which its cloud refuses. */
const story =
  (tried: readonly string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, status, ...app('api'), ...app('web'));
    k8s.wait(at(0));
    for (const name of ['api', 'web']) {
      const waits = podOf(name, 'b', unplaced(at(1)));
      k8s.put(at(1), waits);
      if (tried.includes(name)) k8s.put(at(1, 5), eventOn(waits, 'TriggeredScaleUp', at(1, 5), { type: 'Normal' }));
    }
    const message = 'Scale-up failed for group spot-large: quota exceeded';
    k8s.put(at(1, 20), eventOn(about, 'FailedToScaleUpGroup', at(1, 20), { message }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'the Node that was to be made for the Pods of two workloads cannot be',
    tell: story(['api', 'web']),
    told: ['ConfigMap/kube-system/cluster-autoscaler-status ScaleUpFailed 3'],
  },
  not: {
    what: 'the autoscaler tried nothing for these Pods',
    tell: story([]),
    told: ['Cluster//nodes InsufficientCapacity 3'],
  },
};
