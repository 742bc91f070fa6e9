import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A workload crashes, runs for a quarter of an hour, so that its end is told, and crashes again',
  (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 1, image: 'registry.example/api:1.0' });
    cluster.image('registry.example/api:1.1', (pod) => {
      const restarts = pod.status.containerStatuses?.[0]?.restartCount ?? 0;
      return { exit: { afterSeconds: restarts === 4 ? 900 : 3, code: 1 }, log: ['ERROR lost the leader election'] };
    });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.lasts('30m');
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'CrashLoopBackOff',
      severity: 'high',
      messages: { open: 1, reopen: 1, resolve: 1 },
    });
  },
);
