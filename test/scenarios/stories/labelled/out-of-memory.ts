import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A release needs more memory than its limit and is killed again and again', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0', memory: '64Mi' });
  cluster.image('registry.example/api:1.1', {
    exit: { afterSeconds: 6, code: 137, oom: true },
    log: ['INFO  warming up the cache: 1,000,000 entries'],
  });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.at('90s', () => api.setImage('registry.example/api:1.0'));
  cluster.lasts('105s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'OOMKilled',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 1 },
    mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
  });
});
