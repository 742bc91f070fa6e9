import { condition, imageAt } from '../../kit/company.ts';
import { split } from '../../kit/manifests.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { unready } from '../../kit/surroundings.ts';

/** An autoscaler by CPU for the Deployment of its place. */
const scalerOf = (place: string) => {
  const { namespace, name } = split(place);
  return {
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { namespace, name } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      ...{ minReplicas: 2, maxReplicas: 10 },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    },
  };
};

/** What an autoscaler says of itself. */
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
const fine = scaling(
  'True',
  'ValidMetricFound',
  'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
);

/** Those who scale by what they measure, and can measure nothing. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/metrics-server/issues/196: a flag was lost in an upgrade, and no kubelet is trusted.
  'metrics-server-trusts-no-kubelet': reported(
    'An upgrade of the metrics server loses the flag by which it trusts the kubelets; the autoscalers of two teams see nothing',
    (cluster) => {
      cluster.pro();
      const repository = 'registry.k8s.io/metrics-server/metrics-server';
      const server = cluster.deployment('kube-system/metrics-server', {
        image: `${repository}:v0.6.4`,
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      });
      cluster.service('kube-system/metrics-server', {
        ports: [{ name: 'https', port: 443, targetPort: 10250, protocol: 'TCP' }],
      });
      const served = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.metrics.k8s.io' },
        },
        spec: {
          ...{ group: 'metrics.k8s.io', version: 'v1beta1', insecureSkipTLSVerify: true },
          ...{ groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'kube-system', name: 'metrics-server' },
        },
      });
      served.status(condition('Available', 'True', 'Passed', 'all checks passed'));
      const places = ['shop/web', 'search/api'];
      const scalers = places.map((place) => {
        cluster.deployment(place, { replicas: 2, image: imageAt(split(place).name, 3), cpu: '200m' });
        cluster.service(place);
        const scaler = cluster.object(scalerOf(place));
        scaler.status(fine);
        return scaler;
      });
      cluster.image(
        `${repository}:v0.7.2`,
        unready(
          [
            'E1122 09:56:57.606578       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://192.168.203.181:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 192.168.203.181 because it doesn\'t contain any IP SANs" node="n1"',
            'I1122 09:56:58.272958       1 server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
          ],
          'HTTP probe failed with statuscode: 500',
        ),
      );
      cluster.at(after(0), () => server.setImage(`${repository}:v0.7.2`));
      cluster.at(after(20), () =>
        served.status(
          condition(
            'Available',
            'False',
            'MissingEndpoints',
            'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
          ),
        ),
      );
      cluster.at(after(45), () => {
        for (const scaler of scalers)
          scaler.status(
            scaling(
              'False',
              'FailedGetResourceMetric',
              'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)',
            ),
          );
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        accepts: ['APIService//v1beta1.metrics.k8s.io'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        // Its API says so after 20 s, and what may be a moment between two Pods is waited for.
        firstMessageWithinSeconds: 100,
        mustNotBlame: ['Deployment/shop/web', 'Deployment/search/api', 'Node//n1'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/79365: one container says no request, and the percentage has no base.
  'release-drops-the-request-that-scaling-needs': reported(
    'A release drops the CPU request of a workload, and its autoscaler can compute no percentage any more',
    (cluster) => {
      cluster.pro();
      const first = { replicas: 2, image: imageAt('tiles', '5.1'), cpu: '250m' };
      const tiles = cluster.deployment('maps/tiles', first);
      cluster.service('maps/tiles');
      const scaler = cluster.object(scalerOf('maps/tiles'));
      scaler.status(fine);
      cluster.at(after(0), () =>
        tiles.patch({
          spec: {
            template: {
              spec: {
                containers: [{ name: 'tiles', image: imageAt('tiles', '5.2'), resources: { requests: { cpu: null } } }],
              },
            },
          },
        }),
      );
      cluster.at(after(30), () =>
        scaler.status(
          scaling(
            'False',
            'FailedGetResourceMetric',
            'the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container tiles of Pod tiles-6d94f8b9c7-x2l4q',
          ),
        ),
      );
      for (const seconds of [31, 331, 631])
        cluster.at(after(seconds), () =>
          cluster.event({
            about: 'HorizontalPodAutoscaler/maps/tiles',
            reason: 'FailedGetResourceMetric',
            message:
              'failed to get cpu utilization: missing request for cpu in container tiles of Pod tiles-6d94f8b9c7-x2l4q',
            by: 'horizontal-pod-autoscaler',
            count: 1 + Math.floor(seconds / 15),
          }),
        );
      cluster.expectIncident({
        root: 'Deployment/maps/tiles',
        accepts: ['HorizontalPodAutoscaler/maps/tiles'],
        messages: { resolve: 0 },
        beginsAfterSeconds: 360,
        firstMessageWithinSeconds: 1200,
      });
    },
    { minutes: 28 },
  ),
};
