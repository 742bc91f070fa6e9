import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A drain does not end, because a budget lets no Pod go', (cluster) => {
  cluster.pro();
  cluster.deployment('shop/api', { replicas: 3, image: 'registry.example/api:1.0' });
  const budget = cluster.object({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'api', namespace: 'shop' },
    spec: { minAvailable: '100%', selector: { matchLabels: { app: 'api' } } },
  });
  cluster.at('5s', () => cluster.node('n1').drain());
  cluster.at('2m', () => budget.patch({ spec: { minAvailable: 2 } }));
  cluster.at('2m40s', () => cluster.node('n1').uncordon());
  // That it can never let a Pod go is known before anybody drains.
  cluster.expectSummaries(1);
  cluster.lasts('2m50s');
  cluster.expectIncident({
    root: 'PodDisruptionBudget/shop/api',
    reason: 'PDBBlocksDrain',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 1 },
    beginsAfterSeconds: 5,
    mustNotBlame: ['Deployment/shop/api', 'Node//n1'],
  });
});
