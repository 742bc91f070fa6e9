import { definition } from '../../../e2e/produced/definition.ts';
import { dependants } from '../../kit/dependants.ts';
import type { Manifest } from '../../kit/manifests.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

const gatewayGroup = 'gateway.networking.k8s.io';
const written = (type: string, status: string, reason: string, message: string): object => ({
  ...{ type, status, reason, message, observedGeneration: 1, lastTransitionTime: '2026-11-22T09:00:00Z' },
});
const controllerName = 'gateway.envoyproxy.io/gatewayclass-controller';
const parentRef = { group: gatewayGroup, kind: 'Gateway', name: 'edge' };
const route = (name: string): Manifest => ({
  ...{ apiVersion: `${gatewayGroup}/v1`, kind: 'HTTPRoute', metadata: { name, namespace: 'shop' } },
  spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name, port: 80 }] }] },
});
const routed = (...conditions: readonly object[]): object => ({ parents: [{ parentRef, controllerName, conditions }] });
const accepted = written('Accepted', 'True', 'Accepted', 'Route is accepted');
const resolved = written('ResolvedRefs', 'True', 'ResolvedRefs', 'Resolved all the Object references for the Route');

/** How requests get to workloads: controllers, classes, gateways, meshes. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.github.io/ingress-nginx/troubleshooting/: a snippet in its settings breaks the whole configuration.
  'ingress-controller-crashes': scenario(
    'The ingress controller does not start after a release; the sites behind it are healthy',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      cluster.object(ingressClass);
      const image = 'registry.k8s.example/ingress-nginx/controller';
      const controller = cluster.deployment('ingress-nginx/controller', {
        ...{ replicas: 2, image: `${image}:v1.12`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('ingress-nginx/controller', { selector: { app: 'controller' } });
      for (const place of ['web/storefront', 'office/wiki'])
        cluster.object(ingress(place)).status({ loadBalancer: { ingress: [{ ip: '203.0.113.20' }] } });
      cluster.image(
        `${image}:v1.13`,
        ends(['F1122 main.go:49] port 80 is already in use. Please check the flag --http-port'], 255, 1),
      );
      cluster.at('8s', () => controller.setImage(`${image}:v1.13`));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/ingress-nginx/controller',
        messages: { resolve: 0 },
        mustNotBlame: [
          'Ingress/web/storefront',
          'Ingress/office/wiki',
          'Service/ingress-nginx/controller',
          'Deployment/web/storefront',
        ],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-class
  'ingress-of-no-class': scenario('An Ingress is moved to a class that this cluster does not have', (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    surroundings(cluster);
    cluster.object(ingressClass);
    const entry = cluster.object(ingress('web/storefront'));
    entry.status({ loadBalancer: { ingress: [{ ip: '203.0.113.20' }] } });
    cluster.at('8s', () => entry.patch({ spec: { ingressClassName: 'nginx-internal' } }));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Ingress/web/storefront',
      accepts: ['IngressClass//nginx-internal'],
      beginsAfterSeconds: 8,
      firstMessageWithinSeconds: 240,
      messages: { resolve: 0 },
      mustNotBlame: ['Service/web/storefront', 'Deployment/web/storefront', 'IngressClass//nginx'],
    });
  }),

  // https://gateway-api.sigs.k8s.io/reference/spec/#routeconditionreason: BackendNotFound.
  'route-to-a-deleted-service': scenario('Two routes lead to a Service that somebody deletes', (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    surroundings(cluster);
    for (const kind of ['Gateway', 'HTTPRoute']) cluster.object(definition(gatewayGroup, kind));
    cluster.deployment('shop/basket', { replicas: 2, image: 'registry.acme.example/basket:1' });
    const service = cluster.service('shop/basket');
    cluster.object({
      ...{ apiVersion: `${gatewayGroup}/v1`, kind: 'Gateway', metadata: { name: 'edge', namespace: 'shop' } },
      spec: { gatewayClassName: 'envoy', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    });
    const routes = ['basket', 'basket-legacy'].map((name) => {
      const one = {
        ...route(name),
        spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name: 'basket', port: 80 }] }] },
      };
      const handle = cluster.object(one);
      handle.status(routed(accepted, resolved));
      return handle;
    });
    cluster.at('8s', () => service.delete());
    cluster.at('9s', () => {
      const lost = written(
        'ResolvedRefs',
        'False',
        'BackendNotFound',
        'Failed to process route rule 0 backendRef 0: service shop/basket not found.',
      );
      for (const handle of routes) handle.status(routed(accepted, lost));
    });
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Service/shop/basket',
      accepts: ['HTTPRoute/shop/basket', 'HTTPRoute/shop/basket-legacy'],
      beginsAfterSeconds: 9,
      firstMessageWithinSeconds: 240,
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/shop/basket', 'Gateway/shop/edge'],
    });
  }),

  // https://gateway-api.sigs.k8s.io/reference/spec/#listenerconditionreason: InvalidCertificateRef.
  'gateway-without-its-certificate': scenario('The certificate of a gateway is deleted', (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    surroundings(cluster);
    for (const kind of ['Gateway', 'HTTPRoute']) cluster.object(definition(gatewayGroup, kind));
    const secret = cluster.object({
      ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name: 'edge-tls', namespace: 'shop' } },
      stringData: { 'tls.crt': 'x', 'tls.key': 'x' },
    });
    const listenerOf = (...conditions: readonly object[]): object => ({
      ...{ name: 'https', attachedRoutes: 1, supportedKinds: [{ group: gatewayGroup, kind: 'HTTPRoute' }], conditions },
    });
    const gateway = cluster.object({
      ...{ apiVersion: `${gatewayGroup}/v1`, kind: 'Gateway', metadata: { name: 'edge', namespace: 'shop' } },
      spec: {
        gatewayClassName: 'envoy',
        listeners: [{ name: 'https', port: 443, protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'edge-tls' }] } }],
      },
    });
    const both = [written('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled')];
    gateway.status({
      conditions: [...both, written('Programmed', 'True', 'Programmed', 'Address assigned to the Gateway')],
      listeners: [listenerOf(written('Programmed', 'True', 'Programmed', 'Listener is programmed'))],
    });
    cluster.at('8s', () => secret.delete());
    cluster.at('9s', () =>
      gateway.status({
        conditions: [...both, written('Programmed', 'False', 'Invalid', 'No valid listeners')],
        listeners: [
          listenerOf(
            written('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret shop/edge-tls does not exist.'),
            written('Programmed', 'False', 'Invalid', 'Listener is invalid'),
          ),
        ],
      }),
    );
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Gateway/shop/edge',
      accepts: ['Secret/shop/edge-tls'],
      beginsAfterSeconds: 9,
      firstMessageWithinSeconds: 240,
      messages: { resolve: 0 },
    });
  }),

  // https://istio.io/latest/docs/ops/common-problems/: sidecars wait for a control plane that somebody has scaled to nothing.
  'mesh-control-plane-scaled-to-nothing': scenario(
    'The control plane of the mesh is scaled to nothing; what is restarted is never ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const istiod = cluster.deployment('istio-system/istiod', { image: 'docker.io/istio/pilot:1.27' });
      cluster.service('istio-system/istiod', {
        ports: [{ name: 'grpc-xds', port: 15012, targetPort: 15012, protocol: 'TCP' }],
      });
      const image = (name: string): string => `registry.acme.example/${name}:7`;
      const handles = ['orders', 'search', 'accounts'].map((name) => ({
        name,
        handle: cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: image(name),
          spec: { strategy: { type: 'Recreate' } },
        }),
      }));
      cluster.at('5s', () => istiod.scale(0));
      cluster.at('12s', () => {
        for (const { name, handle } of handles) {
          cluster.image(
            image(name),
            unready([
              'warning envoy config StreamAggregatedResources gRPC config stream to xds-grpc closed: 14, connection error: desc = "transport: Error while dialing: dial tcp: connect to istiod.istio-system.svc:15012: connect: connection refused"',
              'warn Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected',
            ]),
          );
          handle.restart();
        }
      });
      cluster.lasts('2m40s');
      cluster.expectIncident({
        root: 'Deployment/istio-system/istiod',
        accepts: ['Service/istio-system/istiod'],
        messages: { resolve: 0 },
        beginsAfterSeconds: 12,
        firstMessageWithinSeconds: 180,
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/shop/accounts'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports: refactored to a port nobody listens on.
  'service-targets-a-closed-port': scenario(
    'A Service is changed to a target port on which nobody listens; two clients are refused',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const container = { ports: [{ name: 'http', containerPort: 8080 }] };
      cluster.deployment('shop/prices', { replicas: 2, image: 'registry.acme.example/prices:1', container });
      const service = cluster.service('shop/prices');
      cluster.at('6s', () =>
        service.patch({ spec: { ports: [{ name: 'http', port: 80, targetPort: 8081, protocol: 'TCP' }] } }),
      );
      const names = dependants(cluster, '10s', {
        'shop/basket': {
          does: ends(['Get "http://prices.shop.svc/v1/price/7": dial tcp 10.96.14.2:80: connect: connection refused']),
        },
        'web/site': { does: unready(['Error: connect ECONNREFUSED prices.shop.svc:80']) },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'Service/shop/prices',
        beginsAfterSeconds: 10,
        messages: { resolve: 0 },
        mustNotBlame: [...names, 'Deployment/shop/prices'],
      });
    },
  ),
};
