import { scenario } from '../../kit/scenario.ts';

export const story = scenario('One workload may not pull its image; others of the same registry can', (cluster) => {
  cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:7.0' });
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/private/api:1.1', { pullError: 'Unauthorized' });
  cluster.at('5s', () => api.setImage('registry.example/private/api:1.1'));
  cluster.at('80s', () => api.setImage('registry.example/api:1.0'));
  cluster.lasts('95s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'ImagePullDenied',
    severity: 'medium',
    messages: { open: 1, resolve: 1 },
    mustNotBlame: ['Registry//registry.example'],
  });
});
