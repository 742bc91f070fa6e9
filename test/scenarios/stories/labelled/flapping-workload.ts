import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A workload crashes a few times, runs for nine minutes and crashes again, for over an hour',
  (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 1, image: 'registry.example/api:1.0' });
    cluster.image('registry.example/api:1.1', (pod) => {
      const restarts = pod.status.containerStatuses?.[0]?.restartCount ?? 0;
      return { exit: { afterSeconds: restarts % 5 === 4 ? 540 : 3, code: 1 }, log: ['ERROR lost the leader election'] };
    });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.lasts('75m');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      severity: 'high',
      messages: { open: 1, update: '≤1', resolve: '≤1' },
    });
  },
);
