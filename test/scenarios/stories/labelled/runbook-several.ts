import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

/** More than one thing at a time, and what comes and goes. */
export const stories: Readonly<Record<string, Scenario>> = {
  // Two causes that have nothing to do with each other.
  'broker-and-a-machine': scenario(
    'A broker crashes; a minute later a machine without any of its clients is lost',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', { name: 'n3', labels: { pool: 'batch' } }]);
      const apart = {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] }],
            },
          },
        },
      };
      const image = 'docker.io/library/nats:2.11';
      cluster.statefulSet('shop/nats', { image, nodeSelector: { 'kubernetes.io/hostname': 'n1' }, pod: apart });
      cluster.service('shop/nats', { ports: [{ name: 'client', port: 4222, targetPort: 4222, protocol: 'TCP' }] });
      cluster.deployment('batch/render', {
        replicas: 2,
        image: 'registry.acme.example/render:1',
        nodeSelector: { pool: 'batch' },
      });
      cluster.at('6s', () =>
        cluster.befall(image, ends(['nats-server: /etc/nats/nats.conf:3:1: unknown field "jetsream"'], 1, 1)),
      );
      for (const name of ['orders', 'shipping']) {
        const own = `registry.acme.example/${name}:7`;
        cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: own,
          nodeSelector: { 'kubernetes.io/hostname': 'n2' },
        });
        cluster.at('11s', () =>
          cluster.befall(
            own,
            ends([
              'nats: no servers available for connection: dial tcp: connect to nats.shop.svc:4222: connect: connection refused',
            ]),
          ),
        );
      }
      cluster.at('60s', () => cluster.node('n3').losePower());
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'StatefulSet/shop/nats',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/shipping', 'Node//n1'],
      });
      cluster.expectIncident({ root: 'Node//n3', messages: { resolve: 0 }, mustNotBlame: ['Deployment/batch/render'] });
    },
  ),

  // A ConfigMap goes in one team, a release fails in another; both within seconds.
  'two-teams-within-seconds': scenario(
    'One team deletes settings that two of its workloads read, another releases a crash',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const settings = cluster.configMap('office/defaults', { LOCALE: 'de' });
      const handles = ['crm', 'tickets'].map((name) =>
        cluster.deployment(`office/${name}`, {
          ...{ replicas: 2, image: `registry.acme.example/${name}:1`, envFrom: ['defaults'] },
          spec: { strategy: { type: 'Recreate' } },
        }),
      );
      const image = 'registry.acme.example/orders';
      const orders = cluster.deployment('shop/orders', { replicas: 3, image: `${image}:1` });
      cluster.image(
        `${image}:2`,
        ends([
          "TypeError: Cannot read properties of undefined (reading 'currency')",
          '    at Object.<anonymous> (/app/dist/main.js:14:22)',
        ]),
      );
      cluster.at('5s', () => settings.delete());
      cluster.at('8s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.at('9s', () => orders.setImage(`${image}:2`));
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'ConfigMap/office/defaults',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/office/crm', 'Deployment/office/tickets'],
      });
      cluster.expectIncident({
        root: 'Deployment/shop/orders',
        messages: { resolve: 0 },
        mustNotBlame: ['ConfigMap/office/defaults'],
      });
    },
  ),

  // What is ready and not ready in turns is one problem, not ten.
  'readiness-comes-and-goes': scenario(
    'A workload is ready and not ready in turns for six minutes, and then healthy',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/quotes:3';
      cluster.deployment('shop/quotes', { replicas: 2, image });
      cluster.service('shop/quotes');
      for (let index = 0; index < 6; index += 1) {
        cluster.at(`${8 + index * 60}s`, () =>
          cluster.befall(image, unready(['WARN pool exhausted: 50 of 50 in use, 112 waiting'])),
        );
        cluster.at(`${8 + index * 60 + 40}s`, () => cluster.befall(image, {}));
      }
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Deployment/shop/quotes',
        beginsAfterSeconds: 8,
        firstMessageWithinSeconds: 400,
        messages: { open: 1, update: '≤1', resolve: 1, reopen: '≤1' },
        mustNotBlame: ['Service/shop/quotes'],
      });
    },
  ),

  // The database comes back by itself; its clients, too.
  'cache-away-for-two-minutes': scenario(
    'A cache is killed for its memory for two minutes; all that needs it recovers with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/library/memcached:1.6';
      cluster.deployment('shop/memcached', { image, memory: '64Mi' });
      cluster.service('shop/memcached', {
        ports: [{ name: 'cache', port: 11211, targetPort: 11211, protocol: 'TCP' }],
      });
      const does = (lines: readonly string[]) => ({ does: unready(lines) });
      const names = dependants(cluster, '14s', {
        'shop/pages': does(['dial tcp: connect to memcached.shop.svc:11211: connect: connection refused']),
        'shop/blog': does([
          'ConnectionRefusedError: [Errno 111] Connection refused',
          "pymemcache: could not reach ('memcached.shop.svc', 11211)",
        ]),
      });
      cluster.at('6s', () =>
        cluster.befall(image, { exit: { afterSeconds: 4, code: 137, oom: true }, readyAfterSeconds: 'never' }),
      );
      cluster.at('2m10s', () => cluster.befall(image, {}));
      cluster.at('2m20s', () => {
        for (const name of ['pages', 'blog']) cluster.befall(`registry.acme.example/${name}:7`, {});
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Deployment/shop/memcached',
        messages: { open: 1, update: '≤1', resolve: 1 },
        mustNotBlame: names,
      });
    },
  ),

  // A release that is wrong beside a database that is wrong: each has its own clients.
  'two-databases-two-groups': scenario(
    'Two databases fail within half a minute for different reasons, each with a client of its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const [pg, my] = ['docker.io/library/postgres:16.3', 'docker.io/library/mysql:8.4'];
      cluster.statefulSet('shop/postgres', { image: pg });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const mysql = cluster.statefulSet('office/mysql', { image: my });
      cluster.service('office/mysql', { ports: [{ name: 'sql', port: 3306, targetPort: 3306, protocol: 'TCP' }] });
      cluster.at('6s', () =>
        cluster.befall(pg, ends(['FATAL:  could not write lock file "postmaster.pid": No space left on device'], 1, 1)),
      );
      cluster.image('docker.io/library/mysql:8.99', { pullError: 'NotFound' });
      cluster.at('25s', () => mysql.setImage('docker.io/library/mysql:8.99'));
      const shop = dependants(cluster, '11s', {
        'shop/orders': {
          does: ends(['connection to server at "postgres.shop.svc" (10.96.3.3), port 5432 failed: Connection refused']),
        },
      });
      const office = dependants(cluster, '32s', {
        'office/crm': {
          does: ends(["ERROR 2003 (HY000): Can't connect to MySQL server on 'mysql.office.svc:3306' (111)"]),
        },
      });
      cluster.lasts('2m50s');
      cluster.expectIncident({ root: 'StatefulSet/shop/postgres', messages: { resolve: 0 }, mustNotBlame: shop });
      cluster.expectIncident({ root: 'StatefulSet/office/mysql', messages: { resolve: 0 }, mustNotBlame: office });
    },
  ),
};
