import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A workload is scaled down', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 9, image: 'registry.example/api:1.0' });
  const db = cluster.statefulSet('shop/db', { replicas: 3, image: 'registry.example/db:15' });
  cluster.at('5s', () => {
    api.scale(2);
    db.scale(1);
  });
  cluster.lasts('30s');
});
