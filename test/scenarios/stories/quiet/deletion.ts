import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A workload is deleted with all it owns', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 5, image: 'registry.example/api:1.0' });
  cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:7.0' });
  cluster.at('5s', () => api.delete());
  cluster.lasts('30s');
});
