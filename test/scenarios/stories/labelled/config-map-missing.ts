import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A release reads a ConfigMap that does not exist', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.at('5s', () => api.change({ image: 'registry.example/api:1.1', envFrom: ['feature-flags'] }));
  cluster.at('80s', () => cluster.configMap('shop/feature-flags', { DARK_MODE: 'on' }));
  cluster.lasts('100s');
  cluster.expectIncident({
    root: 'ConfigMap/shop/feature-flags',
    reason: 'ConfigMapMissing',
    severity: 'medium',
    messages: { open: 1, resolve: 1 },
  });
});
