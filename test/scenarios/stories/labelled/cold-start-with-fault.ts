import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'Tocsin starts where something has long been broken; something else breaks later',
  (cluster) => {
    cluster.image('registry.example/cart:1', {
      exit: { afterSeconds: 2, code: 1 },
      log: ['FATAL no such table: carts'],
    });
    cluster.deployment('shop/cart', { replicas: 1, image: 'registry.example/cart:1', broken: true });
    const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
    cluster.startsAfter('100s');
    cluster.image('registry.example/api:1.1', { pullError: 'NotFound' });
    cluster.at('30s', () => api.setImage('registry.example/api:1.1'));
    cluster.at('70s', () => cluster.image('registry.example/cart:1', {}));
    cluster.lasts('3m');
    cluster.expectSummaries(1);
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'ImageNotFound',
      severity: 'medium',
      messages: { open: 1, update: '≤1', resolve: 0 },
      mustNotBlame: ['Deployment/shop/cart'],
    });
  },
);
