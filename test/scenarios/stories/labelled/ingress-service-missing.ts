import { scenario } from '../../kit/scenario.ts';

export const story = scenario('An Ingress leads to a Service that does not exist', (cluster) => {
  cluster.pro();
  cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:1.0' });
  cluster.service('shop/web');
  const backend = (name: string): object => ({
    rules: [
      {
        host: 'shop.example',
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }] },
      },
    ],
  });
  const ingress = cluster.object({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'shop', namespace: 'shop' },
    spec: backend('web'),
  });
  cluster.at('5s', () => ingress.patch({ spec: backend('webshop') }));
  cluster.at('60s', () => ingress.patch({ spec: backend('web') }));
  cluster.lasts('70s');
  cluster.expectIncident({
    root: 'Ingress/shop/shop',
    reason: 'IngressBackendNotFound',
    severity: 'high',
    messages: { open: 1, resolve: 1 },
    beginsAfterSeconds: 5,
    firstMessageWithinSeconds: 45,
    mustNotBlame: ['Service/shop/web', 'Deployment/shop/web'],
  });
});
