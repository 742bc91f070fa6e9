import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A node is drained for maintenance and comes back', (cluster) => {
  cluster.deployment('shop/api', { replicas: 6, image: 'registry.example/api:1.0' });
  cluster.statefulSet('shop/db', { replicas: 3, image: 'registry.example/db:15' });
  cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:3' });
  cluster.at('5s', () => cluster.node('n2').drain());
  cluster.at('30s', () => cluster.node('n2').losePower());
  cluster.at('2m30s', () => cluster.node('n2').comeBack());
  cluster.at('2m50s', () => cluster.node('n2').uncordon());
  cluster.lasts('3m');
});
