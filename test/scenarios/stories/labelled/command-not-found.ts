import { scenario } from '../../kit/scenario.ts';

export const story = scenario('An image whose start script calls a command that is not in it', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', {
    exit: { afterSeconds: 0.2, code: 127 },
    log: ['/entrypoint.sh: line 3: dotenv: not found'],
  });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.lasts('90s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'StartError',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
  });
});
