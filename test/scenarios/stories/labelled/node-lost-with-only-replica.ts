import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A machine is lost for good with the only replicas of two workloads', (cluster) => {
  const nodeSelector = { 'kubernetes.io/hostname': 'n2' };
  cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.deployment('shop/cache', { replicas: 1, image: 'registry.example/cache:5', nodeSelector });
  cluster.deployment('shop/mail', { replicas: 1, image: 'registry.example/mail:2', nodeSelector });
  cluster.at('5s', () => cluster.node('n2').losePower());
  cluster.lasts('15m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'Node//n2',
    reason: 'NodeUnreachable',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    mustNotBlame: ['Deployment/shop/cache', 'Deployment/shop/mail'],
  });
});
