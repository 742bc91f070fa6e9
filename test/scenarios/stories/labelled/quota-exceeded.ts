import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A quota forbids the Pods of a scale-up', (cluster) => {
  const quota = cluster.quota('shop/team-budget', { pods: '3' });
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.at('5s', () => api.scale(6));
  cluster.at('80s', () => quota.edit({ pods: '10' }));
  cluster.lasts('3m20s');
  cluster.expectIncident({
    root: 'ResourceQuota/shop/team-budget',
    reason: 'QuotaExceeded',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 1 },
  });
});
