import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A process dies every quarter of an hour, and is up in between', (cluster) => {
  cluster.image('registry.example/api:1.0', {
    exit: { afterSeconds: 900, code: 139 },
    log: ['run {run}', 'fatal: segmentation fault'],
  });
  cluster.deployment('shop/api', { replicas: 1, image: 'registry.example/api:1.0' });
  cluster.lasts('1h5m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'Deployment/shop/api',
    reason: 'ContainerError',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: '≤1' },
    firstMessageWithinSeconds: 2800,
  });
});
