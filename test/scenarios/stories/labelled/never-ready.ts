import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A release whose Pods run and never get ready', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', { readyAfterSeconds: 'never', log: ['INFO  waiting for the leader'] });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.at('13m', () => api.setImage('registry.example/api:1.0'));
  cluster.lasts('14m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'ProgressDeadlineExceeded',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
  });
});
