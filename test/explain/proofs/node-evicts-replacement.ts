import { at, condition } from '../../world/objects.ts';
import { ailing, app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

const evicted = {
  ...{ phase: 'Failed', reason: 'Evicted', statuses: [] },
  conditions: [condition('DisruptionTarget', 'True', at(1, 30), 'TerminationByKubelet')],
};

/** The disk of n1 fills up, a Pod of `api` is evicted there; a new Pod of an app finds no room. */
const story =
  (name: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), podOf('api', 'a'), podOf('web', 'b', { node: 'n2' }));
    k8s.wait(at(0));
    k8s.put(at(1), ailing('DiskPressure', at(1)));
    k8s.put(at(1, 30), podOf('api', 'a', evicted));
    k8s.put(at(1, 31), podOf(name, 'new', unplaced(at(1, 31))));
    k8s.wait(at(8));
  };

export const proof: Proof = {
  rule: 'node-lost-replacement',
  shows: {
    what: 'a Pod that takes the place of an evicted one finds no room',
    tell: story('api'),
    told: ['Node//n1 DiskPressure 3'],
  },
  not: {
    what: 'a Pod of a workload that nothing was evicted of finds no room',
    tell: story('web'),
    told: ['Deployment/shop/web Unschedulable 1', 'Node//n1 DiskPressure 2'],
  },
};
