import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The migration before a release fails, so that the release never starts', (cluster) => {
  const first = { replicas: 3, image: 'registry.example/api:1.0', init: 'registry.example/migrate:1.0' };
  const api = cluster.deployment('shop/api', first);
  cluster.image('registry.example/migrate:1.1', {
    exit: { afterSeconds: 2, code: 1 },
    log: ['ERROR migration 42: column "price" exists'],
  });
  cluster.at('5s', () => api.change({ image: 'registry.example/api:1.1', init: 'registry.example/migrate:1.1' }));
  cluster.at('2m', () => api.change(first));
  cluster.lasts('2m15s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'InitContainerError',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
  });
});
