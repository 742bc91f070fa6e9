import { scenario } from '../../kit/scenario.ts';
import { app, edited, floor, service } from './parts/shop-floor.ts';

const restart = {
  spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T10:00:00Z' } } } },
};

export const stories = {
  'cookie-of-a-queue-is-changed-under-its-members': scenario(
    'The shared cookie of a broker is edited; the member that starts next is refused by the others and gives up',
    (c) => {
      floor(c, '7m');
      const cookie = c.secret('bus/rabbitmq', { 'erlang-cookie': 'b25l', password: 'cHc=' });
      const image = 'registry.example/rabbitmq:3.13.7';
      const parts = { replicas: 3, port: 5672, secretEnv: { RABBITMQ_ERLANG_COOKIE: 'rabbitmq.erlang-cookie' } };
      const queue = c.object(app('StatefulSet', 'bus/rabbitmq', image, parts));
      c.object(service('bus/rabbitmq', 5672));
      const worker = { replicas: 2, env: { CELERY_BROKER_URL: 'amqp://app@rabbitmq.bus.svc.cluster.local:5672//' } };
      const celery = c.object(app('Deployment', 'shop/celery', 'registry.example/shop/worker:30', worker));
      c.at('10s', () =>
        celery.patch(edited(app('Deployment', 'shop/celery', 'registry.example/shop/worker:31', worker))),
      );
      c.at('30s', () => cookie.edit({ 'erlang-cookie': 'dHdv', password: 'cHc=' }));
      c.at('45s', () => {
        c.image(image, {
          exit: { afterSeconds: 8, code: 1 },
          log: [
            '2026-11-28 10:00:11.201 [warning] <0.254.0> Could not auto-cluster with node rabbit@rabbitmq-0.rabbitmq.bus: {badrpc,nodedown}',
            '2026-11-28 10:00:11.210 [error] <0.254.0> Connection attempt to node rabbit@rabbitmq-0.rabbitmq.bus was rejected: Invalid challenge reply. Authentication failed (rejected by the remote node), please check the Erlang cookie',
            'BOOT FAILED',
            '===========',
            "ERROR: epmd reports node 'rabbit' is running, but distribution authentication failed: check the Erlang cookie",
          ],
        });
        queue.patch(restart);
      });
      c.expectIncident({
        root: 'Secret/bus/rabbitmq',
        accepts: ['StatefulSet/bus/rabbitmq'],
        mustNotBlame: ['Deployment/shop/celery'],
      });
    },
  ),

  'brokers-advertise-an-address-for-everybody': scenario(
    'Settings of brokers get an address that cannot be advertised; consumers, just released, find no broker',
    (c) => {
      floor(c, '7m');
      const settings = c.configMap('stream/kafka', {
        'server.properties': 'advertised.listeners=PLAINTEXT://kafka:9092\n',
      });
      const image = 'registry.example/apache/kafka:3.8.1';
      const kafka = c.object(
        app('StatefulSet', 'stream/kafka', image, {
          replicas: 3,
          port: 9092,
          mounts: { 'ConfigMap/kafka': '/mnt/shared/config' },
        }),
      );
      c.object(service('stream/kafka', 9092));
      const env = { env: { KAFKA_BOOTSTRAP_SERVERS: 'kafka.stream.svc:9092' } };
      const reader = c.object(app('Deployment', 'stream/projector', 'registry.example/stream/projector:11', env));
      c.at('10s', () =>
        reader.patch(edited(app('Deployment', 'stream/projector', 'registry.example/stream/projector:12', env))),
      );
      c.at('40s', () => settings.edit({ 'server.properties': 'advertised.listeners=PLAINTEXT://0.0.0.0:9092\n' }));
      c.at('50s', () => {
        c.befall(image, {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            '[2026-11-28 10:10:01,310] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)',
            'java.lang.IllegalArgumentException: requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.',
            '\tat scala.Predef$.require(Predef.scala:337)',
            '\tat kafka.server.KafkaConfig.validateValues(KafkaConfig.scala:1021)',
          ],
        });
        kafka.patch(restart);
      });
      c.at('65s', () =>
        c.befall('registry.example/stream/projector:12', {
          exit: { afterSeconds: 15, code: 1 },
          log: [
            '[AdminClient clientId=projector] WARN Connection to node -1 (kafka.stream.svc/10.96.8.8:9092) could not be established. Node may not be available.',
            'org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment. Call: describeTopics',
          ],
        }),
      );
      c.expectIncident({
        root: 'ConfigMap/stream/kafka',
        accepts: ['StatefulSet/stream/kafka'],
        mustNotBlame: ['Deployment/stream/projector'],
      });
    },
  ),

  'wide-column-store-is-told-another-name-of-its-cluster': scenario(
    'A chart renames a cluster whose name is saved on its disks; the members do not start with it',
    (c) => {
      floor(c, '6m');
      const image = 'registry.example/cassandra:4.1.7';
      const parts = (name: string) => ({
        replicas: 3,
        port: 9042,
        env: { CASSANDRA_CLUSTER_NAME: name, CASSANDRA_SEEDS: 'cassandra-0.cassandra.iot.svc' },
      });
      const ring = c.object(app('StatefulSet', 'iot/cassandra', image, parts('iot')));
      c.object(service('iot/cassandra', 9042));
      c.object(
        app('Deployment', 'iot/ingest', 'registry.example/iot/ingest:9', {
          env: { CASSANDRA_CONTACT_POINTS: 'cassandra.iot.svc' },
        }),
      );
      c.at('15s', () => {
        c.image(image, {
          exit: { afterSeconds: 6, code: 3 },
          log: [
            'INFO  [main] 2026-11-28 10:20:11,402 CassandraDaemon.java:632 - JVM vendor/version: OpenJDK 64-Bit Server VM/11.0.25',
            'ERROR [main] 2026-11-28 10:20:14,033 CassandraDaemon.java:900 - Fatal exception during initialization',
            'org.apache.cassandra.exceptions.ConfigurationException: Saved cluster name iot != configured name iot-production',
            '\tat org.apache.cassandra.db.SystemKeyspace.checkHealth(SystemKeyspace.java:1155)',
          ],
        });
        ring.patch(edited(app('StatefulSet', 'iot/cassandra', image, parts('iot-production'))));
      });
      c.expectIncident({ root: 'StatefulSet/iot/cassandra', mustNotBlame: ['Deployment/iot/ingest'] });
    },
  ),

  'database-jumps-a-major-version-and-a-basket-loses-its-secret': scenario(
    'A database is started with files of the version before; elsewhere a Secret is deleted that a service needs',
    (c) => {
      floor(c, '7m');
      const db = c.object(
        app('StatefulSet', 'school/postgres', 'registry.example/postgres:15.8', { replicas: 1, port: 5432 }),
      );
      c.object(service('school/postgres', 5432));
      c.object(
        app('Deployment', 'school/timetable', 'registry.example/school/timetable:2', {
          port: 8080,
          env: { PGHOST: 'postgres.school.svc.cluster.local' },
        }),
      );
      const secret = c.secret('mall/basket', { token: 'b25l' });
      const basket = c.object(
        app('Deployment', 'mall/basket', 'registry.example/mall/basket:7', {
          port: 8080,
          secretEnv: { TOKEN: 'basket.token' },
        }),
      );
      c.image('registry.example/postgres:16.4', {
        exit: { afterSeconds: 1, code: 1 },
        log: [
          'PostgreSQL Database directory appears to contain a database; Skipping initialization',
          '2026-11-28 10:30:02.117 UTC [1] FATAL:  database files are incompatible with server',
          '2026-11-28 10:30:02.117 UTC [1] DETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.4 (Debian 16.4-1.pgdg120+2).',
        ],
      });
      c.at('10s', () =>
        db.patch(
          edited(app('StatefulSet', 'school/postgres', 'registry.example/postgres:16.4', { replicas: 1, port: 5432 })),
        ),
      );
      c.at('20s', () =>
        c.befall('registry.example/school/timetable:2', {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'psycopg2.OperationalError: connection to server at "postgres.school.svc.cluster.local" (10.96.4.4), port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ],
        }),
      );
      c.at('40s', () => secret.delete());
      c.at('50s', () => basket.patch(restart));
      c.expectIncident({ root: 'StatefulSet/school/postgres', mustNotBlame: ['Deployment/school/timetable'] });
      c.expectIncident({ root: 'Secret/mall/basket', reason: 'SecretMissing' });
    },
  ),

  'message-server-finds-an-unknown-field-in-its-settings': scenario(
    'A misspelt field stops a message server at its restart; one of its users has been released a moment before',
    (c) => {
      floor(c, '7m');
      const settings = c.configMap('msg/nats', { 'nats.conf': 'port: 4222\njetstream { max_file_store: 10G }\n' });
      const image = 'registry.example/nats:2.10.22';
      const nats = c.object(
        app('StatefulSet', 'msg/nats', image, {
          replicas: 1,
          port: 4222,
          mounts: { 'ConfigMap/nats': '/etc/nats-config' },
        }),
      );
      c.object(service('msg/nats', 4222));
      const env = { env: { NATS_URL: 'nats://nats.msg.svc:4222' } };
      const users = ['dispatch', 'notify'].map((name) =>
        c.object(app('Deployment', `msg/${name}`, `registry.example/msg/${name}:1`, env)),
      );
      c.at('10s', () =>
        users[0]?.patch(edited(app('Deployment', 'msg/dispatch', 'registry.example/msg/dispatch:2', env))),
      );
      c.at('50s', () => settings.edit({ 'nats.conf': 'port: 4222\njetstream { max_files_store: 20G }\n' }));
      c.at('60s', () => {
        c.image(image, {
          exit: { afterSeconds: 1, code: 1 },
          log: ['nats-server: /etc/nats-config/nats.conf:2:13: unknown field "max_files_store"'],
        });
        nats.patch(restart);
      });
      c.at('65s', () => {
        for (const image of ['registry.example/msg/dispatch:2', 'registry.example/msg/notify:1'])
          c.befall(image, {
            exit: { afterSeconds: 10, code: 1 },
            log: [
              '2026/11/28 10:41:12 connecting to nats://nats.msg.svc:4222',
              '2026/11/28 10:41:14 fatal: nats: no servers available for connection',
            ],
          });
      });
      c.expectIncident({
        root: 'ConfigMap/msg/nats',
        accepts: ['StatefulSet/msg/nats'],
        mustNotBlame: ['Deployment/msg/dispatch', 'Deployment/msg/notify'],
      });
    },
  ),

  'orders-die-of-their-own-mistake-before-a-slow-but-well-database': scenario(
    'A release dies of a missing translation; its database logs slow queries, as it does every day',
    (c) => {
      floor(c, '6m');
      const db = 'registry.example/mariadb:11.4';
      c.image(db, {
        log: [
          '2026-11-28 10:50:00 0 [Note] mariadbd: ready for connections.',
          '# Query_time: 4.812204  Lock_time: 0.000041  Rows_sent: 20  Rows_examined: 8813220',
        ],
      });
      c.object(app('StatefulSet', 'travel/mariadb', db, { replicas: 1, port: 3306 }));
      c.object(service('travel/mariadb', 3306));
      const parts = { port: 8080, env: { DB_HOST: 'mariadb.travel.svc', DB_PORT: '3306' } };
      const booking = c.object(app('Deployment', 'travel/booking', 'registry.example/travel/booking:14', parts));
      c.object(service('travel/booking', 8080));
      c.image('registry.example/travel/booking:15', {
        exit: { afterSeconds: 9, code: 1 },
        log: [
          'WARN  HikariPool-1 - Thread starvation or clock leap detected (housekeeper delta=51s).',
          'INFO  connected to mariadb.travel.svc:3306/travel in 812 ms',
          "Caused by: java.util.MissingResourceException: Can't find resource for bundle java.util.PropertyResourceBundle, key booking.cancel.fee",
          'ERROR o.s.boot.SpringApplication - Application run failed',
        ],
      });
      c.at('20s', () =>
        booking.patch(edited(app('Deployment', 'travel/booking', 'registry.example/travel/booking:15', parts))),
      );
      c.expectIncident({ root: 'Deployment/travel/booking', mustNotBlame: ['StatefulSet/travel/mariadb'] });
    },
  ),

  'maps-are-too-few-on-a-machine-that-joined': scenario(
    'A search engine grows onto a new machine whose kernel setting is the default; its members on the old ones stay',
    (c) => {
      floor(c, '6m');
      const image = 'registry.example/opensearch:2.17.1';
      const search = c.object(
        app('StatefulSet', 'logs/opensearch', image, {
          replicas: 3,
          port: 9200,
          pod: { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } },
        }),
      );
      c.object(service('logs/opensearch', 9200));
      c.image(image, (pod) =>
        pod.spec.nodeName === 'n4'
          ? {
              exit: { afterSeconds: 4, code: 78 },
              log: [
                '[2026-11-28T11:00:08,220][INFO ][o.o.b.BootstrapChecks    ] [opensearch-3] bound or publishing to a non-loopback address, enforcing bootstrap checks',
                'ERROR: [1] bootstrap checks failed',
                '[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
              ],
            }
          : { log: ['[2026-11-28T11:00:08,220][INFO ][o.o.n.Node               ] started'] },
      );
      c.at('10s', () => c.addNode({ name: 'n4' }));
      c.at('25s', () => {
        for (const name of ['n1', 'n2', 'n3']) c.node(name).cordon();
      });
      c.at('30s', () => search.patch({ spec: { replicas: 4 } }));
      c.at('50s', () => {
        for (const name of ['n1', 'n2', 'n3']) c.node(name).uncordon();
      });
      c.expectIncident({ root: 'Node//n4', accepts: ['StatefulSet/logs/opensearch'] });
    },
  ),
};
