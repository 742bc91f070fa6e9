import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Two workloads want more than the quota of their namespace', (cluster) => {
  const quota = cluster.quota('shop/team-budget', { pods: '4' });
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  const web = cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:7.0' });
  cluster.at('5s', () => api.scale(4));
  cluster.at('10s', () => web.scale(5));
  cluster.at('80s', () => quota.edit({ pods: '20' }));
  cluster.lasts('3m20s');
  cluster.expectIncident({
    root: 'ResourceQuota/shop/team-budget',
    reason: 'QuotaExceeded',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 1 },
    mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
  });
});
