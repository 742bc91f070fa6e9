import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A scale-up wants more CPU than the cluster has left', (cluster) => {
  const render = cluster.deployment('shop/render', { replicas: 3, image: 'registry.example/render:1', cpu: '2' });
  cluster.at('5s', () => render.scale(9));
  cluster.at('130s', () => render.scale(6));
  cluster.lasts('140s');
  cluster.expectIncident({
    root: 'Deployment/shop/render',
    reason: 'Unschedulable',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 1 },
    mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
  });
});
