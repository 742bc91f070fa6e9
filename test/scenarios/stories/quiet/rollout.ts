import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A release that works', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 6, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', { readyAfterSeconds: 8 });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.lasts('75s');
});
