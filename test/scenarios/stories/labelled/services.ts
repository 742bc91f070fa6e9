import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

const ingressClass = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'nginx' } },
  spec: { controller: 'k8s.io/ingress-nginx' },
};
const route = (service: string, port: object, rest: object = {}): object => ({
  ingressClassName: 'nginx',
  rules: [
    {
      host: 'shop.acme.example',
      http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port } } }] },
    },
  ],
  ...rest,
});
const ingressOf = (spec: object) => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'shop', namespace: 'shop' } },
  spec,
});
const hasAddress = { loadBalancer: { ingress: [{ ip: '198.51.100.7' }] } };

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/#is-the-service-defined-correctly
  'port-name-changed': scenario('A release renames the port that its Service targets by name', (cluster) => {
    surroundings(cluster);
    const image = 'registry.acme.example/orders';
    const ports = (name: string): object => ({ ports: [{ name, containerPort: 8080 }] });
    const orders = cluster.deployment('shop/orders', { replicas: 2, image: `${image}:1`, container: ports('http') });
    cluster.service('shop/orders', { ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }] });
    cluster.at('10s', () => orders.change({ image: `${image}:2`, container: ports('web') }));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Service/shop/orders',
      accepts: ['Deployment/shop/orders'],
      beginsAfterSeconds: 10,
      mustNotBlame: ['Service/web/storefront'],
    });
  }),

  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/#does-the-service-have-any-endpointslices
  'service-selects-the-old-version': scenario(
    'A Service selects a version that the release no longer has',
    (cluster) => {
      surroundings(cluster);
      const image = 'registry.acme.example/search';
      const search = cluster.deployment('shop/search', { replicas: 3, image: `${image}:1`, labels: { version: 'v1' } });
      cluster.service('shop/search', { selector: { app: 'search', version: 'v1' } });
      cluster.at('10s', () => search.change({ image: `${image}:2`, labels: { version: 'v2' } }));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Service/shop/search',
        accepts: ['Deployment/shop/search'],
        beginsAfterSeconds: 12,
        mustNotBlame: ['Service/web/storefront'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/ingress/#tls
  'ingress-certificate-deleted': scenario('The Secret with the certificate of an Ingress is deleted', (cluster) => {
    cluster.pro();
    surroundings(cluster);
    cluster.object(ingressClass);
    cluster.deployment('shop/web', { replicas: 2, image: 'registry.acme.example/web:1' });
    cluster.service('shop/web');
    const secret = cluster.object({
      ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name: 'shop-tls', namespace: 'shop' } },
      stringData: { 'tls.crt': 'x', 'tls.key': 'x' },
    });
    const tls = { tls: [{ hosts: ['shop.acme.example'], secretName: 'shop-tls' }] };
    const ingress = cluster.object(ingressOf(route('web', { number: 80 }, tls)));
    ingress.status(hasAddress);
    cluster.at('10s', () => secret.delete());
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Ingress/shop/shop',
      accepts: ['Secret/shop/shop-tls'],
      beginsAfterSeconds: 10,
      mustNotBlame: ['Service/shop/web', 'Deployment/shop/web'],
    });
  }),

  // https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-rules
  'ingress-asks-for-another-port': scenario('An Ingress asks for a port that its Service does not have', (cluster) => {
    cluster.pro();
    surroundings(cluster);
    cluster.object(ingressClass);
    cluster.deployment('shop/web', { replicas: 2, image: 'registry.acme.example/web:1' });
    cluster.service('shop/web');
    const ingress = cluster.object(ingressOf(route('web', { number: 80 })));
    ingress.status(hasAddress);
    cluster.at('10s', () => ingress.patch({ spec: route('web', { number: 8080 }) }));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Ingress/shop/shop',
      reason: 'IngressPortMissing',
      beginsAfterSeconds: 10,
      mustNotBlame: ['Service/shop/web', 'Deployment/shop/web'],
    });
  }),
};
