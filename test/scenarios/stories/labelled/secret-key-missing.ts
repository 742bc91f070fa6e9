import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A release reads a key that its Secret does not have', (cluster) => {
  cluster.secret('shop/api-keys', { maps: 'not-a-real-key' });
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.at('5s', () => api.change({ env: { PAYMENT_KEY: 'secret/api-keys/payment' } }));
  cluster.lasts('90s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'CreateContainerConfigError',
    severity: 'medium',
    messages: { open: 1, resolve: 0 },
  });
});
