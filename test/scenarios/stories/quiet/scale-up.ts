import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A workload is scaled up', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  cluster.image('registry.example/api:1.0', { pullSeconds: 10, readyAfterSeconds: 10 });
  cluster.at('5s', () => api.scale(12));
  cluster.lasts('60s');
});
