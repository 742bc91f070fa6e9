import { lease } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import { long, lostNode, type Proof, twoNodes } from '../proof.ts';

/** The Node n1 is lost, and the scheduler that was held by somebody has no leader any more. */
const story =
  (holder: string): Proof['shows']['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, lease('kube-scheduler', holder, long), lease('apiserver-x', 'apiserver-x', long));
    k8s.wait(at(0));
    for (let seconds = 0; seconds <= 300; seconds += 15) {
      const time = at(0, seconds);
      k8s.wait(time);
      if (seconds === 60) k8s.put(time, lostNode(time));
      if (seconds < 60) k8s.put(time, lease('kube-scheduler', holder, time));
      k8s.put(time, lease('apiserver-x', 'apiserver-x', time));
    }
  };

export const proof: Proof = {
  shows: {
    what: 'the Node of the scheduler that leads is lost',
    tell: story('n1_2f0c0a9e'),
    told: ['Node//n1 NodeUnreachable 2'],
  },
  not: {
    what: 'the scheduler that leads was on another Node',
    tell: story('n2_2f0c0a9e'),
    told: ['Lease/kube-system/kube-scheduler SchedulerUnavailable 1', 'Node//n1 NodeUnreachable 1'],
  },
};
