import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A Secret is deleted; two workloads that are restarted cannot come back', (cluster) => {
  const secret = cluster.secret('shop/database', { url: 'not-a-real-address' });
  const env = { DATABASE_URL: 'secret/database/url' };
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0', env });
  const worker = cluster.deployment('shop/worker', { replicas: 2, image: 'registry.example/worker:1.0', env });
  cluster.at('5s', () => secret.delete());
  cluster.at('15s', () => {
    api.restart();
    worker.restart();
  });
  cluster.lasts('90s');
  cluster.expectIncident({
    root: 'Secret/shop/database',
    reason: 'SecretMissing',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
    mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/worker'],
  });
});
