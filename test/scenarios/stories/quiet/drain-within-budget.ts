import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'A machine is drained as far as the budgets allow, one Pod after the other',
  (cluster) => {
    cluster.deployment('shop/api', { replicas: 4, image: 'registry.example/api:1.0' });
    cluster.service('shop/api');
    cluster.object({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'api', namespace: 'shop' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'api' } } },
    });
    cluster.at('5s', () => cluster.node('n1').drain());
    cluster.at('45s', () => cluster.node('n1').uncordon());
    cluster.lasts('60s');
  },
);
