import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Tocsin is restarted in the middle of a release that works', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 5, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.1', { readyAfterSeconds: 12 });
  cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
  cluster.at('15s', () => cluster.restartTocsin());
  cluster.lasts('75s');
});
