import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The selector of a Service has a typing error', (cluster) => {
  cluster.deployment('shop/checkout', { replicas: 2, image: 'registry.example/checkout:1.0' });
  const service = cluster.service('shop/checkout');
  cluster.at('5s', () => service.patch({ spec: { selector: { app: 'chekcout' } } }));
  cluster.at('60s', () => service.patch({ spec: { selector: { app: 'checkout' } } }));
  cluster.lasts('70s');
  cluster.expectIncident({
    root: 'Service/shop/checkout',
    reason: 'ServiceSelectsNothing',
    severity: 'high',
    messages: { open: 1, resolve: 1 },
    beginsAfterSeconds: 5,
    firstMessageWithinSeconds: 45,
    mustNotBlame: ['Deployment/shop/checkout'],
  });
});
