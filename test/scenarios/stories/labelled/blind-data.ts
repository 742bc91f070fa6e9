import { imageAt, innocentRelease, onlyOn, pinned } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, disks, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

const brief = { minutes: 7 };

/** Databases, brokers and what they are stored on. */
export const stories: Readonly<Record<string, Scenario>> = {
  'journal-fills-the-volume': reported(
    'A PostgreSQL whose archiving has stalled fills its volume with its journal; three that use it fail, one of them was released just before',
    (cluster) => {
      const spec = disks(cluster);
      const image = 'docker.io/bitnami/postgresql:16.4.0';
      server(cluster, 'loyalty/postgresql', image, 5432, { spec });
      const values = { DB_URL: 'postgresql://postgresql.loyalty.svc.cluster.local:5432/points' };
      const awards = cluster.deployment('loyalty/awards', { replicas: 2, image: imageAt('awards', '5.0'), values });
      cluster.at(after(-70), () => awards.setImage(imageAt('awards', '5.1')));
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '2026-11-23 09:02:11.918 GMT [1] LOG:  database system was interrupted; last known up at 2026-11-23 09:01:40 GMT',
              '2026-11-23 09:02:12.307 GMT [88] LOG:  redo starts at 41/9A0000D8',
              '2026-11-23 09:02:12.911 GMT [88] FATAL:  could not write to file "pg_wal/xlogtemp.88": No space left on device',
              '2026-11-23 09:02:12.915 GMT [1] LOG:  startup process (PID 88) exited with exit code 1',
              '2026-11-23 09:02:12.915 GMT [1] LOG:  aborting startup due to startup process failure',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.at(after(12), () =>
        cluster.befall(
          imageAt('awards', '5.1'),
          unready([
            '{"level":50,"time":1764000140123,"msg":"query failed","err":{"type":"Error","message":"connect ECONNREFUSED 10.96.88.14:5432","code":"ECONNREFUSED","address":"postgresql.loyalty.svc.cluster.local","port":5432}}',
          ]),
        ),
      );
      const innocents = clients(cluster, 10, {
        'loyalty/partners': {
          does: ends([
            'django.db.utils.OperationalError: connection to server at "postgresql.loyalty.svc.cluster.local" (10.96.88.14), port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ]),
          values,
        },
        'loyalty/export': {
          does: ends([
            'panic: failed to connect to `host=postgresql.loyalty.svc.cluster.local user=points database=points`: dial error (dial tcp 10.96.88.14:5432: connect: connection refused)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/loyalty/postgresql',
        accepts: ['PersistentVolumeClaim/loyalty/data-postgresql-0'],
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/loyalty/awards', 'Service/loyalty/postgresql'],
      });
    },
    brief,
  ),

  'cache-outgrows-its-limit': reported(
    'A Redis without a maximum outgrows its limit as it saves itself, while a web shop that uses it has just been released and is well but for that',
    (cluster) => {
      const image = 'docker.io/library/redis:7.2.5';
      server(cluster, 'gifts/redis', image, 6379, { memory: '256Mi' });
      const values = { REDIS_URL: 'redis://redis.gifts.svc.cluster.local:6379' };
      const shop = cluster.deployment('gifts/shop', { replicas: 3, image: imageAt('shop', '77'), values });
      cluster.service('gifts/shop');
      cluster.at(after(-60), () => shop.setImage(imageAt('shop', '78')));
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          killed([
            '1:M 23 Nov 2026 09:44:10.020 * DB loaded from append only file: 3.117 seconds',
            '1:M 23 Nov 2026 09:44:10.021 * Ready to accept connections tcp',
            '1:M 23 Nov 2026 09:44:11.104 * Background saving started by pid 20',
          ]),
        ),
      );
      cluster.at(after(9), () =>
        cluster.befall(
          imageAt('shop', '78'),
          unready([
            '[ioredis] Unhandled error event: Error: connect ECONNREFUSED 10.96.12.77:6379',
            'MaxRetriesPerRequestError: Reached the max retries per request limit (which is 20). Refer to "maxRetriesPerRequest" option for details. (redis.gifts.svc.cluster.local)',
          ]),
        ),
      );
      cluster.expectIncident({
        root: 'StatefulSet/gifts/redis',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/gifts/shop', 'Service/gifts/shop', 'Service/gifts/redis'],
      });
    },
    brief,
  ),

  'broker-loses-the-directory-of-its-logs': reported(
    'The disk of one of three Kafka brokers gives errors and the broker ends; a consumer of its partitions is not well until they move',
    (cluster, firm) => {
      const image = 'docker.io/bitnami/kafka:3.8.0';
      cluster.statefulSet('stream/kafka', { replicas: 3, image, spec: disks(cluster) });
      cluster.service('stream/kafka', { ports: [{ name: 'client', port: 9092, targetPort: 9092, protocol: 'TCP' }] });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () =>
        cluster.befall(image, ({ metadata }) =>
          metadata.name === 'kafka-1'
            ? ends(
                [
                  '[2026-11-23 09:26:12,004] ERROR Error while writing to checkpoint file /bitnami/kafka/data/replication-offset-checkpoint (org.apache.kafka.storage.internals.log.LogDirFailureChannel)',
                  'java.io.IOException: Input/output error',
                  '[2026-11-23 09:26:12,118] ERROR Shutdown broker because all log dirs in /bitnami/kafka/data have failed (kafka.log.LogManager)',
                ],
                1,
                8,
              )
            : {},
        ),
      );
      const innocents = clients(cluster, 18, {
        'stream/enricher': {
          does: unready([
            '%3|1764000388.201|FAIL|rdkafka#consumer-1| [thrd:kafka-1.kafka.stream.svc.cluster.local:9092/1]: kafka-1.kafka.stream.svc.cluster.local:9092/1: Connect to ipv4#10.244.2.31:9092 failed: Connection refused (after 0ms in state CONNECT, 5 identical error(s) suppressed)',
          ]),
          values: { KAFKA_BOOTSTRAP_SERVERS: 'kafka.stream.svc.cluster.local:9092' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/stream/kafka',
        accepts: ['Pod/stream/kafka-1', 'PersistentVolumeClaim/stream/data-kafka-1'],
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'cookie-is-made-anew': reported(
    'A chart makes a new Erlang cookie at each upgrade: the first broker that restarts is not let in by the others',
    (cluster) => {
      const cookie = cluster.secret('hotel/rabbitmq', { 'rabbitmq-erlang-cookie': 'one' });
      const image = 'docker.io/bitnami/rabbitmq:3.13.6';
      let isNew = false;
      cluster.image(image, ({ metadata }) =>
        isNew && metadata.name === 'rabbitmq-2'
          ? ends(
              [
                "2026-11-23 09:31:02.554141+00:00 [error] <0.254.0> Connection attempt from node 'rabbit@rabbitmq-2.rabbitmq-headless.hotel' rejected. Invalid challenge reply.",
                "attempted to contact: ['rabbit@rabbitmq-0.rabbitmq-headless.hotel']",
                'rabbit@rabbitmq-0.rabbitmq-headless.hotel:',
                '  * TCP connection succeeded but Erlang distribution failed',
                '  * suggestion: check if the Erlang cookie is identical for all server nodes and CLI tools',
              ],
              1,
              20,
            )
          : {},
      );
      const rabbit = cluster.statefulSet('hotel/rabbitmq', {
        ...{ replicas: 3, image, env: { RABBITMQ_ERL_COOKIE: 'secret/rabbitmq/rabbitmq-erlang-cookie' } },
      });
      cluster.service('hotel/rabbitmq');
      cluster.deployment('hotel/rooms', { replicas: 2, image: imageAt('rooms', 4) });
      cluster.at(after(0), () => {
        isNew = true;
        cookie.edit({ 'rabbitmq-erlang-cookie': 'two' });
      });
      cluster.at(after(4), () => rabbit.restart());
      cluster.expectIncident({
        root: 'Secret/hotel/rabbitmq',
        accepts: ['StatefulSet/hotel/rabbitmq'],
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/hotel/rooms'],
      });
    },
    brief,
  ),

  'new-machine-maps-too-little': reported(
    'A machine joins without the kernel setting that the search engine needs: its third node, which is placed there, does not start',
    (cluster) => {
      cluster.nodes([
        { name: 'n1', pods: 12 },
        { name: 'n2', pods: 12 },
      ]);
      const image = 'docker.elastic.co/elasticsearch/elasticsearch:8.15.1';
      const search = cluster.statefulSet('archive/elasticsearch', { replicas: 2, image });
      cluster.service('archive/elasticsearch');
      cluster.at(after(-60), () => {
        cluster.image(
          image,
          onlyOn(
            'm7',
            ends(
              [
                '{"@timestamp":"2026-11-23T09:18:40.222Z", "log.level": "INFO", "message":"bound or publishing to a non-loopback address, enforcing bootstrap checks"}',
                'ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.',
                'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
                'ERROR: Elasticsearch did not exit normally - check the logs at /usr/share/elasticsearch/logs/archive.log',
              ],
              78,
              16,
            ),
          ),
        );
        cluster.addNode({ name: 'm7' });
      });
      cluster.at(after(0), () => search.scale(3));
      cluster.expectIncident({
        root: 'Node//m7',
        accepts: ['StatefulSet/archive/elasticsearch'],
        mustNotBlame: ['Node//n1', 'Node//n2', 'Service/archive/elasticsearch'],
      });
    },
    brief,
  ),

  'volume-stays-with-the-machine-that-died': reported(
    'A machine dies: what replaces its Pods elsewhere cannot have the volumes, which are still attached to it',
    (cluster, firm) => {
      disks(cluster, 'standard-rwo', 'pd.csi.storage.gke.io');
      const names = ['registry', 'gitea'];
      for (const name of names) {
        cluster.object(volume(`pv-${name}`, 'manual', { claimRef: { namespace: 'forge', name } }));
        cluster.object(claim(`forge/${name}`, 'manual', { volumeName: `pv-${name}` }));
        cluster.image(imageOf(`forge/${name}`), {});
      }
      // Both are on the machine that dies: the others are closed as they are placed.
      cluster.node('n1').cordon();
      cluster.node('n2').cordon();
      for (const name of names) {
        cluster.deployment(`forge/${name}`, { image: imageOf(`forge/${name}`), pod: mounts(name) });
        cluster.service(`forge/${name}`);
      }
      cluster.at('20s', () => {
        cluster.node('n1').uncordon();
        cluster.node('n2').uncordon();
      });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => {
        for (const name of names)
          cluster.image(imageOf(`forge/${name}`), (pod) =>
            pod.spec.nodeName === 'n3'
              ? {}
              : {
                  heldUp: {
                    reason: 'FailedAttachVolume',
                    message: `Multi-Attach error for volume "pv-${name}" Volume is already used by pod(s) ${name}-6d5f7c9b8-x2x9k`,
                  },
                },
          );
        cluster.node('n3').losePower();
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { update: '≤3' },
        mustNotBlame: [
          ...names.flatMap((name) => [`Deployment/forge/${name}`, `PersistentVolumeClaim/forge/${name}`] as const),
          'Deployment/logistics/tracking',
        ],
      });
    },
    { minutes: 13 },
  ),

  'driver-of-the-disks-is-not-on-the-machine': reported(
    'The plug-in for disks is upgraded and ends on every machine; Pods with volumes that are restarted afterwards wait for it',
    (cluster) => {
      const spec = disks(cluster);
      const old = 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.33.0';
      const next = 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.38.1';
      const driver = cluster.daemonSet('kube-system/ebs-csi-node', { image: old, probe: false });
      let isGone = false;
      for (const name of ['ledger', 'cards']) {
        cluster.image(imageAt(name, 2), () =>
          isGone
            ? {
                heldUp: {
                  reason: 'FailedMount',
                  message: `MountVolume.MountDevice failed for volume "pvc-0f3d2a" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ebs.csi.aws.com not found in the list of registered CSI drivers`,
                },
              }
            : {},
        );
      }
      const stores = ['ledger', 'cards'].map((name) => {
        cluster.service(`bank/${name}`);
        return cluster.statefulSet(`bank/${name}`, { image: imageAt(name, 2), spec });
      });
      cluster.image(
        next,
        ends([
          'I1123 09:11:20.090311       1 main.go:157] "Initializing metadata"',
          'E1123 09:11:25.140871       1 metadata.go:51] "Retrieving IMDS metadata failed" err="could not get EC2 instance identity metadata: operation error ec2imds: GetInstanceIdentityDocument, canceled, context deadline exceeded"',
          'F1123 09:11:25.151202       1 main.go:163] "Failed to initialize metadata when it is required" err="IMDS metadata and Kubernetes metadata are both unavailable"',
        ]),
      );
      cluster.at(after(0), () =>
        driver.patch({
          spec: {
            updateStrategy: { rollingUpdate: { maxUnavailable: '100%' } },
            template: { spec: { containers: [{ name: 'ebs-csi-node', image: next }] } },
          },
        }),
      );
      cluster.at(after(45), () => {
        isGone = true;
        for (const store of stores) store.restart();
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/ebs-csi-node',
        messages: { update: '≤2' },
        mustNotBlame: ['StatefulSet/bank/ledger', 'StatefulSet/bank/cards', 'StorageClass//gp3'],
      });
    },
    brief,
  ),

  'upgrade-of-mysql-takes-a-plugin-away': reported(
    'A MySQL is raised a version in which the old way to log in is off: it is well itself, and those with old accounts are refused',
    (cluster, firm) => {
      const repository = 'docker.io/library/mysql';
      const mysql = server(cluster, 'theatre/mysql', `${repository}:8.0.39`, 3306, { clusterIP: '10.96.30.6' });
      innocentRelease(cluster, after(25), firm);
      cluster.at(after(0), () => mysql.setImage(`${repository}:8.4.2`));
      const values = { MYSQL_HOST: 'mysql.theatre.svc.cluster.local', MYSQL_PORT: '3306' };
      const innocents = clients(cluster, 20, {
        'theatre/tickets': {
          does: ends([
            "mysql2.error: Error: Plugin 'mysql_native_password' is not loaded",
            "  code: 'ER_PLUGIN_IS_NOT_LOADED', errno: 1524, sqlState: 'HY000'",
            '  at PromisePool.query (/app/node_modules/mysql2/promise.js:356:22) host=mysql.theatre.svc.cluster.local',
          ]),
          values,
        },
        'theatre/programme': {
          does: unready([
            'sqlalchemy.exc.OperationalError: (MySQLdb.OperationalError) (1524, "Plugin \'mysql_native_password\' is not loaded")',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/theatre/mysql',
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'reports-take-all-connections': reported(
    'The reports are scaled from two to twelve before the end of the month, and take the connections of the database from everybody',
    (cluster) => {
      server(cluster, 'energy/postgres', 'docker.io/library/postgres:15.8', 5432);
      const values = { PGHOST: 'postgres.energy.svc.cluster.local', PGPORT: '5432' };
      const reports = cluster.deployment('energy/reports', { replicas: 2, image: imageAt('reports', 8), values });
      cluster.at(after(0), () => reports.scale(12));
      const innocents = clients(cluster, 25, {
        'energy/meters': {
          does: ends([
            'psycopg2.OperationalError: connection to server at "postgres.energy.svc.cluster.local" (10.96.4.19), port 5432 failed: FATAL:  sorry, too many clients already',
          ]),
          values,
        },
        'energy/tariffs': {
          does: unready([
            'org.postgresql.util.PSQLException: FATAL: remaining connection slots are reserved for non-replication superuser connections',
          ]),
          values,
        },
        'energy/invoices': {
          does: unready([
            'error: sorry, too many clients already (code: 53300)',
            '    at Parser.parseErrorMessage (/app/node_modules/pg-protocol/dist/parser.js:283:98)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/energy/reports',
        accepts: ['StatefulSet/energy/postgres'],
        messages: { update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    brief,
  ),

  'vault-is-sealed-after-its-machine-restarted': reported(
    'The machine of a Vault is restarted; Vault comes up sealed, and what asks it for its secrets as it starts does not start',
    (cluster) => {
      const image = 'docker.io/hashicorp/vault:1.17.2';
      server(cluster, 'vault/vault', image, 8200, { pod: pinned('n2') });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready(
            [
              '==> Vault server started! Log data will stream in below:',
              '2026-11-23T09:07:44.301Z [INFO]  core: security barrier not initialized',
              '2026-11-23T09:07:49.118Z [INFO]  core: vault is sealed',
            ],
            'command "/bin/sh -ec vault status -tls-skip-verify" exited with 2: Sealed          true',
          ),
        );
        cluster.node('n2').reboot('45s');
      });
      const values = { VAULT_ADDR: 'http://vault.vault.svc.cluster.local:8200' };
      const innocents = clients(cluster, 75, {
        'wallet/signer': {
          does: ends([
            'level=error msg="could not read secret/data/signer" error="Error making API request.\\n\\nURL: GET http://vault.vault.svc.cluster.local:8200/v1/secret/data/signer\\nCode: 503. Errors:\\n\\n* Vault is sealed"',
          ]),
          values,
        },
        'wallet/keys': {
          does: ends([
            'hvac.exceptions.VaultDown: Vault is sealed, on get http://vault.vault.svc.cluster.local:8200/v1/auth/kubernetes/login',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/vault/vault',
        accepts: ['Pod/vault/vault-0'],
        messages: { update: '≤2' },
        mustNotBlame: [...innocents],
      });
    },
    brief,
  ),
};
