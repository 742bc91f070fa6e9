import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A crash loop that nobody mends for 45 minutes is told once', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', {
    exit: { afterSeconds: 20, code: 1 },
    readyAfterSeconds: 'never',
    log: ['FATAL out of licences'],
  });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.lasts('45m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'CrashLoopBackOff',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
  });
});
