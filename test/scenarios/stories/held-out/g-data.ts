import { innocentRelease } from '../../kit/company.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, disks, killed, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases, brokers, caches and search, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/camunda/camunda/issues/11389, and https://github.com/camunda/camunda/issues/6742 for what its clients say
  'process-engine-stops-at-its-watermark': reported(
    'The disks of a Zeebe are nearly full and its partitions take nothing more; three workers find it unavailable',
    (cluster, firm) => {
      const image = 'docker.io/camunda/zeebe:8.1.5';
      server(cluster, 'workflow/zeebe', image, 26500, { replicas: 3, clusterIP: '10.96.82.10', spec: disks(cluster) });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          unready(
            [
              '2026-11-23 09:25:44.918 [Broker-1] [zb-actors-2] WARN  io.camunda.zeebe.broker.system.monitoring.DiskSpaceUsageMonitorActor - Out of disk space. Current available 103876132864 bytes. Minimum needed 142022698598 bytes.',
              '2026-11-23 09:25:45.102 [Broker-1-HealthCheckService] WARN  io.camunda.zeebe.broker.system - ZeebePartition-2 failed, marking it as unhealthy: Partition-2{status=UNHEALTHY, issue=HealthIssue[message=null, throwable=null, cause=ZeebePartition-2{status=UNHEALTHY, issue=HealthIssue[message=Not enough disk space available, throwable=null, cause=null]}]}',
            ],
            'HTTP probe failed with statuscode: 503',
          ),
        ),
      );
      const values = { ZEEBE_ADDRESS: 'zeebe.workflow.svc.cluster.local:26500' };
      const innocents = clients(cluster, 12, {
        'claims/assess': {
          does: unready([
            'io.camunda.zeebe.client.api.command.ClientStatusException: io exception',
            'Caused by: io.grpc.StatusRuntimeException: UNAVAILABLE: io exception',
            'Caused by: java.net.ConnectException: Connection refused: zeebe.workflow.svc.cluster.local/10.96.82.10:26500',
          ]),
          values,
        },
        'claims/payout': {
          does: ends([
            '2026/11/23 09:26:02 failed to activate jobs for worker payout: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.96.82.10:26500: connect: connection refused"',
          ]),
          values,
        },
        'letters/printer': {
          does: ends([
            'grpc Error Error: 14 UNAVAILABLE: failed to connect to all addresses',
            '    at Object.callErrorFromStatus (/app/node_modules/@grpc/grpc-js/build/src/call.js:31:26) zeebe.workflow.svc.cluster.local:26500',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/workflow/zeebe',
        accepts: ['PersistentVolumeClaim/workflow/data-zeebe-0', 'Service/workflow/zeebe'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/yugabyte/yugabyte-db/issues/19237: restarted again and again, it finds its own lock.
  'distributed-database-finds-its-own-lock': reported(
    'A YugabyteDB finds the lock file of its run before and shuts down each time; an API and a reporter cannot reach it',
    (cluster) => {
      const image = 'docker.io/yugabytedb/yugabyte:2.18.2.1-b1';
      server(cluster, 'ledger/yugabyte', image, 5433, { clusterIP: '10.96.82.33', spec: disks(cluster) });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '2026-11-23 09:22:01.771 UTC [16896] LOG:  YugaByte is ENABLED in PostgreSQL. Transactions are enabled.',
              '2026-11-23 09:22:01.778 UTC [16896] LOG:  listening on IPv4 address "0.0.0.0", port 5433',
              '2026-11-23 09:22:01.779 UTC [16896] FATAL:  lock file "/tmp/.yb.0.0.0.0:5433/.s.PGSQL.5433.lock" already exists',
              '2026-11-23 09:22:01.779 UTC [16896] HINT:  Is another postmaster (PID 68) using socket file "/tmp/.yb.0.0.0.0:5433/.s.PGSQL.5433"?',
              '2026-11-23 09:22:01.779 UTC [16896] LOG:  database system is shut down',
            ],
            1,
            5,
          ),
        ),
      );
      const values = { PGHOST: 'yugabyte.ledger.svc.cluster.local', PGPORT: '5433' };
      const innocents = clients(cluster, 8, {
        'ledger/postings': {
          does: ends(
            [
              'thread \'main\' panicked at src/db.rs:22:10: called `Result::unwrap()` on an `Err` value: Error { kind: Connect, cause: Some(Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }) }',
              'note: connecting to yugabyte.ledger.svc.cluster.local:5433',
            ],
            101,
          ),
          values,
        },
        'ledger/statements': {
          does: unready([
            'django.db.utils.OperationalError: connection to server at "yugabyte.ledger.svc.cluster.local" (10.96.82.33), port 5433 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/ledger/yugabyte',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/ledger/yugabyte'],
      });
    },
  ),

  // https://github.com/arun-gupta/couchbase-kubernetes/issues/7: the address is kept on its volume.
  'document-cache-refuses-its-new-address': reported(
    'A Couchbase is moved by a drain and refuses to start, as the address on its volume is not its own any more; two services lose it',
    (cluster) => {
      const image = 'docker.io/library/couchbase:community-7.2.4';
      server(cluster, 'profile/couchbase', image, 8091, { clusterIP: '10.96.82.44', spec: disks(cluster) });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'Starting Couchbase Server -- Web UI available at http://<ip>:8091',
              "[ns_server:error,2026-11-23T09:23:34.313Z,nonode@nohost:dist_manager<0.142.0>:dist_manager:init:178]Configured address '10.2.17.3' seems to be invalid. Will refuse to start for safety reasons.",
            ],
            1,
            6,
          ),
        );
        cluster.evict('profile', 'couchbase');
      });
      const values = { COUCHBASE_URL: 'couchbase://couchbase.profile.svc.cluster.local' };
      const innocents = clients(cluster, 12, {
        'profile/accounts': {
          does: unready([
            'com.couchbase.client.core.error.UnambiguousTimeoutException: GetRequest, Reason: TIMEOUT {"cancelled":true,"completed":true,"lastDispatchedTo":"couchbase.profile.svc.cluster.local:11210"}',
            'Caused by: java.net.ConnectException: Connection refused: couchbase.profile.svc.cluster.local/10.96.82.44:8091',
          ]),
          values,
        },
        'profile/preferences': {
          does: ends([
            'failed to connect to bucket: unambiguous timeout | {"InnerError":{"InnerError":{},"Message":"unambiguous timeout"}} dial tcp 10.96.82.44:8091: connect: connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/profile/couchbase',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/profile/couchbase', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/weaviate/weaviate/issues/7272: after a restart its members elect nobody.
  'vector-store-elects-nobody-after-a-restart': reported(
    'All members of a Weaviate are restarted at once and elect no leader; two assistants wait, until an administrator has made one its only voter',
    (cluster) => {
      const image = 'docker.io/semitechnologies/weaviate:1.28.5';
      const weaviate = server(cluster, 'assistants/weaviate', image, 8080, {
        ...{ replicas: 3, clusterIP: '10.96.82.55', spec: { ...disks(cluster), podManagementPolicy: 'Parallel' } },
      });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready(
            [
              '{"action":"startup","build_wv_version":"1.28.5","level":"info","msg":"open cluster service","servers":{"weaviate-0":8300,"weaviate-1":8300,"weaviate-2":8300},"time":"2026-11-23T09:43:28Z"}',
              '{"level":"warning","msg":"raft heartbeat timeout reached, starting election","last-leader-addr":"","last-leader-id":"","time":"2026-11-23T09:43:31Z"}',
              '{"action":"bootstrap","level":"error","msg":"could not join a cluster from [10.244.1.20:8300 10.244.2.21:8300]","time":"2026-11-23T09:43:40Z"}',
            ],
            'Get "http://10.244.1.20:8080/v1/.well-known/ready": dial tcp 10.244.1.20:8080: connect: connection refused',
          ),
        );
        cluster.evict('assistants', 'weaviate');
      });
      const values = { WEAVIATE_URL: 'http://weaviate.assistants.svc.cluster.local:8080' };
      const innocents = clients(cluster, 10, {
        'assistants/handbook': {
          does: ends([
            'weaviate.exceptions.WeaviateStartUpError: Could not connect to Weaviate:[Errno 111] Connection refused. http://weaviate.assistants.svc.cluster.local:8080/v1/.well-known/openid-configuration',
          ]),
          values,
        },
        'assistants/similar-parts': {
          does: unready([
            'Error: connect ECONNREFUSED 10.96.82.55:8080',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)',
          ]),
          values,
        },
      });
      cluster.at(after(900), () => {
        cluster.image(image, {});
        weaviate.restart();
        cluster.evict('assistants', 'weaviate');
      });
      cluster.at(after(905), () => cluster.befall(image, {}));
      recover(cluster, 960, 'assistants/handbook', 'assistants/similar-parts');
      cluster.expectIncident({
        root: 'StatefulSet/assistants/weaviate',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/assistants/weaviate'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/bitnami/charts/issues/28918, https://github.com/didx-xyz/acapy-cloud/pull/1327: Pgpool has no child process left.
  'pool-in-front-of-a-database-is-taken': reported(
    'A Pgpool has no process left for another client and is restarted by its own probe; the database behind it is idle, and three services wait',
    (cluster, firm) => {
      server(cluster, 'wallet/postgresql', 'docker.io/bitnamilegacy/postgresql-repmgr:16.4.0', 5432, { replicas: 3 });
      const image = 'docker.io/bitnamilegacy/pgpool:4.5.2';
      cluster.deployment('wallet/pgpool', {
        image,
        container: {
          livenessProbe: {
            ...{ exec: { command: ['/opt/bitnami/scripts/pgpool/healthcheck.sh'] } },
            ...{ periodSeconds: 10, failureThreshold: 5 },
          },
        },
      });
      cluster.service('wallet/pgpool', {
        ...{ clusterIP: '10.96.82.66', ports: [{ name: 'main', port: 5432, targetPort: 5432, protocol: 'TCP' }] },
      });
      innocentRelease(cluster, after(-20), firm);
      const says =
        'psql: error: connection to server on socket "/opt/bitnami/pgpool/tmp/.s.PGSQL.5432" failed: FATAL:  Sorry, too many clients already';
      cluster.at(after(0), () =>
        cluster.befall(image, {
          ...{ readyAfterSeconds: 'never', readinessSays: says, livenessFails: { afterSeconds: 30, says } },
          log: [
            '2026-11-23 09:06:27.041: child pid 144: FATAL:  Sorry, too many clients already',
            'pgpool 09:06:27.04 INFO  ==> Checking pgpool health...',
          ],
        }),
      );
      const values = { DATABASE_HOST: 'pgpool.wallet.svc.cluster.local' };
      const innocents = clients(cluster, 2, {
        'wallet/trust-registry': {
          does: ends([
            'sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at "pgpool.wallet.svc.cluster.local" (10.96.82.66), port 5432 failed: FATAL:  Sorry, too many clients already',
          ]),
          values,
        },
        'wallet/governance-agent': {
          does: unready([
            'error communicating with database: FATAL: Sorry, too many clients already (pgpool.wallet.svc.cluster.local:5432)',
          ]),
          values,
        },
        'wallet/endorser': {
          does: ends([
            'asyncpg.exceptions.TooManyConnectionsError: Sorry, too many clients already',
            'ERROR: could not open profile at postgres://pgpool.wallet.svc.cluster.local:5432/endorser',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/wallet/pgpool',
        accepts: ['Service/wallet/pgpool'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/wallet/postgresql', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/dragonflydb/dragonfly/issues/5431: since 1.31.0 its memory grows until it is killed.
  'store-in-memory-grows-since-its-upgrade': reported(
    'A Dragonfly is upgraded and grows until it is killed for its memory, every minute; a basket and a rate limiter lose it each time',
    (cluster) => {
      const repository = 'docker.dragonflydb.io/dragonflydb/dragonfly';
      const dragonfly = server(cluster, 'edge/dragonfly', `${repository}:v1.30.3`, 6379, {
        ...{ clusterIP: '10.96.82.77', memory: '2560Mi' },
      });
      cluster.image(`${repository}:v1.31.0`, {
        ...killed(
          [
            'I20251007 10:33:00.001474     1 init.cc:78] dragonfly running in opt mode.',
            'I20251007 10:33:00.004564     1 dfly_main.cc:691] Max memory limit is: 2.00GiB',
          ],
          45,
        ),
        readyAfterSeconds: 2,
      });
      cluster.at(after(0), () => dragonfly.setImage(`${repository}:v1.31.0`));
      const values = { REDIS_URL: 'redis://dragonfly.edge.svc.cluster.local:6379' };
      const innocents = clients(cluster, 100, {
        'edge/basket': {
          does: ends([
            'redis.exceptions.ConnectionError: Error 111 connecting to dragonfly.edge.svc.cluster.local:6379. Connection refused.',
          ]),
          values,
        },
        'edge/rate-limiter': {
          does: unready([
            'dial tcp 10.96.82.77:6379: connect: connection refused',
            'level=error msg="redis ping failed" addr=dragonfly.edge.svc.cluster.local:6379',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/edge/dragonfly',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/sysown/proxysql/issues/2804: "it was a wrong user's default_hostgroup"
  'proxy-of-a-database-sends-a-user-nowhere': reported(
    'The settings of a ProxySQL send a user to a group without servers; the proxy runs, and both services of that user find no server',
    (cluster) => {
      server(cluster, 'booking/mysql', 'docker.io/library/mysql:8.0.39', 3306, { replicas: 2 });
      const settings = cluster.configMap('booking/proxysql', {
        'proxysql.cnf': 'mysql_users: ({username = "booking", default_hostgroup = 10})',
      });
      const proxy = cluster.deployment('booking/proxysql', {
        ...{ replicas: 2, image: 'docker.io/proxysql/proxysql:2.6.3', pod: settingsVolume('proxysql') },
      });
      cluster.service('booking/proxysql', {
        ...{ clusterIP: '10.96.82.88', ports: [{ name: 'main', port: 6033, targetPort: 6033, protocol: 'TCP' }] },
      });
      cluster.at(after(0), () => {
        settings.edit({ 'proxysql.cnf': 'mysql_users: ({username = "booking", default_hostgroup = 20})' });
        proxy.restart();
      });
      const values = { DB_HOST: 'proxysql.booking.svc.cluster.local', DB_PORT: '6033' };
      const innocents = clients(cluster, 25, {
        'booking/rooms': {
          does: unready([
            'SQLSTATE[HY000]: General error: 9001 Max connect timeout reached while reaching hostgroup 20 after 10000ms (Connection: mysql, Host: proxysql.booking.svc.cluster.local, Port: 6033)',
          ]),
          values,
        },
        'booking/invoices': {
          does: ends([
            'Error 9001 (HY000): Max connect timeout reached while reaching hostgroup 20 after 10018ms',
            'could not ping database at proxysql.booking.svc.cluster.local:6033, exiting',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/booking/proxysql',
        accepts: ['Deployment/booking/proxysql', 'Service/booking/proxysql'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/booking/mysql'],
      });
    },
  ),
};
