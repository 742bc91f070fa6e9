import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A large image takes two minutes to pull and then works', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', { pullSeconds: 60 });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.lasts('2m25s');
});
