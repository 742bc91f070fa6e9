import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A DaemonSet crashes on one node only; nothing else there fails', (cluster) => {
  cluster.deployment('shop/web', { replicas: 6, image: 'registry.example/web:7.0' });
  const agent = cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:3' });
  cluster.image('registry.example/agent:4', (pod) =>
    pod.spec.nodeName === 'n2' ? { exit: { afterSeconds: 2, code: 1 }, log: ['FATAL /dev/ipmi0: no such device'] } : {},
  );
  cluster.at('5s', () => agent.setImage('registry.example/agent:4'));
  cluster.lasts('2m20s');
  cluster.expectIncident({
    root: 'DaemonSet/monitoring/agent',
    reason: 'CrashLoopBackOff',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    mustNotBlame: ['Node//n2'],
  });
});
