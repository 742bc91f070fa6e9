import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/OpenHands/OpenHands-Cloud/issues/472: Pods start before the database migration has run.
  'release-without-its-migration': scenario('A release reads a column that no migration has made', (cluster) => {
    surroundings(cluster);
    cluster.statefulSet('shop/postgres', { image: 'docker.io/library/postgres:16' });
    cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
    const database = plainEnv({ DATABASE_URL: 'postgresql://orders@postgres.shop.svc:5432/orders' });
    const image = 'registry.acme.example/orders';
    const orders = cluster.deployment('shop/orders', { replicas: 3, image: `${image}:2.3.4`, container: database });
    cluster.deployment('shop/invoices', {
      replicas: 2,
      image: 'registry.acme.example/invoices:1.8',
      container: database,
    });
    cluster.image(
      `${image}:2.4.0`,
      ends(
        [
          'INFO:     Started server process [1]',
          'Traceback (most recent call last):',
          '  File "/app/orders/startup.py", line 41, in warm_cache',
          'sqlalchemy.exc.ProgrammingError: (psycopg2.errors.UndefinedColumn) column orders.currency does not exist',
          'LINE 1: SELECT orders.id, orders.total, orders.currency FROM orders',
          'ERROR:    Application startup failed. Exiting.',
        ],
        3,
      ),
    );
    cluster.at('10s', () => orders.setImage(`${image}:2.4.0`));
    cluster.expectIncident({
      root: 'Deployment/shop/orders',
      reason: 'CrashLoopBackOff',
      mustNotBlame: ['StatefulSet/shop/postgres', 'Deployment/shop/invoices', 'Service/shop/postgres'],
    });
  }),

  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/: the application ends at once for want of its settings.
  'release-needs-a-variable': scenario('A release needs a variable that nobody has set', (cluster) => {
    cluster.recordedFrom('sandbox');
    const { storefront } = surroundings(cluster);
    const image = 'registry.acme.example/payments';
    const payments = cluster.deployment('shop/payments', { replicas: 2, image: `${image}:7.1` });
    cluster.service('shop/payments');
    cluster.image(
      `${image}:7.2`,
      ends([
        '> payments@7.2.0 start',
        '> node dist/main.js',
        '/app/dist/config.js:18',
        "    throw new Error('Missing required environment variable ' + name);",
        '    ^',
        'Error: Missing required environment variable STRIPE_WEBHOOK_SECRET',
        '    at required (/app/dist/config.js:18:11)',
        'Node.js v22.11.0',
      ]),
    );
    cluster.at('4s', () => storefront.setImage('registry.acme.example/storefront:5.2'));
    cluster.at('12s', () => payments.setImage(`${image}:7.2`));
    cluster.lasts('3m15s');
    cluster.expectIncident({
      root: 'Deployment/shop/payments',
      reason: 'CrashLoopBackOff',
      mustNotBlame: ['Deployment/web/storefront', 'Service/shop/payments'],
    });
  }),

  // https://koti.dev/posts/liveness-readiness-failure: a health route was renamed, the probe still asks for the old one.
  'release-renames-its-health-route': scenario(
    'A release renames its health route, and liveness kills it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/catalogue';
      const livenessProbe = { httpGet: { path: '/healthz', port: 8080 } };
      const catalogue = cluster.deployment('shop/catalogue', {
        ...{ replicas: 3, image: `${image}:11`, container: { livenessProbe } },
      });
      cluster.image(`${image}:12`, {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 404',
        livenessFails: { afterSeconds: 5, says: 'HTTP probe failed with statuscode: 404' },
        log: ['[GIN-debug] Listening and serving HTTP on :8080', '[GIN] | 404 | GET "/healthz"'],
      });
      cluster.at('8s', () => catalogue.setImage(`${image}:12`));
      cluster.lasts('4m');
      cluster.expectIncident({ root: 'Deployment/shop/catalogue', mustNotBlame: ['Deployment/web/storefront'] });
    },
  ),

  // https://github.com/aquasecurity/tracee/issues/2757: the image is built for another processor.
  'release-for-another-processor': scenario('A release was built on a laptop with another processor', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'registry.acme.example/thumbnails';
    const thumbnails = cluster.deployment('media/thumbnails', { replicas: 2, image: `${image}:0.9.1` });
    cluster.image(`${image}:0.9.2`, ends(['exec /usr/local/bin/thumbnails: exec format error'], 255, 1));
    cluster.at('9s', () => thumbnails.setImage(`${image}:0.9.2`));
    cluster.expectIncident({ root: 'Deployment/media/thumbnails', reason: 'CrashLoopBackOff' });
  }),

  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/: the name of a Service is not what the client asks for.
  'release-names-a-service-that-is-not-there': scenario(
    'A release asks for its cache by a name that no Service has',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.deployment('shop/redis', { image: 'docker.io/library/redis:7.4' });
      cluster.service('shop/redis', { ports: [{ name: 'redis', port: 6379, targetPort: 6379, protocol: 'TCP' }] });
      const image = 'registry.acme.example/basket';
      const basket = cluster.deployment('shop/basket', {
        ...{
          replicas: 3,
          image: `${image}:41`,
          container: plainEnv({ REDIS_ADDR: 'redis.shop.svc.cluster.local:6379' }),
        },
      });
      cluster.image(
        `${image}:42`,
        ends([
          '{"level":"info","msg":"basket 42 starting"}',
          '{"level":"fatal","msg":"redis: dial tcp: lookup redis-cluster.shop.svc.cluster.local on 10.96.0.10:53: no such host"}',
        ]),
      );
      cluster.at('10s', () =>
        basket.change({
          image: `${image}:42`,
          container: plainEnv({ REDIS_ADDR: 'redis-cluster.shop.svc.cluster.local:6379' }),
        }),
      );
      cluster.expectIncident({
        root: 'Deployment/shop/basket',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['Service/kube-system/kube-dns', 'Deployment/kube-system/coredns', 'Deployment/shop/redis'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-init-containers/
  'release-whose-init-image-is-missing': scenario(
    'A release has a typing error in the tag of its init container',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const { wiki } = surroundings(cluster);
      const image = 'registry.acme.example/accounts:6.0';
      const accounts = cluster.deployment('shop/accounts', {
        replicas: 2,
        image,
        init: 'registry.acme.example/migrate:6.0',
      });
      cluster.image('registry.acme.example/migrate:v6.1', { pullError: 'NotFound' });
      cluster.at('5s', () => wiki.restart());
      cluster.at('12s', () =>
        accounts.change({ image: 'registry.acme.example/accounts:6.1', init: 'registry.acme.example/migrate:v6.1' }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/accounts',
        reason: 'ImageNotFound',
        mustNotBlame: ['Registry//registry.acme.example', 'Deployment/office/wiki'],
      });
    },
  ),
};
