import { at, autoscaler, condition, ended, waiting } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const crashing = {
  statuses: [
    waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=api pod=api-a', {
      restartCount: 5,
      lastState: ended(at(4), at(5)),
    }),
  ],
  conditions: [condition('Ready', 'False', at(1), 'ContainersNotReady')],
};
const blind = {
  createdAt: long,
  conditions: [
    condition('ScalingActive', 'False', at(2), 'FailedGetResourceMetric', 'failed to get cpu utilization: no metrics'),
  ],
};

/** An autoscaler without metrics, and Pods of an app that crash. */
const story =
  (broken: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), autoscaler('api', { createdAt: long }));
    k8s.put(long, ...['api', 'web'].flatMap((name) => ['a', 'b'].map((which) => podOf(name, which))));
    k8s.wait(at(0));
    k8s.put(at(5), ...['a', 'b'].map((which) => podOf(broken, which, crashing)), autoscaler('api', blind));
    k8s.wait(at(12));
  };

export const proof: Proof = {
  shows: {
    what: 'the Pods that an autoscaler scales crash, so that there are no metrics of them',
    tell: story('api'),
    told: ['Deployment/shop/api CrashLoopBackOff 3'],
  },
  not: {
    what: 'the Pods of another workload crash',
    tell: story('web'),
    told: ['Deployment/shop/web CrashLoopBackOff 2', 'HorizontalPodAutoscaler/shop/api FailedGetResourceMetric 1'],
  },
};
