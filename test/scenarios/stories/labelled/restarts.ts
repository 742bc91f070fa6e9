import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

const port = { ports: [{ name: 'sql', port: 3306, targetPort: 3306, protocol: 'TCP' }] };
const client = plainEnv({ DB_HOST: 'mysql.data.svc.cluster.local', DB_PORT: '3306' });
const refused = ends([
  "ERROR 2003 (HY000): Can't connect to MySQL server on 'mysql.data.svc.cluster.local:3306' (111)",
]);
const corrupt = ends(
  [
    '[ERROR] [MY-012592] [InnoDB] Operating system error number 2 in a file operation.',
    '[ERROR] [MY-010119] [Server] Aborting',
  ],
  1,
  2,
);

export const stories: Readonly<Record<string, Scenario>> = {
  // https://dev.mysql.com/doc/refman/8.4/en/can-not-connect-to-server.html
  'restart-while-the-database-is-down': scenario(
    'Tocsin is restarted while a database and its clients are down',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const mysql = 'docker.io/library/mysql:8.4';
      cluster.statefulSet('data/mysql', { image: mysql });
      cluster.service('data/mysql', port);
      for (const name of ['orders', 'accounts'])
        cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: `registry.acme.example/${name}:1`,
          container: client,
        });
      cluster.at('8s', () => cluster.befall(mysql, corrupt));
      cluster.at('12s', () => {
        for (const name of ['orders', 'accounts']) cluster.befall(`registry.acme.example/${name}:1`, refused);
      });
      cluster.at('100s', () => cluster.restartTocsin());
      cluster.lasts('3m30s');
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'StatefulSet/data/mysql',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/accounts'],
      });
    },
  ),

  // https://dev.mysql.com/doc/refman/8.4/en/can-not-connect-to-server.html
  'start-into-an-outage': scenario(
    'Tocsin is installed while a database and its clients are down already',
    (cluster) => {
      surroundings(cluster);
      const mysql = 'docker.io/library/mysql:8.4';
      cluster.image(mysql, corrupt);
      cluster.statefulSet('data/mysql', { image: mysql, broken: true });
      cluster.service('data/mysql', port);
      for (const name of ['orders', 'accounts']) {
        cluster.image(`registry.acme.example/${name}:1`, refused);
        cluster.deployment(`shop/${name}`, {
          replicas: 2,
          image: `registry.acme.example/${name}:1`,
          container: client,
          broken: true,
        });
      }
      cluster.startsAfter('2m');
      cluster.lasts('90s');
      cluster.recordedFrom('sandbox');
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'StatefulSet/data/mysql',
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/accounts'],
        firstMessageWithinSeconds: 300,
      });
    },
  ),
};
