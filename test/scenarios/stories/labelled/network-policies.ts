import type { Ref } from '../../../../src/model/ref.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;
const postgres = { ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }] };

/** Rules of the network that cut what belonged together, and one that is innocent. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://thecodeforge.io/devops/kubernetes-network-policies/
  'only-https-may-leave': scenario(
    'A policy lets a namespace out by HTTPS and DNS only; its database is outside, on another port',
    (cluster) => {
      cluster.pro();
      const { storefront } = surroundings(cluster);
      const host = 'pg.dc2.acme.example';
      const names = ['ledger', 'closing'];
      for (const name of names)
        cluster.deployment(`accounting/${name}`, {
          replicas: 2,
          image: image(`${name}:2`),
          values: { PGHOST: host, PGPORT: '5432' },
        });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () =>
        cluster.object(
          networkPolicy('accounting/egress', {
            podSelector: {},
            policyTypes: ['Egress'],
            egress: [
              {
                ports: [
                  { protocol: 'TCP', port: 443 },
                  { protocol: 'UDP', port: 53 },
                ],
              },
            ],
          }),
        ),
      );
      cluster.at('22s', () => {
        cluster.befall(
          image('ledger:2'),
          ends(
            [
              `psycopg2.OperationalError: connection to server at "${host}" (203.0.113.40), port 5432 failed: Connection timed out`,
            ],
            1,
            8,
          ),
        );
        cluster.befall(
          image('closing:2'),
          unready([
            `org.postgresql.util.PSQLException: The connection attempt failed. ${host}:5432`,
            'Caused by: java.net.SocketTimeoutException: Connect timed out',
          ]),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'NetworkPolicy/accounting/egress',
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/accounting/${name}`),
          `ExternalEndpoint//${host}:5432`,
          'Deployment/web/storefront',
        ],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/services-networking/network-policies/
  'policy-of-the-database-names-another-team': scenario(
    'The policy of a database is edited to let in another team; the two workloads that used it time out',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      cluster.statefulSet('data/postgres', { image: image('postgres:16') });
      cluster.service('data/postgres', postgres);
      const from = (team: string) => [{ namespaceSelector: { matchLabels: { team } } }];
      const policy = cluster.object(
        networkPolicy('data/postgres', {
          ingress: [{ from: from('sales'), ports: [{ protocol: 'TCP', port: 5432 }] }],
        }),
      );
      const names = ['leads', 'contracts'];
      for (const name of names)
        cluster.deployment(`sales/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { DATABASE_URL: 'postgres://postgres.data.svc:5432/sales' },
        });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sales' } });
      namespace.patch({ metadata: { labels: { team: 'sales' } } });
      cluster.at('12s', () =>
        policy.patch({ spec: { ingress: [{ from: from('marketing'), ports: [{ protocol: 'TCP', port: 5432 }] }] } }),
      );
      cluster.at('22s', () => {
        for (const name of names)
          cluster.befall(
            image(`${name}:1`),
            ends(['level=fatal err="dial tcp: connect to postgres.data.svc:5432: i/o timeout"'], 1, 9),
          );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'NetworkPolicy/data/postgres',
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/sales/${name}`),
          'StatefulSet/data/postgres',
          'Service/data/postgres',
        ],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/services-networking/network-policies/#targeting-a-namespace-by-its-name
  'namespace-loses-the-label-that-lets-it-in': scenario(
    'A namespace loses a label when it is applied anew, and the policy of the cache lets it in no more',
    (cluster) => {
      cluster.pro();
      const { wiki } = surroundings(cluster);
      cluster.statefulSet('cache/redis', { image: image('redis:7.2') });
      cluster.service('cache/redis', { ports: [{ name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' }] });
      cluster.object(
        networkPolicy('cache/redis', {
          ingress: [{ from: [{ namespaceSelector: { matchLabels: { 'cache-access': 'yes' } } }] }],
        }),
      );
      const names = ['frontdoor', 'search'];
      for (const name of names)
        cluster.deployment(`news/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { REDIS: 'redis.cache.svc:6379' },
        });
      const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'news' } });
      namespace.patch({ metadata: { labels: { 'cache-access': 'yes' } } });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('12s', () => namespace.patch({ metadata: { labels: { 'cache-access': null } } }));
      cluster.at('22s', () => {
        cluster.befall(
          image('frontdoor:1'),
          unready(['redis.exceptions.TimeoutError: Timeout connecting to server redis.cache.svc:6379']),
        );
        cluster.befall(
          image('search:1'),
          ends(['level=fatal err="dial tcp: connect to redis.cache.svc:6379: i/o timeout"'], 1, 8),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'NetworkPolicy/cache/redis',
        accepts: ['Namespace//news'],
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/news/${name}`),
          'StatefulSet/cache/redis',
          'Deployment/office/wiki',
        ],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/
  'policy-elsewhere-is-innocent': scenario(
    'A policy is applied in one namespace; in another, a release cannot parse the answer of a service it reaches well',
    (cluster) => {
      cluster.pro();
      surroundings(cluster);
      cluster.object(networkPolicy('web/storefront', { ingress: [{}] }));
      cluster.deployment('booking/prices', { replicas: 2, image: image('prices:1') });
      cluster.service('booking/prices');
      const api = cluster.deployment('booking/offers', {
        replicas: 2,
        image: image('offers:5'),
        values: { PRICES: 'http://prices.booking.svc' },
      });
      cluster.service('booking/offers');
      cluster.image(
        image('offers:6'),
        ends([
          'com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException: Unrecognized field "netAmount" (class example.acme.Price), not marked as ignorable',
          '\tat example.acme.offers.PriceClient.warmUp(PriceClient.java:58)',
        ]),
      );
      cluster.at('8s', () =>
        cluster.object(networkPolicy('office/wiki', { ingress: [{ from: [{ podSelector: {} }] }] })),
      );
      cluster.at('14s', () => api.setImage(image('offers:6')));
      cluster.lasts('2m10s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/booking/offers',
        mustNotBlame: [
          'NetworkPolicy/office/wiki',
          'NetworkPolicy/web/storefront',
          'Deployment/booking/prices',
          'Service/booking/prices',
        ],
      });
    },
  ),
};
