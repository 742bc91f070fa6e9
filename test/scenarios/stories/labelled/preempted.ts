import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A batch workload loses its Pods to a more important one, again and again', (cluster) => {
  cluster.nodes(['n1']);
  cluster.object({
    ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'important' }, value: 1000 },
  });
  cluster.deployment('lab/batch', { replicas: 3, image: 'registry.example/batch:1.0', cpu: '1' });
  cluster.at('5s', () =>
    cluster.deployment('shop/api', {
      replicas: 3,
      image: 'registry.example/api:1.0',
      cpu: '1',
      pod: { priorityClassName: 'important' },
    }),
  );
  cluster.lasts('90s');
  cluster.expectIncident({
    root: 'Deployment/lab/batch',
    reason: 'Unschedulable',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    mustNotBlame: ['Node//n1', 'Deployment/shop/api'],
  });
});
