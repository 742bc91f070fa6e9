import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/docker-library/postgres/issues/37: a new major version does not read the files of the old one.
  'major-version-of-a-database': scenario(
    'A StatefulSet gets the next major version of its database, which does not read its files',
    (cluster) => {
      surroundings(cluster);
      const image = 'docker.io/library/postgres';
      const database = cluster.statefulSet('shop/postgres', { replicas: 3, image: `${image}:16` });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const container = plainEnv({ PGHOST: 'postgres.shop.svc' });
      cluster.deployment('shop/orders', { replicas: 2, image: 'registry.acme.example/orders:3', container });
      cluster.image(
        `${image}:17`,
        ends(
          [
            'PostgreSQL Database directory appears to contain a database; Skipping initialization',
            'FATAL:  database files are incompatible with server',
            'DETAIL:  The data directory was initialized by PostgreSQL version 16, which is not compatible with this version 17.2.',
          ],
          1,
          1,
        ),
      );
      cluster.at('8s', () => database.setImage(`${image}:17`));
      cluster.expectIncident({
        root: 'StatefulSet/shop/postgres',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['Deployment/shop/orders'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#stable-network-id: the headless Service makes the names.
  'headless-service-deleted': scenario(
    'The headless Service of a StatefulSet is deleted, and a member that restarts finds no peers',
    (cluster) => {
      surroundings(cluster);
      const image = 'docker.io/library/mongo:8';
      const mongo = cluster.statefulSet('shop/mongo', {
        replicas: 3,
        image,
        spec: { podManagementPolicy: 'Parallel' },
      });
      const port = { ports: [{ name: 'mongo', port: 27017, targetPort: 27017, protocol: 'TCP' }] };
      const service = cluster.service('shop/mongo', { clusterIP: 'None', ...port });
      cluster.at('8s', () => service.delete());
      cluster.at('16s', () => {
        cluster.image(
          image,
          ends(
            [
              '{"s":"E","c":"REPL","msg":"Locally stored replica set configuration is invalid","attr":{"error":"HostUnreachable: could not find address for mongo-1.mongo.shop.svc.cluster.local:27017: SocketException: onInvoke :: caused by :: Host not found (authoritative)"}}',
            ],
            14,
          ),
        );
        mongo.restart();
      });
      cluster.expectIncident({
        root: 'Service/shop/mongo',
        accepts: ['StatefulSet/shop/mongo'],
        mustNotBlame: ['Service/kube-system/kube-dns', 'Deployment/kube-system/coredns'],
      });
    },
  ),
};
