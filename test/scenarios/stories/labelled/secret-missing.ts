import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A new workload needs a Secret that nobody made', (cluster) => {
  cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:7.0' });
  cluster.at('5s', () => {
    const env = { TOKEN: 'secret/payments-token/token' };
    cluster.deployment('shop/payments', { replicas: 2, image: 'registry.example/payments:1.0', env });
  });
  cluster.at('80s', () => cluster.secret('shop/payments-token', { token: 'not-a-real-token' }));
  cluster.lasts('100s');
  cluster.expectIncident({
    root: 'Secret/shop/payments-token',
    reason: 'SecretMissing',
    severity: 'high',
    messages: { open: 1, resolve: 1 },
  });
});
