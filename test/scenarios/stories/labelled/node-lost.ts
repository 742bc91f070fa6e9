import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A machine loses its power; every workload keeps Pods elsewhere', (cluster) => {
  cluster.deployment('shop/api', { replicas: 6, image: 'registry.example/api:1.0' });
  cluster.deployment('shop/web', { replicas: 3, image: 'registry.example/web:7.0' });
  cluster.at('5s', () => cluster.node('n2').losePower());
  cluster.at('2m30s', () => cluster.node('n2').comeBack());
  cluster.lasts('2m55s');
  cluster.expectIncident({
    root: 'Node//n2',
    reason: 'NodeUnreachable',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
    firstMessageWithinSeconds: 120,
    mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
  });
});
