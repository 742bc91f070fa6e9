import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';

const autoscaler = (name: string, target: string) => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, namespace: 'shop' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
    ...{ minReplicas: 2, maxReplicas: 6 },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
  },
});

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/metrics-server/blob/master/KNOWN_ISSUES.md: it does not start, and no autoscaler has figures.
  'metrics-server-crashes': scenario('The metrics server crashes, and three autoscalers are blind', (cluster) => {
    cluster.pro();
    surroundings(cluster);
    const image = 'registry.k8s.example/metrics-server:0.8';
    cluster.image(
      image,
      ends([
        'panic: failed to create listener: failed to listen on 0.0.0.0:443: listen tcp 0.0.0.0:443: bind: permission denied',
      ]),
    );
    const names = ['orders', 'search', 'accounts'];
    for (const name of names)
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7`, cpu: '100m' });
    cluster.at('5s', () => {
      cluster.deployment('kube-system/metrics-server', { image, broken: true });
      cluster.service('kube-system/metrics-server', {
        ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }],
      });
      cluster.object({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v1beta1.metrics.k8s.io' },
        spec: {
          service: { name: 'metrics-server', namespace: 'kube-system', port: 443 },
          ...{ group: 'metrics.k8s.io', version: 'v1beta1', insecureSkipTLSVerify: true },
          ...{ groupPriorityMinimum: 100, versionPriority: 100 },
        },
      });
    });
    cluster.at('15s', () => {
      for (const name of names) cluster.object(autoscaler(name, name));
    });
    cluster.expectIncident({
      root: 'Deployment/kube-system/metrics-server',
      accepts: ['APIService//v1beta1.metrics.k8s.io'],
      mustNotBlame: [
        'Deployment/shop/orders',
        'HorizontalPodAutoscaler/shop/orders',
        'HorizontalPodAutoscaler/shop/search',
      ],
    });
  }),

  // https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/: the workload was renamed, its autoscaler was not.
  'autoscaler-of-a-renamed-workload': scenario(
    'A workload is renamed, and its autoscaler scales nothing',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const old = cluster.deployment('shop/api', { replicas: 2, image: 'registry.acme.example/api:1', cpu: '100m' });
      cluster.at('5s', () =>
        cluster.deployment('shop/public-api', { replicas: 2, image: 'registry.acme.example/api:2', cpu: '100m' }),
      );
      cluster.at('12s', () => cluster.object(autoscaler('api', 'api')));
      cluster.at('14s', () => old.delete());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'HorizontalPodAutoscaler/shop/api',
        beginsAfterSeconds: 14,
        mustNotBlame: ['Deployment/shop/public-api'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/: the machines are full.
  'no-room-for-a-campaign': scenario('A campaign scales a workload beyond what the machines have', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const landing = cluster.deployment('web/landing', {
      replicas: 3,
      image: 'registry.acme.example/landing:1',
      cpu: '900m',
    });
    cluster.deployment('shop/orders', { replicas: 3, image: 'registry.acme.example/orders:1', cpu: '500m' });
    cluster.at('5s', () => cluster.node('n3').cordon());
    cluster.at('12s', () => landing.scale(14));
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Deployment/web/landing',
      accepts: ['Node//n3'],
      reason: 'Unschedulable',
      mustNotBlame: ['Deployment/shop/orders'],
    });
  }),
};
