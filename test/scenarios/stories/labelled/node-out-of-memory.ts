import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The kernel of a machine kills a process that belongs to no container', (cluster) => {
  cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.at('5s', () =>
    cluster.node('n3').warn('SystemOOM', 'System OOM encountered, victim process: backup-agent, pid: 4711'),
  );
  cluster.lasts('40s');
  cluster.expectIncident({
    root: 'Node//n3',
    reason: 'SystemOOM',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: '≤1' },
    beginsAfterSeconds: 5,
    firstMessageWithinSeconds: 60,
    mustNotBlame: ['Deployment/shop/api'],
  });
});
