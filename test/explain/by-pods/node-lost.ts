import { at, condition } from '../../world/objects.ts';
import { app, long, lostNode, outage, type Proof, podOf, type Story, twoNodes, unready } from '../proof.ts';

const taken = condition('DisruptionTarget', 'True', at(6), 'DeletionByTaintManager');

/** The node is lost; the only Pod of `api` runs on one of the two and is on its way out at 6. */
const story =
  (on: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api', { replicas: 1 }), podOf('api', 'a', { node: on }));
    k8s.wait(at(0));
    k8s.put(at(1), lostNode(at(1)), ...app('api', { replicas: 1, ...outage(at(1, 1)) }));
    const conditions = [taken, ...unready(at(1, 1))];
    k8s.put(at(6), podOf('api', 'a', { node: on, conditions, deletionAt: at(6, 30) }));
    k8s.wait(at(10));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload is short of the Pod that was evicted from the lost Node',
    tell: story('n1'),
    told: ['Node//n1 NodeUnreachable 2'],
  },
  not: {
    what: 'a workload is short of a Pod on another Node',
    tell: story('n2'),
    told: ['Deployment/shop/api DeploymentUnavailable 1', 'Node//n1 NodeUnreachable 1'],
  },
};
