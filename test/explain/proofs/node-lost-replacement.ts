import { at, condition } from '../../world/objects.ts';
import { app, long, lostNode, type Proof, podOf, type Story, twoNodes, unplaced, unready } from '../proof.ts';

const taken = condition('DisruptionTarget', 'True', at(6), 'DeletionByTaintManager');

/** The node is lost with a Pod of `api`, which is evicted at 6; a new Pod of an app finds no room. */
const story =
  (name: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), podOf('api', 'a'), podOf('web', 'b', { node: 'n2' }));
    k8s.wait(at(0));
    k8s.put(at(1), lostNode(at(1)));
    k8s.put(at(1, 1), podOf('api', 'a', { conditions: unready(at(1, 1)) }));
    k8s.wait(at(6));
    k8s.put(at(6), podOf('api', 'a', { conditions: [taken, ...unready(at(1, 1))], deletionAt: at(6, 30) }));
    k8s.put(at(6, 1), podOf(name, 'new', unplaced(at(6, 1))));
    k8s.wait(at(10));
  };

export const proof: Proof = {
  shows: {
    what: 'a Pod that takes the place of one lost with its Node finds no room',
    tell: story('api'),
    told: ['Node//n1 NodeUnreachable 2'],
  },
  not: {
    what: 'a Pod of a workload that lost nothing finds no room',
    tell: story('web'),
    told: ['Deployment/shop/web Unschedulable 1', 'Node//n1 NodeUnreachable 1'],
  },
};
