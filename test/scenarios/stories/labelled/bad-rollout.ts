import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A release that crashes at its start; the Pods of the old revision stay well',
  (cluster) => {
    const payments = cluster.deployment('shop/payments', { replicas: 3, image: 'registry.example/payments:1.4.2' });
    cluster.image('registry.example/payments:1.5.0', {
      exit: { afterSeconds: 3, code: 1 },
      readyAfterSeconds: 'never',
      log: ['INFO  payments 1.5.0 starting', 'FATAL unknown column "vat_rate" in table "orders"'],
    });
    cluster.at('5s', () => payments.setImage('registry.example/payments:1.5.0'));
    cluster.at('2m', () => payments.setImage('registry.example/payments:1.4.2'));
    cluster.lasts('2m20s');
    cluster.expectIncident({
      root: 'Deployment/shop/payments',
      reason: 'CrashLoopBackOff',
      severity: 'medium',
      messages: { open: 1, update: '≤1', resolve: 1 },
      mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
    });
  },
);
