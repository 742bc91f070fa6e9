import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'Tocsin is restarted while an incident is open: it is listed, not announced again',
  (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
    cluster.image('registry.example/api:1.1', { pullError: 'NotFound' });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.at('45s', () => cluster.restartTocsin());
    cluster.lasts('2m');
    cluster.expectSummaries(1);
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'ImageNotFound',
      severity: 'medium',
      messages: { open: 1, update: 0, resolve: 0 },
    });
  },
);
