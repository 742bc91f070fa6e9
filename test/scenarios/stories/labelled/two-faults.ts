import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Two releases of two teams go wrong at the same time, each in its own way', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  const search = cluster.statefulSet('search/index', { replicas: 2, image: 'registry.example/index:1' });
  cluster.image('registry.example/api:1.1', { pullError: 'NotFound' });
  cluster.image('registry.example/index:2', {
    exit: { afterSeconds: 3, code: 2 },
    log: ['ERROR index format 9 is not supported'],
  });
  cluster.at('5s', () => {
    api.setImage('registry.example/api:1.1');
    search.setImage('registry.example/index:2');
  });
  cluster.lasts('2m');
  const messages = { open: 1, update: '≤1', resolve: 0 } as const;
  cluster.expectIncident({ root: 'Deployment/shop/api', reason: 'ImageNotFound', severity: 'medium', messages });
  cluster.expectIncident({
    root: 'StatefulSet/search/index',
    reason: 'CrashLoopBackOff',
    severity: 'high',
    messages,
  });
});
