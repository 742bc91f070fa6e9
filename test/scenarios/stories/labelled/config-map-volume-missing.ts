import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A rollout mounts a ConfigMap that does not exist', (cluster) => {
  const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0' });
  const mounting = {
    image: 'registry.example/api:1.0',
    container: { volumeMounts: [{ name: 'config', mountPath: '/etc/api' }] },
    pod: { volumes: [{ name: 'config', configMap: { name: 'api-config' } }] },
  };
  cluster.at('5s', () => api.change(mounting));
  cluster.at('90s', () => cluster.configMap('shop/api-config', { 'api.yaml': 'workers: 4' }));
  cluster.lasts('4m');
  cluster.expectIncident({
    root: 'ConfigMap/shop/api-config',
    reason: 'ConfigMapMissing',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
    beginsAfterSeconds: 5,
    mustNotBlame: ['Deployment/shop/api'],
  });
});
