import { custom, define, imageAt, port } from '../../kit/company.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { unready } from '../../kit/surroundings.ts';

/** Those who scale, and what they measure by. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/metrics-server/issues/767, https://github.com/kubernetes-sigs/metrics-server/issues/196
  'measurer-does-not-trust-the-machines': reported(
    'An upgrade of the metrics server drops the flag by which it took the certificates of the machines as they are: it measures nothing, and two autoscalers stand still',
    (cluster) => {
      cluster.pro();
      const image = 'registry.k8s.io/metrics-server/metrics-server:v0.6.4';
      const flags = ['--cert-dir=/tmp', '--secure-port=4443', '--kubelet-preferred-address-types=InternalIP'];
      const server = cluster.deployment('kube-system/metrics-server', {
        ...{
          image,
          container: { args: [...flags, '--kubelet-insecure-tls'] },
          spec: { strategy: { type: 'Recreate' } },
        },
      });
      cluster.service('kube-system/metrics-server', port(4443, 'https'));
      const api = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.metrics.k8s.io' },
        },
        spec: {
          ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'kube-system', name: 'metrics-server', port: 4443 },
        },
      });
      const available = (status: string, reason: string, message: string): object => ({
        conditions: [{ type: 'Available', status, reason, message, lastTransitionTime: 'now' }],
      });
      api.status(available('True', 'Passed', 'all checks passed'));
      const names = ['drupal', 'forms'];
      const scalers = names.map((name) => {
        cluster.deployment(`sites/${name}`, { replicas: 2, image: imageAt(name, 10), cpu: '100m' });
        cluster.service(`sites/${name}`);
        const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } };
        return cluster.object({
          ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { namespace: 'sites', name } },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
            ...{ minReplicas: 2, maxReplicas: 8, metrics: [{ type: 'Resource', resource }] },
          },
        });
      });
      const active = (status: string, reason: string, message: string): object => ({
        ...{ currentReplicas: 2, desiredReplicas: 2 },
        conditions: [{ type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' }],
      });
      for (const scaler of scalers)
        scaler.status(
          active(
            'True',
            'ValidMetricFound',
            'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
          ),
        );
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready(
            [
              'E1123 09:56:57.606 1 scraper.go:140] "Failed to scrape node" err="Get \\"https://10.0.0.25:10250/metrics/resource\\": x509: cannot validate certificate for 10.0.0.25 because it doesn\'t contain any IP SANs" node="n1"',
              'I1123 09:56:58.272958       1 server.go:187] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
            ],
            'HTTP probe failed with statuscode: 500',
          ),
        );
        server.change({ container: { args: flags } });
      });
      cluster.at(after(20), () =>
        api.status(
          available(
            'False',
            'MissingEndpoints',
            'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
          ),
        ),
      );
      const why =
        'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
      cluster.at(after(50), () => {
        for (const scaler of scalers)
          scaler.status(
            active('False', 'FailedGetResourceMetric', `the HPA was unable to compute the replica count: ${why}`),
          );
      });
      for (const [index, seconds] of [51, 171, 411, 711, 1011].entries())
        cluster.at(after(seconds), () => {
          for (const name of names)
            cluster.event({
              ...{ about: `HorizontalPodAutoscaler/sites/${name}` as const, reason: 'FailedGetResourceMetric' },
              ...{ message: why, by: 'horizontal-pod-autoscaler', count: 1 + 8 * index },
            });
        });
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        accepts: ['APIService//v1beta1.metrics.k8s.io'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/sites/drupal', 'Deployment/sites/forms', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/mitchross/talos-argocd-proxmox/pull/1651: the floors and the honest figures together were 107 per cent.
  'recommender-asks-for-more-than-a-machine-has': reported(
    'A vertical autoscaler is let loose: what it recommends for a game is more than any machine has left, and its Pod waits for a place; lowered after a quarter of an hour',
    (cluster) => {
      cluster.pro();
      cluster.nodes(['n1', 'n2', 'n3'].map((name) => ({ name, memory: '8Gi' })));
      define(cluster, 'autoscaling.k8s.io/v1', ['VerticalPodAutoscaler']);
      cluster.deployment('vpa/vpa-updater', { image: 'registry.k8s.io/autoscaling/vpa-updater:1.4.1' });
      for (const name of ['radar', 'maps', 'mods'])
        cluster.deployment(`games/${name}`, { replicas: 2, image: imageAt(name, 3), memory: '2Gi' });
      const zomboid = cluster.deployment('games/zomboid', {
        ...{ image: imageAt('zomboid', 41), memory: '2Gi', spec: { strategy: { type: 'Recreate' } } },
      });
      const vpa = custom(cluster, 'autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', 'games/zomboid', {
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'zomboid' },
        updatePolicy: { updateMode: 'Auto' },
      });
      cluster.at(after(0), () => {
        vpa.status({
          conditions: [{ type: 'RecommendationProvided', status: 'True', lastTransitionTime: 'now' }],
          recommendation: { containerRecommendations: [{ containerName: 'zomboid', target: { memory: '13602Mi' } }] },
        });
        zomboid.change({ memory: '13602Mi' });
      });
      cluster.at(after(900), () => zomboid.change({ memory: '3Gi' }));
      cluster.expectIncident({
        root: 'Deployment/games/zomboid',
        accepts: ['VerticalPodAutoscaler.autoscaling.k8s.io/games/zomboid'],
        messages: { resolve: 1 },
        mustNotBlame: ['Deployment/games/radar', 'Deployment/vpa/vpa-updater', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 26 },
  ),
};
