import type { Ref } from '../../../../src/model/ref.ts';
import type { Manifest } from '../../kit/manifests.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { ingress } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;
const group = 'gateway.networking.k8s.io';

/** The definition of a kind of the Gateway API, as open as it may be. */
function gatewayKind(kind: string, plural: string, scope: 'Namespaced' | 'Cluster'): Manifest {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/3328' },
    },
    spec: {
      ...{ group, scope, names: { plural, singular: kind.toLowerCase(), kind } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}
const kinds = [
  gatewayKind('GatewayClass', 'gatewayclasses', 'Cluster'),
  gatewayKind('Gateway', 'gateways', 'Namespaced'),
  gatewayKind('HTTPRoute', 'httproutes', 'Namespaced'),
];
const of = (kind: string, metadata: Manifest['metadata'], spec: object): Manifest => ({
  ...{ apiVersion: `${group}/v1`, kind, metadata, spec },
});
const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
  ...{ type, status, reason, message, observedGeneration: 1 },
  lastTransitionTime: new Date(Math.floor(Date.now() / 1000) * 1000).toISOString().replace('.000Z', 'Z'),
});
const controllerName = 'gateway.envoyproxy.io/gatewayclass-controller';

/** What stands between those who ask and those who answer. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/
  'service-sends-to-a-closed-port': scenario(
    'The target port of a Service is edited; the Pods behind it are ready and nobody listens there',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      cluster.deployment('stock/warehouse', { replicas: 2, image: image('warehouse:3') });
      const service = cluster.service('stock/warehouse');
      const names = ['picking', 'returns'];
      for (const name of names)
        cluster.deployment(`stock/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { WAREHOUSE: 'http://warehouse.stock.svc' },
        });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () =>
        service.patch({ spec: { ports: [{ name: 'http', port: 80, targetPort: 8081, protocol: 'TCP' }] } }),
      );
      cluster.at('20s', () => {
        cluster.befall(
          image('picking:1'),
          ends(
            [
              'level=fatal err="Get \\"http://warehouse.stock.svc/bins\\": dial tcp: connect to warehouse.stock.svc:80: connect: connection refused"',
            ],
            1,
            5,
          ),
        );
        cluster.befall(image('returns:1'), unready(['Error: connect ECONNREFUSED warehouse.stock.svc:80']));
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Service/stock/warehouse',
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/stock/${name}`),
          'Deployment/stock/warehouse',
          'Deployment/web/storefront',
        ],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service
  'release-drops-the-label-that-is-selected': scenario(
    'A release changes the label by which its Service finds it: all its Pods are ready, and nobody reaches them',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const api = cluster.deployment('tickets/api', {
        replicas: 2,
        image: image('tickets-api:4'),
        labels: { tier: 'backend' },
      });
      cluster.service('tickets/api', { selector: { tier: 'backend' } });
      for (const name of ['box-office', 'kiosk'])
        cluster.deployment(`tickets/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { API: 'http://api.tickets.svc' },
        });
      cluster.at('10s', () => api.change({ image: image('tickets-api:5'), labels: { tier: 'api' } }));
      cluster.at('24s', () => {
        cluster.befall(
          image('box-office:1'),
          unready(['upstream connect error: http://api.tickets.svc: connect: connection refused']),
        );
        cluster.befall(
          image('kiosk:1'),
          ends(
            [
              'FetchError: request to http://api.tickets.svc/v1/events failed, reason: connect ECONNREFUSED api.tickets.svc:80',
            ],
            1,
            5,
          ),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/tickets/api',
        accepts: ['Service/tickets/api'],
        mustNotBlame: ['Deployment/tickets/box-office', 'Deployment/tickets/kiosk'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-class
  'controller-of-routes-uninstalled': scenario(
    'An ingress controller is uninstalled with its class; two Ingresses still ask for it',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const ingressClass = cluster.object({
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'nginx' } },
        spec: { controller: 'k8s.io/ingress-nginx' },
      });
      const controller = cluster.deployment('ingress-nginx/controller', { image: image('ingress-nginx:1.11') });
      for (const name of ['portal', 'docs']) {
        cluster.deployment(`public/${name}`, { replicas: 2, image: image(`${name}:1`) });
        cluster.service(`public/${name}`);
        cluster.object(ingress(`public/${name}`));
      }
      cluster.at('12s', () => {
        controller.delete();
        ingressClass.delete();
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'IngressClass//nginx',
        accepts: ['Ingress/public/portal', 'Ingress/public/docs', 'Deployment/ingress-nginx/controller'],
        beginsAfterSeconds: 12,
        mustNotBlame: ['Deployment/public/portal', 'Deployment/public/docs'],
      });
    },
  ),
  // https://gateway-api.sigs.k8s.io/guides/implementers/
  'route-to-a-service-that-was-renamed': scenario(
    'A Service is renamed in one repository and not in the other: its HTTPRoute sends to nothing',
    (cluster) => {
      cluster.pro();
      const { wiki } = surroundings(cluster);
      for (const kind of kinds) cluster.object(kind);
      cluster.object(of('GatewayClass', { name: 'envoy' }, { controllerName })).status({
        conditions: [condition('Accepted', 'True', 'Accepted', 'Valid GatewayClass')],
      });
      const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
      cluster
        .object(of('Gateway', { name: 'public', namespace: 'edge' }, { gatewayClassName: 'envoy', listeners }))
        .status({
          conditions: [
            condition('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled by Envoy Gateway'),
            condition(
              'Programmed',
              'True',
              'Programmed',
              'Address assigned to the Gateway, 1/1 envoy replicas available',
            ),
          ],
        });
      cluster.deployment('school/courses', { replicas: 2, image: image('courses:2') });
      const service = cluster.service('school/courses');
      const parentRef = { name: 'public', namespace: 'edge' };
      const route = cluster.object(
        of(
          'HTTPRoute',
          { name: 'courses', namespace: 'school' },
          {
            parentRefs: [parentRef],
            rules: [{ backendRefs: [{ name: 'courses', port: 80 }] }],
          },
        ),
      );
      const status = (...resolved: readonly ['True' | 'False', string, string]) => ({
        parents: [
          {
            ...{ parentRef, controllerName },
            conditions: [
              condition('Accepted', 'True', 'Accepted', 'Route is accepted'),
              condition('ResolvedRefs', ...resolved),
            ],
          },
        ],
      });
      route.status(status('True', 'ResolvedRefs', 'Resolved all the Object references for the Route'));
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('12s', () => {
        cluster.service('school/course-catalogue', { selector: { app: 'courses' } });
        service.delete();
      });
      cluster.at('13s', () =>
        route.status(
          status(
            'False',
            'BackendNotFound',
            'Failed to process route rule 0 backendRef 0: service school/courses not found.',
          ),
        ),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'HTTPRoute/school/courses',
        accepts: ['Service/school/courses'],
        beginsAfterSeconds: 13,
        mustNotBlame: ['Deployment/school/courses', 'Gateway/edge/public', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://gateway-api.sigs.k8s.io/guides/tls/
  'listener-without-its-certificate': scenario(
    'The Secret with the certificate of a Gateway is deleted; its listener cannot be programmed any more',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      for (const kind of kinds) cluster.object(kind);
      cluster.object(of('GatewayClass', { name: 'envoy' }, { controllerName })).status({
        conditions: [condition('Accepted', 'True', 'Accepted', 'Valid GatewayClass')],
      });
      const secret = cluster.secret('edge/wildcard-tls', { 'tls.crt': 'x', 'tls.key': 'y' });
      const tls = { certificateRefs: [{ name: 'wildcard-tls' }] };
      const listeners = [{ name: 'https', port: 443, protocol: 'HTTPS', tls }];
      const gateway = cluster.object(
        of('Gateway', { name: 'public', namespace: 'edge' }, { gatewayClassName: 'envoy', listeners }),
      );
      const accepted = condition('Accepted', 'True', 'Accepted', 'The Gateway has been scheduled by Envoy Gateway');
      gateway.status({
        conditions: [accepted, condition('Programmed', 'True', 'Programmed', 'Address assigned to the Gateway')],
        listeners: [
          {
            ...{ name: 'https', attachedRoutes: 2, supportedKinds: [] },
            conditions: [
              condition(
                'Programmed',
                'True',
                'Programmed',
                'Sending translated listener configuration to the data plane',
              ),
            ],
          },
        ],
      });
      cluster.at('12s', () => secret.delete());
      cluster.at('13s', () =>
        gateway.status({
          conditions: [accepted, condition('Programmed', 'False', 'Invalid', 'No valid listener')],
          listeners: [
            {
              ...{ name: 'https', attachedRoutes: 2, supportedKinds: [] },
              conditions: [
                condition('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret edge/wildcard-tls does not exist.'),
                condition('Programmed', 'False', 'Invalid', 'Listener is invalid, see other Conditions for details.'),
              ],
            },
          ],
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Secret/edge/wildcard-tls',
        accepts: ['Gateway/edge/public'],
        beginsAfterSeconds: 13,
      });
    },
  ),
  // https://docs.aws.amazon.com/eks/latest/userguide/network-load-balancing.html
  'no-balancer-left-to-have': scenario(
    'A new public Service gets no load balancer, as the account may have no more of them',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      cluster.deployment('partners/sftp', { replicas: 2, image: image('sftp:2') });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('10s', () =>
        cluster.service('partners/sftp', {
          type: 'LoadBalancer',
          ports: [{ name: 'sftp', port: 22, targetPort: 2222, protocol: 'TCP' }],
        }),
      );
      for (const when of ['12s', '22s', '42s'])
        cluster.at(when, () =>
          cluster.event({
            about: 'Service/partners/sftp',
            reason: 'SyncLoadBalancerFailed',
            message:
              'Error syncing load balancer: failed to ensure load balancer: error creating load balancer: "TooManyLoadBalancers: Exceeded quota of account 123456789012"',
            by: 'service-controller',
          }),
        );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Service/partners/sftp',
        beginsAfterSeconds: 12,
        firstMessageWithinSeconds: 300,
        mustNotBlame: ['Deployment/partners/sftp', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/services-networking/service/#headless-services
  'peers-cannot-find-each-other': scenario(
    'A Service for peers publishes no addresses of those that are not ready yet: after a stop and a start none finds another, and none gets ready',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      const ring = cluster.statefulSet('events/cassandra', {
        replicas: 3,
        image: image('cassandra:5'),
        spec: { podManagementPolicy: 'Parallel' },
      });
      const peers = cluster.service('events/cassandra', {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        ports: [{ name: 'intra', port: 7000, targetPort: 7000, protocol: 'TCP' }],
      });
      cluster.at('10s', () => peers.patch({ spec: { publishNotReadyAddresses: false } }));
      cluster.at('20s', () => {
        cluster.image(
          image('cassandra:5'),
          ends(
            [
              "WARN  [main] SimpleSeedProvider.java:60 - Seed provider couldn't lookup host cassandra-0.cassandra.events.svc.cluster.local",
              'Exception (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: The seed provider lists no seeds.',
            ],
            3,
            6,
          ),
        );
        ring.scale(0);
      });
      cluster.at('30s', () => ring.scale(3));
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Service/events/cassandra',
        accepts: ['StatefulSet/events/cassandra'],
        firstMessageWithinSeconds: 50,
        mustNotBlame: ['Node//n1', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/configuration/overview/#services
  'same-port-of-the-machine-twice': scenario(
    'The release of a proxy that has a port of each machine for itself waits for machines that are free',
    (cluster) => {
      surroundings(cluster);
      const container = { ports: [{ name: 'http', containerPort: 8080, hostPort: 8080 }] };
      const proxy = cluster.deployment('edge/haproxy', { replicas: 3, image: image('haproxy:2.9'), container });
      cluster.service('edge/haproxy');
      cluster.at('12s', () => proxy.setImage(image('haproxy:3.0')));
      cluster.lasts('2m15s');
      cluster.expectIncident({ root: 'Deployment/edge/haproxy', mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'] });
    },
  ),
};
