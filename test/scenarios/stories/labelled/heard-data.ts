import { innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases, and those that live from them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/microsoft/mssql-docker/issues/869, https://github.com/bitwarden/helm-charts/issues/70: CU11 has another group.
  'cumulative-update-changes-the-group': reported(
    'A cumulative update of SQL Server runs with another group and may not write its old disk; three parts of a password store lose it',
    (cluster, firm) => {
      const repository = 'mcr.microsoft.com/mssql/server';
      const mssql = server(cluster, 'vaults/bitwarden-mssql', `${repository}:2022-CU10-ubuntu-22.04`, 1433, {
        ...{ clusterIP: '10.96.14.33', spec: disks(cluster, 'managed-premium', 'disk.csi.azure.com') },
      });
      innocentRelease(cluster, after(-40), firm);
      cluster.image(
        `${repository}:2022-CU11-ubuntu-22.04`,
        ends(
          [
            'SQL Server 2022 will run as non-root by default.',
            'This container is running as user mssql.',
            '/opt/mssql/bin/sqlservr: Error: The system directory [/.system] could not be created. File: LinuxDirectory.cpp:420 [Status: 0xC0000022 Access Denied errno = 0xD(13) Permission denied]',
          ],
          1,
          3,
        ),
      );
      cluster.at(after(0), () => mssql.setImage(`${repository}:2022-CU11-ubuntu-22.04`));
      const values = {
        globalSettings__sqlServer__connectionString: 'Server=tcp:bitwarden-mssql.vaults.svc.cluster.local,1433',
      };
      const innocents = clients(cluster, 15, {
        'vaults/bitwarden-api': {
          does: unready([
            'Microsoft.Data.SqlClient.SqlException (0x80131904): A network-related or instance-specific error occurred while establishing a connection to SQL Server. The server was not found or was not accessible. (provider: TCP Provider, error: 40 - Could not open a connection to SQL Server)',
            ' ---> System.Net.Sockets.SocketException (111): Connection refused bitwarden-mssql.vaults.svc.cluster.local:1433',
          ]),
          values,
        },
        'vaults/bitwarden-identity': {
          does: ends(
            [
              'System.Net.Sockets.SocketException (111): Connection refused bitwarden-mssql.vaults.svc.cluster.local:1433',
            ],
            139,
            20,
          ),
          values,
        },
        'vaults/bitwarden-events': {
          does: unready(['dial tcp 10.96.14.33:1433: connect: connection refused']),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/vaults/bitwarden-mssql',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//managed-premium', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/StarRocks/starrocks/issues/56768, https://github.com/StarRocks/starrocks/issues/57364
  'catalogue-lay-on-no-disk': reported(
    'The frontends of an analytics database, whose catalogue lay on no disk, are restarted together and know each other no more; boards and loads fail',
    (cluster) => {
      const image = 'docker.io/starrocks/fe-ubuntu:3.3.9';
      const fe = server(cluster, 'olap/starrocks-fe', image, 9030, {
        ...{ replicas: 3, clusterIP: '10.96.90.30', spec: { podManagementPolicy: 'Parallel' } },
      });
      cluster.statefulSet('olap/starrocks-be', { replicas: 3, image: 'docker.io/starrocks/be-ubuntu:3.3.9' });
      cluster.at(after(0), () => {
        cluster.befall(
          image,
          ends(
            [
              '2026-11-23 09:20:17,211 INFO (main|1) [BDBEnvironment.setupEnvironment():278] start to setup bdb environment',
              '2026-11-23 09:20:31,004 ERROR (main|1) [StarRocksFE.main():180] StarRocksFE start failed',
              'com.starrocks.common.DdlException: FE with the same host: starrocks-fe-0.starrocks-fe.olap.svc.cluster.local already exists',
            ],
            1,
            14,
          ),
        );
        fe.restart();
      });
      const values = { STARROCKS_HOST: 'starrocks-fe.olap.svc.cluster.local' };
      const innocents = clients(cluster, 30, {
        'olap/boards': {
          does: unready([
            `sqlalchemy.exc.OperationalError: (pymysql.err.OperationalError) (2003, "Can't connect to MySQL server on 'starrocks-fe.olap.svc.cluster.local' ([Errno 111] Connection refused)")`,
          ]),
          values,
        },
        'ads/bid-loader': {
          does: ends(['level=fatal msg="stream load" error="dial tcp 10.96.90.30:9030: connect: connection refused"']),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/olap/starrocks-fe',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/olap/starrocks-be'],
      });
    },
  ),

  // https://github.com/rethinkdb/rethinkdb/issues/3041: after an abrupt restart of its machine its file is not whole.
  'database-does-not-survive-its-machine': reported(
    'A machine restarts without warning; the database on it finds its file damaged and does not come up again, and two that follow its changes fail',
    (cluster) => {
      const image = 'docker.io/library/rethinkdb:2.4.4';
      server(cluster, 'greenhouse/rethinkdb', image, 28015, {
        ...{ clusterIP: '10.96.28.15', spec: disks(cluster), nodeSelector: { 'kubernetes.io/hostname': 'n2' } },
      });
      cluster.at(after(0), () => {
        cluster.node('n2').reboot('50s');
        cluster.image(
          image,
          ends(
            [
              'Running rethinkdb 2.4.4~0bookworm (GCC 12.2.0)...',
              'Loading data from directory /data/rethinkdb_data',
              'error: Error in src/serializer/log/extent_manager.cc at line 24:',
              'error: Guarantee failed: [state_ != state_in_use || extent_use_refcount == 0]',
            ],
            134,
            5,
          ),
        );
      });
      cluster.at(after(55), () =>
        cluster.befall(
          image,
          ends(
            [
              'Loading data from directory /data/rethinkdb_data',
              'error: Error in src/serializer/log/extent_manager.cc at line 24:',
              'error: Guarantee failed: [state_ != state_in_use || extent_use_refcount == 0]',
            ],
            134,
            5,
          ),
        ),
      );
      const values = { RETHINKDB_HOST: 'rethinkdb.greenhouse.svc.cluster.local' };
      const innocents = clients(cluster, 65, {
        'greenhouse/irrigation': {
          does: ends([
            'ReqlDriverError: Could not connect to rethinkdb.greenhouse.svc.cluster.local:28015.',
            'connect ECONNREFUSED 10.96.28.15:28015',
          ]),
          values,
        },
        'greenhouse/panel': {
          does: unready([
            'rethinkdb.errors.ReqlDriverError: Could not connect to 10.96.28.15:28015. Error: [Errno 111]',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/greenhouse/rethinkdb',
        accepts: ['Node//n2', 'PersistentVolumeClaim/greenhouse/data-rethinkdb-0'],
        messages: { resolve: 0, update: '≤2', open: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/kurrent-io/KurrentDB/issues/5233: a restart of the members heals it, until the next time.
  'members-of-an-event-store-call-each-other-dead': reported(
    'The members of an event store call each other dead, and none leads; two that append fail, until the members are restarted after nine minutes',
    (cluster, firm) => {
      const image = 'docker.io/eventstore/eventstore:23.10.3-jammy';
      const store = server(cluster, 'claims/eventstore', image, 2113, {
        ...{ replicas: 3, clusterIP: '10.96.21.13' },
        spec: { ...disks(cluster), podManagementPolicy: 'Parallel' },
      });
      innocentRelease(cluster, after(-55), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          unready([
            '[00001,24,09:05:31.118,INF] Looks like node ["eventstore-1.eventstore.claims.svc.cluster.local:2113"] is DEAD (TCP connection lost). Issuing a gossip',
            '[00001,24,09:05:31.402,INF] ELECTIONS: TIMED OUT! (S=ElectingLeader, M=null).',
          ]),
        ),
      );
      const values = { EVENTSTORE_URL: 'esdb://eventstore.claims.svc.cluster.local:2113' };
      const places = {
        'claims/intake': {
          does: ends([
            'EventStore.Client.DiscoveryException: Failed to discover candidate in 10 attempts.',
            'Grpc.Core.RpcException: Status(StatusCode="Unavailable", Detail="Error connecting to eventstore.claims.svc.cluster.local:2113")',
          ]),
          values,
        },
        'claims/projections': {
          does: unready(['EventStore.Client.NotLeaderException: Not leader. No leader at 10.96.21.13:2113 is known.']),
          values,
        },
      };
      const innocents = clients(cluster, 25, places);
      cluster.at(after(540), () => {
        cluster.image(image, {});
        store.restart();
        cluster.befall(image, {});
      });
      recover(cluster, 575, ...Object.keys(places));
      cluster.expectIncident({
        root: 'StatefulSet/claims/eventstore',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/claims/eventstore', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/matrix-org/synapse/issues/14566, https://github.com/element-hq/synapse/issues/16915
  'new-database-sorts-in-another-order': reported(
    'The database of a chat is moved to another image, which made it anew with another collation; the homeserver and both its workers refuse it',
    (cluster) => {
      const postgres = server(cluster, 'matrix/matrix-postgresql', 'docker.io/library/postgres:15.4', 5432);
      const image = 'docker.io/matrixdotorg/synapse:v1.100.0';
      const values = { POSTGRES_HOST: 'matrix-postgresql.matrix.svc.cluster.local' };
      const names = ['synapse-main', 'synapse-federation-sender', 'synapse-generic-worker'];
      const handles = names.map((name) => cluster.deployment(`matrix/${name}`, { image, values }));
      cluster.service('matrix/synapse-main');
      cluster.at(after(0), () => postgres.setImage('ghcr.io/house/postgres-icu:15.4'));
      cluster.at(after(35), () => {
        cluster.befall(
          image,
          ends(
            [
              "synapse.storage.engines.postgres - 65 - WARNING - main - Database has incorrect collation of 'en_US.UTF-8'. Should be 'C'",
              'synapse.storage.engines._base.IncorrectDatabaseSetup: Database is incorrectly configured:',
              "     - 'COLLATE' is set to 'en_US.UTF-8'. Should be 'C'",
              "     - 'CTYPE' is set to 'en_US.UTF-8'. Should be 'C'",
            ],
            1,
            6,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/matrix/matrix-postgresql',
        accepts: names.map((name) => `Deployment/matrix/${name}` as const),
        messages: { resolve: 0, update: '≤2', open: '≤3' },
        mustNotBlame: ['Service/matrix/synapse-main', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
