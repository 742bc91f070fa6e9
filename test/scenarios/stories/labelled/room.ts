import type { Ref } from '../../../../src/model/ref.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** Room, and who is to make more of it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
  'more-replicas-than-machines': scenario(
    'A workload that wants a machine for each replica is scaled beyond the number of machines',
    (cluster) => {
      surroundings(cluster);
      const labelSelector = { matchLabels: { app: 'gateway' } };
      const affinity = {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }],
        },
      };
      const gateway = cluster.deployment('pay/gateway', { replicas: 3, image: image('gateway:3'), pod: { affinity } });
      cluster.service('pay/gateway');
      cluster.at('10s', () => gateway.scale(5));
      cluster.lasts('2m10s');
      cluster.expectIncident({ root: 'Deployment/pay/gateway', mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'] });
    },
  ),
  // https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
  'even-spread-over-a-closed-zone': scenario(
    'A zone is cordoned for an upgrade; a workload that must be spread evenly cannot grow meanwhile',
    (cluster) => {
      const machine = (name: string, zone: string) => ({ name, labels: { 'topology.kubernetes.io/zone': zone } });
      cluster.nodes([machine('a1', 'z-a'), machine('b1', 'z-b'), machine('c1', 'z-c')]);
      surroundings(cluster);
      const topologySpreadConstraints = [
        {
          ...{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
          labelSelector: { matchLabels: { app: 'stream' } },
          nodeTaintsPolicy: 'Ignore',
        },
      ];
      const stream = cluster.deployment('video/stream', {
        replicas: 3,
        image: image('stream:2'),
        pod: { topologySpreadConstraints },
      });
      cluster.service('video/stream');
      cluster.at('8s', () => cluster.node('c1').cordon());
      cluster.at('16s', () => stream.scale(9));
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Deployment/video/stream',
        accepts: ['Node//c1'],
        mustNotBlame: ['Node//a1', 'Zone//z-c'],
      });
    },
  ),
  // https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md
  'nobody-adds-machines': scenario(
    'The autoscaler of the cluster crashes after its release; when the shop grows, no machine is added',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const autoscaler = cluster.deployment('kube-system/cluster-autoscaler', {
        image: image('cluster-autoscaler:1.35'),
        probe: false,
        spec: { strategy: { type: 'Recreate' } },
      });
      const shop = cluster.deployment('shop/basket', { replicas: 3, image: image('basket:1'), cpu: '900m' });
      cluster.service('shop/basket');
      cluster.image(
        image('cluster-autoscaler:1.36'),
        ends(
          [
            'F1102 07:40:18.311 aws_cloud_provider.go:438] Failed to create AWS Manager: cannot autodiscover ASGs: AccessDenied: User is not authorized to perform: autoscaling:DescribeTags',
          ],
          255,
          2,
        ),
      );
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('10s', () => autoscaler.setImage(image('cluster-autoscaler:1.36')));
      cluster.at('30s', () => shop.scale(16));
      cluster.lasts('2m40s');
      cluster.expectIncident({
        root: 'Deployment/kube-system/cluster-autoscaler',
        accepts: ['Deployment/shop/basket'],
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#support-for-custom-metrics
  'metrics-of-the-shop-are-gone': scenario(
    'The adapter that serves custom metrics crashes; the two autoscalers that need them are blind',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      cluster.deployment('monitoring/prometheus-adapter', { replicas: 1, image: image('prometheus-adapter:0.12') });
      cluster.service('monitoring/prometheus-adapter', {
        ports: [{ name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' }],
      });
      const names = ['orders', 'queue-worker'];
      for (const name of names) cluster.deployment(`shop/${name}`, { replicas: 2, image: image(`${name}:1`) });
      cluster.at('8s', () =>
        cluster.befall(
          image('prometheus-adapter:0.12'),
          ends(
            [
              'F1102 10:20:31.518 adapter.go:291] unable to construct discovery client for dynamic client: Get "http://prometheus.monitoring.svc:9090/": context deadline exceeded',
            ],
            255,
            2,
          ),
        ),
      );
      cluster.at('9s', () =>
        cluster.object({
          ...{
            apiVersion: 'apiregistration.k8s.io/v1',
            kind: 'APIService',
            metadata: { name: 'v1beta1.custom.metrics.k8s.io' },
          },
          spec: {
            ...{ group: 'custom.metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
            ...{ insecureSkipTLSVerify: true, service: { namespace: 'monitoring', name: 'prometheus-adapter' } },
          },
        }),
      );
      cluster.at('12s', () => {
        for (const name of names)
          cluster.object({
            ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name, namespace: 'shop' } },
            spec: {
              scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
              ...{ minReplicas: 2, maxReplicas: 8 },
              metrics: [
                {
                  type: 'Pods',
                  pods: {
                    metric: { name: 'requests_per_second' },
                    target: { type: 'AverageValue', averageValue: '50' },
                  },
                },
              ],
            },
          });
      });
      cluster.lasts('2m40s');
      cluster.expectIncident({
        root: 'Deployment/monitoring/prometheus-adapter',
        accepts: ['APIService//v1beta1.custom.metrics.k8s.io'],
        mustNotBlame: names.map((name): Ref => `HorizontalPodAutoscaler/shop/${name}`),
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#preemption
  'night-job-takes-the-room': scenario(
    'A Job with many Pods is started by day and takes all room; the release of a workload waits for it',
    (cluster) => {
      surroundings(cluster);
      const api = cluster.deployment('catalog/api', { replicas: 3, image: image('catalog-api:1'), cpu: '800m' });
      cluster.service('catalog/api');
      cluster.at('8s', () =>
        cluster.job('catalog/reindex', {
          image: image('reindex:1'),
          cpu: '1500m',
          spec: { parallelism: 6, completions: 6 },
        }),
      );
      cluster.at('25s', () => {
        cluster.image(image('catalog-api:2'), {});
        api.setImage(image('catalog-api:2'));
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Deployment/catalog/api',
        accepts: ['Job/catalog/reindex'],
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
