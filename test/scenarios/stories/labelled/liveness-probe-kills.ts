import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A release does not answer its liveness probe and is killed again and again',
  (cluster) => {
    const probe = { livenessProbe: { httpGet: { path: '/healthz', port: 8080 } } };
    const api = cluster.deployment('shop/api', { replicas: 2, image: 'registry.example/api:1.0', container: probe });
    cluster.image('registry.example/api:1.1', {
      livenessFails: { afterSeconds: 5, says: 'HTTP probe failed with statuscode: 500' },
    });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.at('3m', () => api.setImage('registry.example/api:1.0'));
    cluster.lasts('3m20s');
    cluster.expectIncident({
      root: 'Deployment/shop/api',
      reason: 'LivenessProbeFailed',
      severity: 'high',
      messages: { open: 1, update: '≤1', resolve: 1 },
    });
  },
);
