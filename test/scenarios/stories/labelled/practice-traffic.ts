import { company, custom, define, dnsAt, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass, networkPolicy } from '../../kit/things.ts';

const gateways = 'gateway.networking.k8s.io/v1';
const parent = { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'edge', name: 'public' };
const route = (accepted: readonly [string, string, string], resolved: readonly [string, string, string]): object => ({
  parents: [
    {
      ...{ parentRef: parent, controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
      conditions: [accepted, resolved].map(([status, reason, message], index) => ({
        type: index === 0 ? 'Accepted' : 'ResolvedRefs',
        status,
        reason,
        message,
        observedGeneration: 1,
        lastTransitionTime: 'now',
      })),
    },
  ],
});
const accepted = ['True', 'Accepted', 'Route is accepted'] as const;
const resolved = ['True', 'ResolvedRefs', 'Resolved all the Object references for the Route'] as const;

/** Services, routes, and what may talk to whom. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://gateway-api.sigs.k8s.io/api-types/referencegrant/
  'grant-for-a-route-deleted': scenario(
    'The grant is deleted by which a route may send to another namespace',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, gateways, ['Gateway', 'HTTPRoute']);
      define(cluster, 'gateway.networking.k8s.io/v1beta1', ['ReferenceGrant']);
      cluster.deployment('shop/basket', { replicas: 2, image: imageAt('basket', 1) });
      cluster.service('shop/basket');
      const listeners = [{ name: 'https', port: 443, protocol: 'HTTPS' }];
      custom(cluster, gateways, 'Gateway', 'edge/public', { gatewayClassName: 'envoy', listeners });
      const grant = custom(cluster, 'gateway.networking.k8s.io/v1beta1', 'ReferenceGrant', 'shop/from-edge', {
        from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'edge' }],
        to: [{ group: '', kind: 'Service' }],
      });
      const basket = custom(cluster, gateways, 'HTTPRoute', 'edge/basket', {
        parentRefs: [parent],
        rules: [{ backendRefs: [{ name: 'basket', namespace: 'shop', port: 80 }] }],
      });
      basket.status(route(accepted, resolved));
      cluster.at('6s', () => grant.delete());
      cluster.at('8s', () =>
        basket.status(
          route(accepted, [
            'False',
            'RefNotPermitted',
            'Backend ref to Service shop/basket not permitted by any ReferenceGrant.',
          ]),
        ),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'HTTPRoute/edge/basket',
        accepts: ['ReferenceGrant/shop/from-edge'],
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 600,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/basket', 'Service/shop/basket'],
      });
    },
  ),

  // https://gateway-api.sigs.k8s.io/guides/http-routing/: no listener has the host of the routes any more.
  'listener-for-another-host': scenario(
    'The listener of a gateway is edited to another host, and two routes match none',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, gateways, ['Gateway', 'HTTPRoute']);
      const listeners = (hostname: string) => ({
        gatewayClassName: 'envoy',
        listeners: [{ name: 'https', hostname, port: 443, protocol: 'HTTPS' }],
      });
      const gateway = custom(cluster, gateways, 'Gateway', 'edge/public', listeners('*.borealis.example'));
      const routes = ['news', 'jobs'].map((name) => {
        cluster.deployment(`www/${name}`, { replicas: 2, image: imageAt(name, 1) });
        cluster.service(`www/${name}`);
        const one = custom(cluster, gateways, 'HTTPRoute', `www/${name}`, {
          parentRefs: [parent],
          hostnames: [`${name}.borealis.example`],
          rules: [{ backendRefs: [{ name, port: 80 }] }],
        });
        one.status(route(accepted, resolved));
        return one;
      });
      cluster.at('6s', () => gateway.patch({ spec: listeners('*.boralis.example') }));
      cluster.at('8s', () => {
        for (const one of routes)
          one.status(
            route(
              [
                'False',
                'NoMatchingListenerHostname',
                "There were no hostname intersections between the HTTPRoute and this parent ref's Listener(s).",
              ],
              resolved,
            ),
          );
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Gateway/edge/public',
        accepts: ['HTTPRoute/www/news', 'HTTPRoute/www/jobs'],
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 600,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/www/news', 'Deployment/www/jobs'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/service/#externalname
  'alias-edited-to-a-dead-host': scenario(
    'A Service that is an alias is edited to a host that does not exist; two readers of it fail',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster, { dnsService: dnsAt('10.96.0.10') });
      const alias = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'legacy-erp', namespace: 'sales' } },
        spec: { type: 'ExternalName', externalName: 'erp.hq.example' },
      });
      innocentRelease(cluster, '2s', firm);
      cluster.at('6s', () => alias.patch({ spec: { externalName: 'erp-new.hq.example' } }));
      const values = { ERP_URL: 'http://legacy-erp.sales.svc' };
      const clients = dependants(cluster, '14s', {
        'sales/quotes': {
          does: ends(['dial tcp: lookup legacy-erp.sales.svc on 10.96.0.10:53: no such host']),
          values,
        },
        'sales/discounts': {
          does: unready([
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='legacy-erp.sales.svc', port=80): Max retries exceeded with url: /prices (Caused by NameResolutionError(\"Failed to resolve 'legacy-erp.sales.svc' ([Errno -2] Name or service not known)\"))",
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Service/sales/legacy-erp',
        accepts: ['ExternalEndpoint//erp-new.hq.example'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking', 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/service/#services-without-selectors
  'address-written-by-hand-is-old': scenario(
    'The address behind a Service without a selector is edited by hand, and nobody is there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'mainframe', namespace: 'bank' } },
        spec: { ports: [{ name: 'mq', port: 1414, targetPort: 1414, protocol: 'TCP' }] },
      });
      const slice = cluster.object({
        ...{
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: { name: 'mainframe-1', namespace: 'bank', labels: { 'kubernetes.io/service-name': 'mainframe' } },
        },
        ...{
          addressType: 'IPv4',
          endpoints: [{ addresses: ['10.90.1.4'], conditions: { ready: true } }],
          ports: [{ name: 'mq', port: 1414, protocol: 'TCP' }],
        },
      });
      cluster.at('6s', () => slice.patch({ endpoints: [{ addresses: ['10.90.7.4'], conditions: { ready: true } }] }));
      const values = { MQ_HOST: 'mainframe.bank.svc:1414' };
      const clients = dependants(cluster, '12s', {
        'bank/transfers': {
          does: ends([
            "com.ibm.mq.MQException: MQJE001: Completion Code '2', Reason '2538'.",
            'Caused by: java.net.NoRouteToHostException: No route to host: mainframe.bank.svc:1414',
          ]),
          values,
        },
        'bank/standing-orders': {
          does: unready(['ERROR mq: dial tcp: connect to mainframe.bank.svc:1414: connect: no route to host']),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Service/bank/mainframe',
        accepts: ['EndpointSlice/bank/mainframe-1'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://developer.konghq.com/gateway/data-stores/: the gateway of all APIs needs its database to start.
  'gateway-of-the-apis-behind-its-database': scenario(
    'The database of an API gateway runs out of memory, the gateway is unready, and its Ingress leads nowhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/library/postgres:15';
      cluster.statefulSet('kong/postgres', { image, memory: '128Mi' });
      cluster.service('kong/postgres', port(5432));
      const kong = 'docker.io/kong/kong-gateway:3.10';
      cluster.deployment('kong/gateway', { replicas: 2, image: kong, values: { KONG_PG_HOST: 'postgres.kong.svc' } });
      cluster.service('kong/gateway');
      cluster.object(ingressClass);
      cluster.object(ingress('kong/gateway'));
      cluster.at('6s', () =>
        cluster.befall(image, {
          exit: { afterSeconds: 4, code: 137, oom: true },
          readyAfterSeconds: 'never',
          log: ['LOG:  database system is ready to accept connections'],
        }),
      );
      cluster.at('14s', () =>
        cluster.befall(
          kong,
          unready([
            '[error] 1#0: init_by_lua error: [PostgreSQL error] failed to retrieve PostgreSQL server_version_num: connection refused (postgres.kong.svc:5432)',
          ]),
        ),
      );
      const clients = dependants(cluster, '22s', {
        'apps/mobile-bff': {
          does: unready(['upstream http://gateway.kong.svc/catalog: connect ECONNREFUSED gateway.kong.svc:80']),
          values: { API: 'http://gateway.kong.svc' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/kong/postgres',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/kong/gateway', 'Ingress/kong/gateway', 'Service/kong/gateway'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/#targeting-a-range-of-ports
  'policy-with-a-mistyped-port': scenario(
    'The policy before a cache is edited and lets another port in; two clients of the cache time out',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      cluster.statefulSet('cache/valkey', { image: 'docker.io/valkey/valkey:8.1' });
      cluster.service('cache/valkey', port(6379));
      const into = (number: number) => ({
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: number, protocol: 'TCP' }] }],
      });
      const policy = cluster.object(networkPolicy('cache/valkey', into(6379)));
      innocentRelease(cluster, '3s', firm);
      cluster.at('7s', () => policy.patch({ spec: into(6397) }));
      const values = { VALKEY: 'valkey.cache.svc:6379' };
      const clients = dependants(cluster, '14s', {
        'shop/stock': { does: unready(['redis: dial tcp: connect to valkey.cache.svc:6379: i/o timeout']), values },
        'docs/sessions': {
          does: ends(['redis.exceptions.TimeoutError: Timeout connecting to server valkey.cache.svc:6379']),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'NetworkPolicy/cache/valkey',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/cache/valkey', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/#default-deny-all-egress-traffic
  'way-out-to-the-broker-forgotten': scenario(
    'A namespace gets a policy of what may leave it; its database is in it, its broker was forgotten',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('claims/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('claims/postgres', port(5432));
      cluster.statefulSet('bus/redpanda', { replicas: 3, image: 'docker.io/redpandadata/redpanda:v25.1' });
      cluster.service('bus/redpanda', port(9092));
      cluster.deployment('orders/intake', {
        replicas: 2,
        image: imageAt('intake', 1),
        values: { BROKERS: 'redpanda.bus.svc:9092' },
      });
      const policy = cluster.planned(
        networkPolicy('claims/egress', {
          podSelector: {},
          policyTypes: ['Egress'],
          egress: [
            { to: [{ podSelector: { matchLabels: { app: 'postgres' } } }], ports: [{ port: 5432, protocol: 'TCP' }] },
            {
              to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
              ports: [{ port: 53, protocol: 'UDP' }],
            },
          ],
        }),
      );
      cluster.at('6s', () => policy.create());
      const values = { BROKERS: 'redpanda.bus.svc:9092', PGHOST: 'postgres.claims.svc' };
      const clients = dependants(cluster, '16s', {
        'claims/assessor': {
          does: unready([
            '%3|FAIL|rdkafka#producer-1| [thrd:redpanda.bus.svc:9092/bootstrap]: redpanda.bus.svc:9092/bootstrap: Connection setup timed out in state CONNECT (after 30028ms in state CONNECT)',
          ]),
          values,
        },
        'claims/letters': {
          does: ends([
            'kafka: client has run out of available brokers to talk to: dial tcp: connect to redpanda.bus.svc:9092: i/o timeout',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'NetworkPolicy/claims/egress',
        messages: { resolve: 0 },
        mustNotBlame: [
          ...clients,
          'StatefulSet/bus/redpanda',
          'StatefulSet/claims/postgres',
          'Deployment/orders/intake',
        ],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/#behavior-of-to-and-from-selectors
  'release-drops-the-label-that-opens-the-way': scenario(
    'A release drops the label by which a policy lets it in to a database; another client keeps it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('shop/mysql', { image: 'docker.io/library/mysql:8.4' });
      cluster.service('shop/mysql', port(3306));
      cluster.object(
        networkPolicy('shop/mysql', {
          ingress: [
            {
              from: [{ podSelector: { matchLabels: { role: 'db-client' } } }],
              ports: [{ port: 3306, protocol: 'TCP' }],
            },
          ],
        }),
      );
      const labels = { role: 'db-client' };
      const values = { MYSQL_HOST: 'mysql.shop.svc:3306' };
      const returns = cluster.deployment('shop/returns', { replicas: 2, image: imageAt('returns', 6), labels, values });
      cluster.deployment('shop/ratings', { replicas: 2, image: imageAt('ratings', 2), labels, values });
      cluster.image(
        imageAt('returns', 7),
        ends(
          ["pymysql.err.OperationalError: (2003, \"Can't connect to MySQL server on 'mysql.shop.svc' (timed out)\")"],
          1,
          5,
        ),
      );
      cluster.at('6s', () =>
        returns.patch({
          spec: {
            template: {
              metadata: { labels: { role: null } },
              spec: { containers: [{ name: 'returns', image: imageAt('returns', 7) }] },
            },
          },
        }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/shop/returns',
        accepts: ['NetworkPolicy/shop/mysql'],
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop/mysql', 'Deployment/shop/ratings'],
      });
    },
  ),
};
