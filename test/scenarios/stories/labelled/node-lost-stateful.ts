import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A machine is lost with a Pod of a StatefulSet, which may not be replaced', (cluster) => {
  cluster.statefulSet('shop/db', { replicas: 3, image: 'registry.example/db:15' });
  cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:3' });
  cluster.deployment('shop/web', { replicas: 6, image: 'registry.example/web:7.0' });
  cluster.at('5s', () => cluster.node('n2').losePower());
  cluster.at('20m', () => cluster.node('n2').comeBack());
  cluster.lasts('22m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'Node//n2',
    reason: 'NodeUnreachable',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
    mustNotBlame: ['StatefulSet/shop/db', 'DaemonSet/monitoring/agent'],
  });
});
