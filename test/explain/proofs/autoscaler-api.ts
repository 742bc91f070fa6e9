import { apiService } from '../../world/control-objects.ts';
import { service } from '../../world/network-objects.ts';
import { at, autoscaler, condition } from '../../world/objects.ts';
import { app, long, type Proof, podOf, twoNodes } from '../proof.ts';

const blind = (says: string) =>
  autoscaler('api', {
    createdAt: long,
    conditions: [condition('ScalingActive', 'False', at(1), 'FailedGetResourceMetric', says)],
  });

/** The metrics API is down, and an autoscaler has no metrics. */
const story =
  (says: string): Proof['shows']['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'a'), podOf('api', 'b'));
    k8s.put(
      long,
      service('metrics-server', { namespace: 'kube-system', createdAt: long }),
      autoscaler('api', { createdAt: long }),
    );
    k8s.wait(at(0));
    k8s.put(
      at(1),
      apiService('v1beta1.metrics.k8s.io', 'kube-system/metrics-server', [
        condition('Available', 'False', at(1), 'MissingEndpoints', 'no addresses'),
      ]),
      blind(says),
    );
    k8s.wait(at(12));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'the API of the metrics that an autoscaler reads is down',
    tell: story(
      'unable to fetch metrics from resource metrics API: the server is currently unable to handle the request',
    ),
    told: ['Service/kube-system/metrics-server APIServiceUnavailable 2'],
  },
  not: {
    what: 'the autoscaler reads external metrics',
    tell: story(
      'unable to fetch metrics from external metrics API: the server is currently unable to handle the request',
    ),
    told: [
      'HorizontalPodAutoscaler/shop/api FailedGetResourceMetric 1',
      'Service/kube-system/metrics-server APIServiceUnavailable 1',
    ],
  },
};
