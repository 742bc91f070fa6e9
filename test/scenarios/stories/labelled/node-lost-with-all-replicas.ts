import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A machine is lost with every replica of the two workloads that it carries',
  (cluster) => {
    const nodeSelector = { 'kubernetes.io/hostname': 'n2' };
    cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:7.0', nodeSelector });
    cluster.deployment('shop/cache', { replicas: 1, image: 'registry.example/cache:5', nodeSelector });
    cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:3' });
    cluster.at('5s', () => cluster.node('n2').losePower());
    cluster.at('2m', () => cluster.node('n2').comeBack());
    cluster.lasts('2m20s');
    cluster.expectIncident({
      root: 'Node//n2',
      reason: 'NodeUnreachable',
      severity: 'critical',
      messages: { open: 1, update: '≤1', resolve: 1 },
      mustNotBlame: ['Deployment/shop/web', 'Deployment/shop/cache'],
    });
  },
);
