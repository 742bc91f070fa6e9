import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A new workload asks for nodes that do not exist', (cluster) => {
  cluster.at('5s', () => {
    const nodeSelector = { disk: 'ssd' };
    cluster.deployment('shop/index', { replicas: 2, image: 'registry.example/index:1', nodeSelector });
  });
  cluster.lasts('60s');
  cluster.expectIncident({
    root: 'Deployment/shop/index',
    reason: 'Unschedulable',
    severity: 'high',
    messages: { open: 1, resolve: 0 },
    mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
  });
});
