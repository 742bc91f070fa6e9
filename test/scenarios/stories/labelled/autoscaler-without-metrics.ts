import { scenario } from '../../kit/scenario.ts';

export const story = scenario('An autoscaler reads a metric that nobody serves', (cluster) => {
  cluster.pro();
  cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0', cpu: '100m' });
  cluster.at('5s', () =>
    cluster.object({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'api', namespace: 'shop' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' },
        minReplicas: 2,
        maxReplicas: 6,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    }),
  );
  cluster.lasts('70s');
  cluster.expectIncident({
    root: 'HorizontalPodAutoscaler/shop/api',
    reason: 'FailedGetResourceMetric',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
    beginsAfterSeconds: 5,
    mustNotBlame: ['Deployment/shop/api'],
  });
});
