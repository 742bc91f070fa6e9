import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A workload is put to sleep and woken again', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.at('5s', () => api.scale(0));
  cluster.at('40s', () => api.scale(3));
  cluster.lasts('60s');
});
