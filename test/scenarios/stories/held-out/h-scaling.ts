import { imageAt, onlyOn } from '../../kit/company.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Autoscalers of one workload. */
const scaler = (place: string, target: string, metric: object) => {
  const [namespace = '', name = ''] = place.split('/');
  return {
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { namespace, name } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      ...{ minReplicas: 2, maxReplicas: 12, metrics: [metric] },
    },
  };
};

const scaling = (status: 'True' | 'False', reason: string, message: string): object => ({
  ...{ currentReplicas: 2, desiredReplicas: 2 },
  conditions: [
    {
      ...{ type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale' },
      message: "the HPA controller was able to get the target's current scale",
    },
    { type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' },
  ],
});

const cpuOfTarget = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
};
const found =
  'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)';

/** What scales by itself. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kedacore/keda/issues/5825, https://github.com/kubernetes/kubernetes/pull/112011: two for one are stopped, both.
  'two-autoscalers-for-one-workload': reported(
    'A second autoscaler is applied to a workload that has one; since then neither of them scales it',
    (cluster) => {
      cluster.pro();
      cluster.deployment('payroll/router', { replicas: 2, image: imageAt('router', 5), cpu: '100m' });
      cluster.service('payroll/router');
      const first = cluster.object(scaler('payroll/keda-hpa-router', 'router', cpuOfTarget));
      first.status(scaling('True', 'ValidMetricFound', found));
      const second = cluster.planned(scaler('payroll/router', 'router', cpuOfTarget));
      const why =
        'pods by selector app=router are controlled by multiple HPAs: [payroll/keda-hpa-router payroll/router]';
      const stopped = scaling('False', 'AmbiguousSelector', why);
      cluster.at(after(0), () => second.create());
      cluster.at(after(16), () => {
        first.status(stopped);
        second.status(stopped);
      });
      for (const seconds of [17, 317, 617, 917])
        cluster.at(after(seconds), () => {
          for (const name of ['keda-hpa-router', 'router'])
            cluster.event({
              about: `HorizontalPodAutoscaler/payroll/${name}`,
              reason: 'AmbiguousSelector',
              message: why,
              by: 'horizontal-pod-autoscaler',
              count: 1 + Math.floor(seconds / 15),
            });
        });
      cluster.expectIncident({
        root: 'HorizontalPodAutoscaler/payroll/router',
        accepts: ['HorizontalPodAutoscaler/payroll/keda-hpa-router'],
        messages: { resolve: 0, update: '≤2' },
        beginsAfterSeconds: 346,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/payroll/router'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/kubernetes/kubernetes/issues/127169: one Pod that does not run, and nothing is counted.
  'one-crashing-pod-stops-the-autoscaler': reported(
    'One Pod of a workload crashes on a machine with a small disk; its autoscaler, which counts one container, counts nothing any more',
    (cluster) => {
      cluster.pro();
      const image = imageAt('guides', '20260904');
      cluster.deployment('city/guides', { replicas: 3, image, cpu: '100m' });
      cluster.service('city/guides');
      const metric = {
        type: 'ContainerResource',
        containerResource: {
          ...{ name: 'cpu', container: 'guides' },
          target: { type: 'Utilization', averageUtilization: 50 },
        },
      };
      const guides = cluster.object(scaler('city/guides', 'guides', metric));
      guides.status(scaling('True', 'ValidMetricFound', found));
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          onlyOn(
            'n2',
            ends(['fatal: cannot load offline maps: unexpected EOF while reading /var/cache/maps/tiles.idx'], 1, 5),
          ),
        ),
      );
      const why =
        'unable to get metric cpu: failed to get container metrics: container guides not present in metrics for pod city/guides-db998df74-s5rfh';
      cluster.at(after(75), () =>
        guides.status(
          scaling('False', 'FailedGetResourceMetric', `the HPA was unable to compute the replica count: ${why}`),
        ),
      );
      for (const seconds of [76, 376, 676])
        cluster.at(after(seconds), () =>
          cluster.event({
            about: 'HorizontalPodAutoscaler/city/guides',
            reason: 'FailedGetResourceMetric',
            message: why,
            by: 'horizontal-pod-autoscaler',
            count: 1 + Math.floor((seconds - 75) / 15),
          }),
        );
      cluster.expectIncident({
        root: 'Deployment/city/guides',
        accepts: ['Node//n2'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['HorizontalPodAutoscaler/city/guides', 'Service/city/guides', 'Node//n1', 'Node//n3'],
      });
    },
  ),
};
