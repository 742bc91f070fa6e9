import { lease } from '../../world/control-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, long, outage, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

/** The scheduler has no leader any more, and the new Pod of a workload that is down has this to say of its place. */
const story =
  (placed: readonly object[]): Story['tell'] =>
  (k8s) => {
    const both = [lease('kube-scheduler', 'n3_2f0c0a9e', long), lease('apiserver-x', 'apiserver-x', long)];
    k8s.put(long, ...twoNodes, ...both, ...app('api'), podOf('api', 'a'));
    k8s.wait(at(0));
    for (let seconds = 0; seconds <= 600; seconds += 15) {
      const time = at(0, seconds);
      k8s.wait(time);
      if (seconds < 60) k8s.put(time, lease('kube-scheduler', 'n3_2f0c0a9e', time));
      k8s.put(time, lease('apiserver-x', 'apiserver-x', time));
      if (seconds !== 75) continue;
      k8s.gone(time, podOf('api', 'a'));
      k8s.put(time, ...app('api', outage(time)));
      k8s.put(time, podOf('api', 'b', { ...unplaced(time), conditions: placed.map((each) => ({ ...each })) }));
    }
  };

export const proof: Proof = {
  shows: {
    what: 'no scheduler leads, and a workload waits for a place for its only Pod',
    tell: story([]),
    told: ['Lease/kube-system/kube-scheduler SchedulerUnavailable 2'],
  },
  not: {
    what: 'the scheduler had looked at the Pod and found no room for it',
    tell: story([
      condition('PodScheduled', 'False', at(1, 15), 'Unschedulable', '0/2 nodes are available: 2 Insufficient cpu.'),
    ]),
    told: ['Deployment/shop/api Unschedulable 2', 'Lease/kube-system/kube-scheduler SchedulerUnavailable 1'],
  },
};
