import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A machine runs out of disk and evicts Pods; they run elsewhere', (cluster) => {
  const message = 'The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 8Gi. ';
  cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  cluster.deployment('shop/web', { replicas: 3, image: 'registry.example/web:7.0' });
  cluster.at('10s', () => cluster.node('n2').press('DiskPressure'));
  cluster.at('11s', () => cluster.node('n2').warn('EvictionThresholdMet', 'Attempting to reclaim ephemeral-storage'));
  for (const at of ['14s', '24s']) cluster.at(at, () => cluster.node('n2').evict(message));
  cluster.at('2m', () => cluster.node('n2').press());
  cluster.lasts('2m30s');
  cluster.expectIncident({
    root: 'Node//n2',
    reason: 'DiskPressure',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 1 },
    beginsAfterSeconds: 10,
    mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web'],
  });
});
