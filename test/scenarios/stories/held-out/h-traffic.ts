import { define, imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { ClusterBuilder, Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** A Gateway with one listener, and the route of a Service behind it. */
function way(cluster: ClusterBuilder, namespace: string, service: string): ReturnType<ClusterBuilder['object']> {
  const apiVersion = 'gateway.networking.k8s.io/v1';
  const gateway = cluster.object({
    ...{ apiVersion, kind: 'Gateway', metadata: { namespace, name: 'public' } },
    spec: { gatewayClassName: 'cilium', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  });
  cluster.object({
    ...{ apiVersion, kind: 'HTTPRoute', metadata: { namespace, name: service } },
    spec: { parentRefs: [{ name: 'public' }], rules: [{ backendRefs: [{ name: service, port: 80 }] }] },
  });
  return gateway;
}

/** What a Gateway says of itself. */
const programmed = (status: 'True' | 'False', reason: string, message: string, address?: string): object => ({
  ...(address ? { addresses: [{ type: 'IPAddress', value: address }] } : { addresses: [] }),
  conditions: [
    {
      ...{ type: 'Accepted', status: 'True', reason: 'Accepted', message: 'Gateway successfully scheduled' },
      lastTransitionTime: '2026-11-01T00:00:00Z',
    },
    { type: 'Programmed', status, reason, message, lastTransitionTime: 'now' },
  ],
});

/** Ways in and between, and what is trusted on them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/devops-ia/helm-opencti/issues/258: the Services ask for a component that no Pod is.
  'chart-splits-a-component-and-not-its-service': reported(
    'An upgrade of the chart of OpenCTI gives its Pods other components, and its Services still select the old one; two connectors are refused',
    (cluster, firm) => {
      const labels = { 'opencti.component': 'server' };
      const opencti = cluster.deployment('intel/opencti', {
        ...{ replicas: 2, image: 'docker.io/opencti/platform:6.7.4', labels },
      });
      cluster.service('intel/opencti', { selector: labels, clusterIP: '10.96.30.6' });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () =>
        opencti.change({
          image: 'docker.io/opencti/platform:6.7.11',
          labels: { 'opencti.component': 'frontend' },
        }),
      );
      const values = { OPENCTI_URL: 'http://opencti.intel.svc.cluster.local:80' };
      const innocents = clients(cluster, 30, {
        'intel/connector-mitre': {
          does: ends(
            [
              "requests.exceptions.ConnectionError: HTTPConnectionPool(host='opencti.intel.svc.cluster.local', port=80): Max retries exceeded with url: /graphql (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object>: Failed to establish a new connection: [Errno 111] Connection refused'))",
              'ValueError: OpenCTI API is not reachable. Waiting for OpenCTI API to start or check your configuration...',
            ],
            1,
            6,
          ),
          values,
        },
        'intel/worker': {
          does: unready([
            '{"timestamp": "2026-11-23T09:25:11.212Z", "level": "ERROR", "name": "api", "message": "Cannot reach http://opencti.intel.svc.cluster.local:80: [Errno 111] Connection refused"}',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Service/intel/opencti',
        accepts: ['Deployment/intel/opencti'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/aws/amazon-network-policy-controller-k8s/issues/146: all of the world but the private ranges.
  'policy-lets-out-to-the-world-only': reported(
    'A policy lets the Pods of a namespace out to the world except private ranges, in which their cache and their database are; taken back after twelve minutes',
    (cluster) => {
      server(cluster, 'caches/dragonfly', 'docker.dragonflydb.io/dragonflydb/dragonfly:v1.23.1', 6379, {
        clusterIP: '10.96.80.4',
      });
      const policy = cluster.planned(
        networkPolicy('auction/egress-internet', {
          ...{ podSelector: {}, policyTypes: ['Egress'] },
          egress: [
            {
              to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] } }],
            },
            { ports: [{ protocol: 'UDP', port: 53 }] },
          ],
        }),
      );
      cluster.at(after(0), () => policy.create());
      const values = { CACHE_ADDR: 'dragonfly.caches.svc.cluster.local:6379' };
      const places = {
        'auction/bidding': {
          does: unready(['level=error msg="health: cache" err="dial tcp 10.96.80.4:6379: i/o timeout"']),
          values,
        },
        'auction/closing': {
          does: ends(
            ['redis.exceptions.TimeoutError: Timeout connecting to server dragonfly.caches.svc.cluster.local:6379'],
            1,
            8,
          ),
          values,
        },
      };
      const innocents = clients(cluster, 10, places);
      cluster.at(after(720), () => policy.delete());
      recover(cluster, 728, ...Object.keys(places));
      cluster.expectIncident({
        root: 'NetworkPolicy/auction/egress-internet',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/caches/dragonfly', 'Service/caches/dragonfly'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/cloudflare/cloudflared/issues/1379, https://github.com/cloudflare/cloudflared/issues/426: refreshed in the console.
  'tunnel-to-the-edge-has-another-secret': reported(
    'The secret of a tunnel is refreshed in the console of the edge and not in the cluster; its connectors are refused when they are restarted',
    (cluster) => {
      cluster.secret('edge/tunnel-credentials', { 'credentials.json': 'one' });
      const image = 'docker.io/cloudflare/cloudflared:2025.1.1';
      const tunnel = cluster.deployment('edge/cloudflared', {
        ...{ replicas: 2, image, pod: secretVolume('tunnel-credentials') },
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
      });
      cluster.deployment('edge/website', { replicas: 2, image: imageAt('website', 12) });
      cluster.service('edge/website');
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready([
            '2026-11-23T12:07:48Z INF Starting tunnel tunnelID=b4678717-a506-447b-a969-cf47f37ffddb',
            '2026-11-23T12:07:48Z INF Initial protocol quic',
            '2026-11-23T12:07:49Z ERR Register tunnel error from server side error="Unauthorized: Invalid tunnel secret" connIndex=0 event=0 ip=198.41.192.77',
            '2026-11-23T12:07:49Z INF Retrying connection in up to 2s connIndex=0 event=0 ip=198.41.192.77',
          ]),
        );
        tunnel.restart();
      });
      cluster.expectIncident({
        root: 'Secret/edge/tunnel-credentials',
        accepts: ['Deployment/edge/cloudflared'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/edge/website', 'Service/edge/website'],
      });
    },
  ),

  // https://github.com/nats-io/nats-server/issues/3475: renewed on the disk, and the server goes on with the one it has read.
  'server-goes-on-with-a-certificate-that-was-renewed': reported(
    'The certificate of NATS is renewed in its Secret; the servers go on with the one they have read, which runs out ten minutes later',
    (cluster, firm) => {
      const secret = cluster.secret('bus/nats-server-tls', { 'tls.crt': 'one', 'tls.key': 'one', 'ca.crt': 'one' });
      server(cluster, 'bus/nats', 'docker.io/library/nats:2.7.4-alpine', 4222, {
        ...{ replicas: 3, clusterIP: '10.96.12.70', pod: secretVolume('nats-server-tls') },
      });
      cluster.at(after(-240), () => secret.edit({ 'tls.crt': 'two', 'tls.key': 'two', 'ca.crt': 'one' }));
      innocentRelease(cluster, after(-40), firm);
      const values = { NATS_URL: 'tls://nats.bus.svc.cluster.local:4222' };
      const expired =
        'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-23T09:10:44Z is after 2026-11-23T09:10:21Z';
      const innocents = clients(cluster, 0, {
        'meters/ingest': { does: ends([`nats: connect to tls://nats.bus.svc.cluster.local:4222: ${expired}`]), values },
        'meters/billing': {
          does: unready([`level=error msg="nats disconnected" url=nats.bus.svc.cluster.local:4222 err="${expired}"`]),
          values,
        },
        'alerts/pager': {
          does: ends([`panic: nats.Connect nats.bus.svc.cluster.local:4222: ${expired}`], 2, 4),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/bus/nats',
        accepts: ['Service/bus/nats', 'Secret/bus/nats-server-tls'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/xiaods/k8e/pull/579, https://github.com/cilium/cilium/issues/45485: no pool has an address for it.
  'gateway-waits-for-an-address': reported(
    'The pool of addresses of a cluster is removed in a clean-up; the Gateway of a shop loses its address and waits for another one',
    (cluster) => {
      cluster.pro();
      define(cluster, 'gateway.networking.k8s.io/v1', ['GatewayClass'], 'Cluster');
      define(cluster, 'gateway.networking.k8s.io/v1', ['Gateway', 'HTTPRoute']);
      cluster.object({
        ...{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GatewayClass', metadata: { name: 'cilium' } },
        spec: { controllerName: 'io.cilium/gateway-controller' },
      });
      cluster.deployment('kube-system/cilium-operator', { image: 'quay.io/cilium/operator-generic:v1.17.2' });
      cluster.deployment('shop/catalogue', { replicas: 2, image: imageAt('catalogue', 40) });
      cluster.service('shop/catalogue');
      const gateway = way(cluster, 'shop', 'catalogue');
      gateway.status(programmed('True', 'Programmed', 'Gateway successfully reconciled', '198.51.100.20'));
      cluster.at(after(0), () =>
        gateway.status(programmed('False', 'AddressNotAssigned', 'Gateway waiting for address')),
      );
      cluster.expectIncident({
        root: 'Gateway/shop/public',
        accepts: ['Gateway.gateway.networking.k8s.io/shop/public'],
        messages: { resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 1000,
        mustNotBlame: ['Deployment/shop/catalogue', 'Service/shop/catalogue', 'Deployment/kube-system/cilium-operator'],
      });
    },
    { minutes: 25 },
  ),
};
