import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A rollout probes a port that nobody listens at', (cluster) => {
  const container = {
    ports: [{ name: 'http', containerPort: 8080 }],
    livenessProbe: { httpGet: { path: '/healthz', port: 8080 } },
  };
  const api = cluster.deployment('shop/api', {
    replicas: 3,
    image: 'registry.example/api:1.0',
    container,
  });
  cluster.image('registry.example/api:1.1', {
    readyAfterSeconds: 'never',
    readinessSays: 'Get "http://10.244.1.7:8081/ready": dial tcp 10.244.1.7:8081: connect: connection refused',
  });
  cluster.at('5s', () =>
    api.change({
      image: 'registry.example/api:1.1',
      container: {
        ...container,
        readinessProbe: { httpGet: { path: '/ready', port: 8081 } },
      },
    }),
  );
  cluster.lasts('80s');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'ProbeMisconfigured',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
    beginsAfterSeconds: 5,
    firstMessageWithinSeconds: 60,
  });
});
