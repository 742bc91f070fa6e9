import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings, unready } from '../../kit/surroundings.ts';

/** The address is given, so that what clients say of it is true. */
const port = (name: string, number: number, clusterIP?: string): object => ({
  ...(clusterIP && { clusterIP }),
  ports: [{ name, port: number, targetPort: number, protocol: 'TCP' }],
});

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/colophon-group/jobseek/issues/6117: the data volume is full, the database crashes, its clients follow.
  'database-disk-fills-up': scenario('The disk of the database is full, and what needs it fails', (cluster) => {
    const { storefront } = surroundings(cluster);
    const postgres = 'docker.io/library/postgres:16';
    cluster.object({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pg-0' },
      spec: {
        ...{ capacity: { storage: '40Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'manual' },
        ...{ hostPath: { path: '/data/pg-0' }, claimRef: { namespace: 'shop', name: 'data-postgres-0' } },
      },
    });
    const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '40Gi' } } };
    cluster.statefulSet('shop/postgres', {
      image: postgres,
      spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'manual', ...asked } }] },
    });
    cluster.service('shop/postgres', port('sql', 5432, '10.0.0.41'));
    const names = ['orders', 'accounts', 'invoices', 'search'];
    for (const name of names)
      cluster.deployment(`shop/${name}`, {
        ...{ replicas: 2, image: `registry.acme.example/${name}:5` },
        container: plainEnv({ PGHOST: 'postgres.shop.svc.cluster.local', PGPORT: '5432' }),
      });
    cluster.at('4s', () => storefront.scale(3));
    cluster.at('10s', () =>
      cluster.befall(
        postgres,
        ends([
          'LOG:  database system was interrupted; last known up at 2026-03-01 11:58:02 UTC',
          'LOG:  redo starts at 7/3F0000D8',
          'PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
          'LOG:  startup process (PID 29) was terminated by signal 6: Aborted',
          'LOG:  aborting startup due to startup process failure',
        ]),
      ),
    );
    cluster.at('16s', () => {
      for (const name of names)
        cluster.befall(
          `registry.acme.example/${name}:5`,
          ends([
            'could not connect to the database',
            'Error: connect ECONNREFUSED 10.0.0.41:5432 (postgres.shop.svc.cluster.local)',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1634:16)',
          ]),
        );
    });
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'StatefulSet/shop/postgres',
      accepts: ['PersistentVolumeClaim/shop/data-postgres-0', 'PersistentVolume//pg-0'],
      mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/accounts', 'Deployment/web/storefront'],
    });
  }),

  // https://redis.io/docs/latest/operate/oss_and_stack/management/admin/: a cache without maxmemory grows into its limit.
  'cache-out-of-memory': scenario('The cache is killed for its memory, and its clients are not ready', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const redis = 'docker.io/library/redis:7.4';
    cluster.deployment('cache/redis', { image: redis, memory: '256Mi' });
    cluster.service('cache/redis', port('redis', 6379));
    const names = ['basket', 'sessions', 'search'];
    for (const name of names) {
      const container = plainEnv({ REDIS_URL: 'redis://redis.cache.svc.cluster.local:6379/0' });
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:2`, container });
      cluster.service(`shop/${name}`);
    }
    cluster.at('10s', () =>
      cluster.befall(redis, {
        ...{ exit: { afterSeconds: 6, code: 137, oom: true }, readyAfterSeconds: 'never' },
        log: ['1:M * Ready to accept connections tcp', '1:M * DB loaded from append only file: 5.201 seconds'],
      }),
    );
    cluster.at('18s', () => {
      for (const name of names)
        cluster.befall(
          `registry.acme.example/${name}:2`,
          unready([
            'redis.exceptions.ConnectionError: Error 111 connecting to redis.cache.svc.cluster.local:6379. Connection refused.',
          ]),
        );
    });
    cluster.lasts('4m');
    cluster.expectIncident({
      root: 'Deployment/cache/redis',
      reason: 'OOMKilled',
      mustNotBlame: ['Deployment/shop/basket', 'Deployment/shop/sessions', 'Deployment/shop/search'],
    });
  }),

  // https://github.com/robertoachar/docker-rabbitmq-node/issues/6: clients of a broker that is not there.
  'broker-scaled-to-nothing': scenario(
    'Somebody scales the message broker to nothing, and its consumers crash',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const rabbitmq = cluster.statefulSet('messaging/rabbitmq', {
        image: 'docker.io/library/rabbitmq:4.1',
        replicas: 1,
      });
      cluster.service('messaging/rabbitmq', port('amqp', 5672, '10.0.0.42'));
      const names = ['mailer', 'invoices', 'indexer'];
      for (const name of names)
        cluster.deployment(`shop/${name}`, {
          ...{ replicas: 2, image: `registry.acme.example/${name}:1.1` },
          container: plainEnv({ AMQP_URL: 'amqp://shop@rabbitmq.messaging:5672/' }),
        });
      cluster.at('8s', () => rabbitmq.scale(0));
      cluster.at('14s', () => {
        for (const name of names)
          cluster.befall(
            `registry.acme.example/${name}:1.1`,
            ends(
              [
                'panic: dial tcp 10.0.0.42:5672: connect: connection refused',
                'goroutine 1 [running]:',
                'main.mustDial({0xc00001e0c0, 0x25})',
                '\t/src/cmd/consumer/main.go:47 +0x1d1',
              ],
              2,
            ),
          );
      });
      cluster.expectIncident({
        root: 'StatefulSet/messaging/rabbitmq',
        accepts: ['Service/messaging/rabbitmq'],
        mustNotBlame: ['Deployment/shop/mailer', 'Deployment/shop/invoices', 'Deployment/shop/indexer'],
      });
    },
  ),

  // https://github.com/sourcegraph/sourcegraph-public-snapshot/issues/2264: "sorry, too many clients already".
  'database-connections-used-up': scenario(
    'A worker is scaled up and takes every connection of the database; other clients get none',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const database = plainEnv({ DATABASE_HOST: 'postgres.data.svc', DATABASE_PORT: '5432' });
      cluster.statefulSet('data/postgres', { image: 'docker.io/library/postgres:16' });
      cluster.service('data/postgres', port('sql', 5432, '10.0.0.43'));
      const worker = cluster.deployment('shop/worker', {
        ...{ replicas: 2, image: 'registry.acme.example/worker:3', container: database },
      });
      for (const name of ['orders', 'accounts'])
        cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: `registry.acme.example/${name}:3`,
          container: database,
        });
      cluster.at('10s', () => worker.scale(14));
      cluster.at('25s', () => {
        for (const name of ['orders', 'accounts'])
          cluster.befall(
            `registry.acme.example/${name}:3`,
            ends([
              'psycopg2.OperationalError: connection to server at "postgres.data.svc" (10.0.0.43), port 5432 failed: FATAL:  sorry, too many clients already',
              'worker failed to boot',
            ]),
          );
      });
      cluster.expectIncident({
        root: 'StatefulSet/data/postgres',
        accepts: ['Deployment/shop/worker', 'Service/data/postgres'],
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/accounts'],
      });
    },
  ),

  // https://www.sivabuilds.com/notes/liveness-vs-readiness: readiness that asks what is behind it goes down with it.
  'identity-service-crashes': scenario(
    'A release of the identity service crashes on all its Pods; what asks it at each request is not ready',
    (cluster) => {
      surroundings(cluster);
      const image = 'registry.acme.example/identity';
      const identity = cluster.deployment('id/identity', {
        ...{ replicas: 2, image: `${image}:1.0`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('id/identity', { clusterIP: '10.0.0.44' });
      const names = ['orders', 'accounts', 'gateway'];
      for (const name of names)
        cluster.deployment(`shop/${name}`, {
          ...{ replicas: 2, image: `registry.acme.example/${name}:6` },
          container: plainEnv({ IDENTITY_URL: 'http://identity.id.svc.cluster.local' }),
        });
      cluster.image(
        `${image}:1.1`,
        ends(
          [
            'Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.',
            '   at Identity.Keys.Load() in /src/Keys.cs:line 22',
          ],
          134,
        ),
      );
      cluster.at('8s', () => identity.setImage(`${image}:1.1`));
      cluster.at('15s', () => {
        for (const name of names)
          cluster.befall(
            `registry.acme.example/${name}:6`,
            unready([
              'GET http://identity.id.svc.cluster.local/keys: dial tcp 10.0.0.44:80: connect: connection refused',
            ]),
          );
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Deployment/id/identity',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/accounts', 'Deployment/shop/gateway'],
      });
    },
  ),
};
