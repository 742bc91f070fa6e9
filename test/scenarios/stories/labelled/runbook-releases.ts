import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

/** Releases that go wrong in ways that only their own log or probe tells. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://prometheus.io/docs/prometheus/3.0/migration/#flags: flags that a major version has dropped.
  'release-flag-was-removed': scenario(
    'A major version of Prometheus no longer knows a flag; who asks it is refused',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'quay.example/prometheus';
      const prometheus = cluster.statefulSet('monitoring/prometheus', { image: `${image}:v2.55.1` });
      cluster.service('monitoring/prometheus', {
        ports: [{ name: 'web', port: 9090, targetPort: 9090, protocol: 'TCP' }],
      });
      cluster.image(
        `${image}:v3.5.0`,
        ends(["Error parsing command line arguments: unknown long flag '--storage.tsdb.retention'"], 2, 1),
      );
      cluster.at('8s', () => prometheus.setImage(`${image}:v3.5.0`));
      const names = dependants(cluster, '14s', {
        'monitoring/adapter': {
          does: ends([
            'E1122 unable to update list of all metrics: unable to fetch metrics for query: Get "http://prometheus.monitoring.svc:9090/api/v1/series": dial tcp 10.96.31.4:9090: connect: connection refused',
          ]),
        },
        'monitoring/rollouts-analysis': {
          does: unready([
            'Get "http://prometheus.monitoring.svc:9090/api/v1/query": dial tcp 10.96.31.4:9090: connect: connection refused',
          ]),
        },
      });
      cluster.lasts('2m10s');
      cluster.expectIncident({
        root: 'StatefulSet/monitoring/prometheus',
        messages: { resolve: 0 },
        mustNotBlame: names,
      });
    },
  ),

  // https://learn.microsoft.com/dotnet/core/compatibility/containers/8.0/aspnet-port: from .NET 8 on it listens on 8080, no longer on 80.
  'release-listens-on-another-port': scenario('A release listens on another port than its probe asks', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/billing';
    const billing = cluster.deployment('shop/billing', { replicas: 3, image: `${image}:7` });
    cluster.service('shop/billing');
    cluster.deployment('shop/invoices', { replicas: 2, image: 'registry.acme.example/invoices:4' });
    cluster.image(`${image}:8`, {
      readyAfterSeconds: 'never',
      readinessSays: 'Get "http://10.244.2.9:8080/ready": dial tcp 10.244.2.9:8080: connect: connection refused',
      log: ['info: Microsoft.Hosting.Lifetime[14]', '      Now listening on: http://[::]:5000'],
    });
    cluster.at('8s', () => billing.setImage(`${image}:8`));
    // Its rollout is given ten minutes.
    cluster.lasts('13m');
    cluster.expectIncident({
      root: 'Deployment/shop/billing',
      beginsAfterSeconds: 8,
      firstMessageWithinSeconds: 900,
      messages: { resolve: 0 },
      mustNotBlame: ['Service/shop/billing', 'Deployment/shop/invoices'],
    });
  }),

  // https://documentation.red-gate.com/flyway/: a migration that was applied was edited afterwards.
  'release-migration-was-edited': scenario(
    'The init container of a release refuses to migrate: an applied migration was edited',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('shop/postgres', { image: 'docker.io/library/postgres:16.3' });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const image = 'registry.acme.example/ledger';
      const ledger = cluster.deployment('shop/ledger', { replicas: 2, image: `${image}:3`, init: `${image}-flyway:3` });
      cluster.image(`${image}-flyway:3`, { exit: { afterSeconds: 1, code: 0 } });
      cluster.image(
        `${image}-flyway:4`,
        ends(
          [
            'Database: jdbc:postgresql://postgres.shop.svc:5432/ledger (PostgreSQL 16.3)',
            'ERROR: Validate failed: Migrations have failed validation',
            'Migration checksum mismatch for migration version 12',
            '-> Applied to database : 1714403151',
            '-> Resolved locally    : -2036431245',
          ],
          1,
          2,
        ),
      );
      cluster.at('8s', () => ledger.change({ image: `${image}:4`, init: `${image}-flyway:4` }));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/ledger',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop/postgres', 'Service/shop/postgres'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/configure-pod-container/security-context/: hardened, and the program writes beside itself.
  'release-on-a-read-only-root': scenario('A release that is hardened cannot write its cache', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/thumbnails:2';
    const thumbnails = cluster.deployment('media/thumbnails', { replicas: 2, image });
    cluster.at('8s', () => {
      cluster.image(image, (pod) =>
        JSON.stringify(pod.spec.containers).includes('readOnlyRootFilesystem')
          ? ends(["Error: EROFS: read-only file system, mkdir '/app/.next/cache'"], 1, 1)
          : {},
      );
      thumbnails.change({ container: { securityContext: { readOnlyRootFilesystem: true } } });
    });
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/media/thumbnails',
      messages: { resolve: 0 },
      mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
    });
  }),

  // https://docs.nginx.com/nginx/admin-guide/: a port below 1024 as somebody who is not root.
  'release-may-not-bind': scenario('A release runs as nobody and may not bind its port', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'docker.io/library/nginx:1.29';
    const site = cluster.deployment('web/site', { replicas: 2, image });
    cluster.service('web/site');
    cluster.at('8s', () => {
      cluster.image(image, (pod) =>
        JSON.stringify(pod.spec).includes('runAsUser')
          ? ends(['nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)'], 1, 1)
          : {},
      );
      site.change({ pod: { securityContext: { runAsUser: 101, runAsNonRoot: true } } });
    });
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/web/site',
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/web/storefront', 'Service/web/site'],
    });
  }),

  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-startup-probes
  'release-killed-while-it-starts': scenario(
    'A release loads a larger model than its liveness probe waits for; the old one was stopped first',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/recommender';
      const probe = { httpGet: { path: '/live', port: 8080 }, periodSeconds: 3, failureThreshold: 3 };
      const recommender = cluster.deployment('ml/recommender', {
        ...{ replicas: 1, image: `${image}:1`, container: { livenessProbe: probe } },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('ml/recommender');
      cluster.image(`${image}:2`, {
        readyAfterSeconds: 'never',
        livenessFails: {
          afterSeconds: 3,
          says: 'Get "http://10.244.1.12:8080/live": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        },
        log: ['INFO loading shard 3 of 16 from /models/ranker-xl'],
      });
      cluster.at('8s', () => recommender.setImage(`${image}:2`));
      const names = dependants(cluster, '16s', {
        'shop/home': {
          does: unready([
            'upstream http://recommender.ml.svc:80/v1/top: dial tcp 10.96.7.7:80: connect: connection refused',
          ]),
        },
      });
      cluster.lasts('3m');
      cluster.expectIncident({ root: 'Deployment/ml/recommender', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),

  // https://pkg.go.dev/net/url: what a template left in a variable.
  'release-with-a-broken-variable': scenario(
    'A release gets a connection string in which a placeholder was left; an API calls it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/stock';
      const stock = cluster.deployment('shop/stock', {
        ...{
          replicas: 2,
          image: `${image}:1`,
          values: { DATABASE_URL: 'postgres://stock@postgres.shop.svc:5432/stock' },
        },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('shop/stock');
      cluster.image(
        `${image}:2`,
        ends([
          'cannot parse `postgres://stock@$(DB_HOST):$(DB_PORT)/stock`: failed to parse as URL (parse "postgres://stock@$(DB_HOST):$(DB_PORT)/stock": invalid port ":$(DB_PORT)" after host)',
        ]),
      );
      cluster.at('8s', () =>
        stock.change({ image: `${image}:2`, values: { DATABASE_URL: 'postgres://stock@$(DB_HOST):$(DB_PORT)/stock' } }),
      );
      const names = dependants(cluster, '13s', {
        'shop/api': {
          does: ends([
            'Error: connect ECONNREFUSED stock.shop.svc:80',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1637:16)',
          ]),
        },
        'shop/feeds': {
          does: unready([
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='stock.shop.svc', port=80): Max retries exceeded with url: /v1/levels (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at 0x7f2a>: Failed to establish a new connection: [Errno 111] Connection refused'))",
          ]),
        },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({ root: 'Deployment/shop/stock', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),
};
