import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A rolled-out image that does not exist leaves the old Pods well', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', { pullError: 'NotFound' });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.at('70s', () => api.setImage('registry.example/api:1.0'));
  cluster.lasts('85s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'ImageNotFound',
    severity: 'medium',
    messages: { open: 1, resolve: 1 },
    mustNotBlame: ['Registry//registry.example'],
  });
});
