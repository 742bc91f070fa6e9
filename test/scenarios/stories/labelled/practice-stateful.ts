import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What has members, an order and a memory. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tutorials/stateful-application/cassandra/, https://github.com/kubernetes/kubernetes/issues/40872
  'last-member-is-told-of-no-seed': scenario(
    'The seeds of a Cassandra are changed to a name that nobody has; its last member does not come back',
    (cluster) => {
      const firm = company(cluster);
      const image = 'docker.io/library/cassandra:5.0';
      const first = { replicas: 3, image, values: { CASSANDRA_SEEDS: 'cassandra-0.cassandra.telemetry.svc' } };
      const cassandra = cluster.statefulSet('telemetry/cassandra', first);
      cluster.service('telemetry/cassandra', port(9042));
      innocentRelease(cluster, '3s', firm);
      cluster.at('6s', () => {
        cluster.image(
          image,
          ends(
            [
              "WARN  [main] SimpleSeedProvider.java:60 - Seed provider couldn't lookup host cassandra-seed.telemetry.svc",
              'Exception (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: The seed provider lists no seeds.',
            ],
            3,
            4,
          ),
        );
        cassandra.change({ values: { CASSANDRA_SEEDS: 'cassandra-seed.telemetry.svc' } });
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'StatefulSet/telemetry/cassandra',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/bitnami/containers/issues/54037: nobody dares to begin after all have stopped.
  'nobody-dares-to-begin': scenario(
    'All members of a Galera stopped at once, and none may begin; two services have no database',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/bitnamilegacy/mariadb-galera:11.4';
      cluster.statefulSet('cms/galera', { replicas: 3, image });
      cluster.service('cms/galera', port(3306));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              "mariadb 01:07:18.11 ERROR ==> It is not safe to bootstrap form this node ('safe_to_bootstrap=0' is set in 'grastate.dat'). If you want to force bootstrap, set the environment variable MARIADB_GALERA_FORCE_SAFETOBOOTSTRAP=yes",
            ],
            1,
            2,
          ),
        ),
      );
      const values = { DB_HOST: 'galera.cms.svc:3306' };
      const clients = dependants(cluster, '12s', {
        'cms/drupal': {
          does: unready([
            'PDOException: SQLSTATE[HY000] [2002] Connection refused in Drupal\\mysql\\Driver\\Database\\mysql\\Connection->open() (galera.cms.svc:3306)',
          ]),
          values,
        },
        'cms/newsfeed': {
          does: ends([
            "sqlalchemy.exc.OperationalError: (pymysql.err.OperationalError) (2003, \"Can't connect to MySQL server on 'galera.cms.svc' ([Errno 111] Connection refused)\")",
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/cms/galera', messages: { resolve: 0 }, mustNotBlame: clients });
    },
  ),

  // https://issues.apache.org/jira/browse/KAFKA-7335: the disks know another cluster id.
  'brokers-know-another-cluster': scenario(
    'The brokers of a Kafka find another cluster id on their disks; three clients find no broker',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/apache/kafka:4.0.0';
      cluster.statefulSet('events/kafka', { replicas: 3, image });
      cluster.service('events/kafka', { ...port(9092), clusterIP: '10.96.40.2' });
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              'ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)',
              'java.lang.RuntimeException: Invalid cluster.id in: /var/lib/kafka/data/meta.properties. Expected lQ2mVb1tRkq0Zb4o8i7G0w, but read 5L6g3nShT-eMCtK--X86sw',
            ],
            1,
            4,
          ),
        ),
      );
      const values = { KAFKA: 'kafka.events.svc:9092' };
      const clients = dependants(cluster, '14s', {
        'orders/saga': {
          does: ends([
            'org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment. Call: describeTopics (kafka.events.svc:9092)',
          ]),
          values,
        },
        'search/indexer': {
          does: unready([
            '%3|FAIL|rdkafka#consumer-1| [thrd:kafka.events.svc:9092/bootstrap]: kafka.events.svc:9092/bootstrap: Connect to ipv4#10.96.40.2:9092 failed: Connection refused',
          ]),
          values,
        },
        'crm/timeline': {
          does: unready(['KafkaJSConnectionError: Connection error: connect ECONNREFUSED kafka.events.svc:9092']),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/events/kafka', messages: { resolve: 0 }, mustNotBlame: clients });
    },
  ),

  // https://github.com/prometheus/prometheus/issues/8128
  'metrics-have-filled-their-disk': scenario(
    'A Prometheus has filled its disk and does not start again; a dashboard and an adapter lose it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: { attachRequired: true },
      });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'disks' },
        provisioner: 'disk.csi.example',
      });
      const image = 'quay.example/prometheus/prometheus:v3.5';
      cluster.statefulSet('metrics/prometheus', {
        image,
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'db' },
              spec: {
                storageClassName: 'disks',
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '50Gi' } },
              },
            },
          ],
        },
      });
      cluster.service('metrics/prometheus', port(9090));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              'level=ERROR source=main.go:1302 msg="Error loading config and opening storage" err="opening storage failed: open /prometheus/wal/00000500: no space left on device"',
            ],
            1,
            3,
          ),
        ),
      );
      const values = { PROMETHEUS_URL: 'http://prometheus.metrics.svc:9090' };
      const clients = dependants(cluster, '14s', {
        'metrics/grafana': {
          does: unready([
            'logger=tsdb.prometheus level=error msg="Failed to call resource" error="Post \\"http://prometheus.metrics.svc:9090/api/v1/query\\": dial tcp: connect to prometheus.metrics.svc:9090: connect: connection refused"',
          ]),
          values,
        },
        'metrics/adapter': {
          does: ends(
            [
              'F1122 provider.go:227] unable to update list of all metrics: unable to fetch metrics for query: Get "http://prometheus.metrics.svc:9090/api/v1/series": connect: connection refused',
            ],
            255,
          ),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/metrics/prometheus',
        accepts: ['PersistentVolumeClaim/metrics/db-prometheus-0'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://www.rabbitmq.com/docs/clustering#erlang-cookie: an upgrade of the chart made another cookie.
  'cookie-made-anew': scenario(
    'An upgrade of a chart makes the cookie of RabbitMQ anew; the member that restarts is not let in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const cookie = cluster.secret('queue/rabbitmq', { cookie: 'one' });
      const image = 'docker.io/library/rabbitmq:3.13';
      const rabbit = cluster.statefulSet('queue/rabbitmq', {
        replicas: 3,
        image,
        env: { RABBITMQ_ERLANG_COOKIE: 'secret/rabbitmq/cookie' },
      });
      cluster.service('queue/rabbitmq', port(5672));
      company(cluster);
      cluster.at('5s', () => cookie.edit({ cookie: 'two' }));
      cluster.at('9s', () => {
        cluster.image(
          image,
          ends(
            [
              '[error] <0.254.0> Failed to connect to rabbit@rabbitmq-0.rabbitmq.queue: authentication failed (rejected by the remote node), please check the Erlang cookie',
              'BOOT FAILED: Error during startup: {error,{inconsistent_cluster,rejected}}',
            ],
            1,
            6,
          ),
        );
        rabbit.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Secret/queue/rabbitmq',
        accepts: ['StatefulSet/queue/rabbitmq'],
        messages: { resolve: 0 },
      });
    },
  ),

  // https://www.elastic.co/guide/en/elasticsearch/reference/current/discovery-troubleshooting.html: scaled down by hand, no majority.
  'masters-scaled-below-their-majority': scenario(
    'Somebody scales the masters of a search engine from three to one; its data members and an API lose them',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const masters = cluster.statefulSet('find/es-master', { replicas: 3, image: imageAt('es-master', 8) });
      cluster.service('find/es-master', port(9300));
      const data = imageAt('es-data', 8);
      cluster.statefulSet('find/es-data', {
        replicas: 2,
        image: data,
        values: { DISCOVERY: 'es-master.find.svc:9300' },
      });
      cluster.service('find/es-data', port(9200));
      cluster.at('6s', () => masters.scale(1));
      cluster.at('14s', () => {
        const says = unready([
          '[WARN ][o.e.c.c.ClusterFormationFailureHelper] [es-data-0] master not discovered or elected yet, an election requires at least 2 nodes with ids from [Zq1, 7hM, kP4], have only discovered non-quorum [{es-master-0}{es-master.find.svc:9300}]',
        ]);
        cluster.befall(data, says);
        cluster.befall(imageAt('es-master', 8), says);
      });
      const clients = dependants(cluster, '24s', {
        'find/api': {
          does: unready([
            'elastic_transport.ConnectionError: Connection error caused by: NewConnectionError(http://es-data.find.svc:9200): master_not_discovered_exception',
          ]),
          values: { ES: 'http://es-data.find.svc:9200' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/find/es-master',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'StatefulSet/find/es-data'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#forced-rollback: a bad release stops at the first member it meets.
  'replicas-of-a-database-ahead-of-their-primary': scenario(
    'A release of a database changes its settings; the replica that takes it first refuses to follow',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/library/postgres:17';
      const set = cluster.statefulSet('geo/postgres', { replicas: 3, image, values: { MAX_CONNECTIONS: '400' } });
      cluster.service('geo/postgres', port(5432));
      cluster.at('6s', () => {
        cluster.image(
          image,
          ends(
            [
              'FATAL:  recovery aborted because of insufficient parameter settings',
              'DETAIL:  max_connections = 200 is a lower setting than on the primary server, where its value was 400.',
              'HINT:  You can restart the server after making the necessary configuration changes.',
            ],
            1,
            3,
          ),
        );
        set.change({ values: { MAX_CONNECTIONS: '200' } });
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/geo/postgres', messages: { resolve: 0 } });
    },
  ),
};
