import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A Service has no endpoints because its workload crashes', (cluster) => {
  const api = cluster.deployment('shop/api', {
    replicas: 2,
    image: 'registry.example/api:1.0',
    spec: { strategy: { type: 'Recreate' } },
  });
  cluster.service('shop/api');
  cluster.image('registry.example/api:1.1', {
    exit: { afterSeconds: 2, code: 1 },
    log: ['panic: DATABASE_URL is not set'],
  });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.at('2m', () => api.setImage('registry.example/api:1.0'));
  cluster.lasts('2m20s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'CrashLoopBackOff',
    severity: 'critical',
    messages: { open: 1, update: '≤1', resolve: 1 },
    mustNotBlame: ['Service/shop/api'],
  });
});
