import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A ConfigMap is edited, the workload restarted to read it, and it crashes', (cluster) => {
  const settings = cluster.configMap('shop/settings', { POOL_SIZE: '10' });
  const api = cluster.deployment('shop/api', {
    replicas: 3,
    image: 'registry.example/api:1.0',
    envFrom: ['settings'],
  });
  cluster.at('5s', () => settings.edit({ POOL_SIZE: 'ten' }));
  cluster.at('20s', () => {
    cluster.image('registry.example/api:1.0', {
      exit: { afterSeconds: 2, code: 1 },
      readyAfterSeconds: 'never',
      log: ['FATAL POOL_SIZE: "ten" is not a number'],
    });
    api.restart();
  });
  cluster.lasts('2m10s');
  cluster.expectIncident({
    root: 'ConfigMap/shop/settings',
    reason: 'CrashLoopBackOff',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
  });
});
