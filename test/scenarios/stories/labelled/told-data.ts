import { innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, killed, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases, brokers and stores, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/influxdata/influxdb/issues/21765, https://github.com/influxdata/influxdb/issues/24128
  'compaction-needs-more-memory-than-there-is': reported(
    'A store of measurements is killed for its memory whenever it compacts its index; collectors and boards lose it',
    (cluster, firm) => {
      const image = 'docker.io/library/influxdb:2.7.10';
      server(cluster, 'meters/influxdb', image, 8086, {
        ...{ clusterIP: '10.96.18.44', memory: '2Gi', spec: disks(cluster) },
      });
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          killed(
            [
              'ts=2026-11-23T09:09:23.317877Z lvl=info msg="TSI log compaction (start)" service=storage-engine index=tsi tsi1_partition=8 op_name=tsi1_compact_log_file tsi1_log_file_id=1 op_event=start',
              'ts=2026-11-23T09:09:31.371732Z lvl=info msg="TSM compaction (start)" service=storage-engine engine=tsm1 tsm1_level=3 tsm1_strategy=level op_event=start',
            ],
            22,
          ),
        ),
      );
      const values = { INFLUX_URL: 'http://influxdb.meters.svc.cluster.local:8086' };
      const innocents = clients(cluster, 14, {
        'meters/telegraf-gateway': {
          does: unready([
            '2026-11-23T09:10:02Z E! [outputs.influxdb_v2] When writing to [http://influxdb.meters.svc.cluster.local:8086/api/v2/write]: Post "http://influxdb.meters.svc.cluster.local:8086/api/v2/write?bucket=meters&org=grid": dial tcp 10.96.18.44:8086: connect: connection refused',
          ]),
          values,
        },
        'meters/settlement': {
          does: ends([
            "urllib3.exceptions.MaxRetryError: HTTPConnectionPool(host='influxdb.meters.svc.cluster.local', port=8086): Max retries exceeded with url: /api/v2/query (Caused by NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/meters/influxdb',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Node//n1', 'StorageClass//gp3', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/lsst-it/k8s-cookbook/pull/450, https://github.com/grafana/mimir/issues/3212
  'disks-of-the-ingesters-are-full': reported(
    'The disks of those that take metrics in are full, and they panic while they read their journal; what writes and what asks fails',
    (cluster) => {
      const image = 'docker.io/grafana/mimir:2.12.0';
      server(cluster, 'mimir/mimir-ingester', image, 9095, {
        ...{ replicas: 3, clusterIP: '10.96.83.83' },
        spec: { ...disks(cluster), podManagementPolicy: 'Parallel' },
      });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              'ts=2026-11-23T09:28:20.612605482Z caller=head.go:819 level=info user=anonymous msg="WAL segment loaded" segment=12510 maxSegment=12605',
              'panic: preallocate: no space left on device',
              'goroutine 606 [running]:',
              'github.com/prometheus/prometheus/tsdb.handleChunkWriteError({0x31cb7e0, 0xc280674e40})',
            ],
            2,
            12,
          ),
        ),
      );
      const values = { INGESTER_ADDRESS: 'mimir-ingester.mimir.svc.cluster.local:9095' };
      const innocents = clients(cluster, 10, {
        'mimir/mimir-distributor': {
          does: unready([
            'ts=2026-11-23T09:28:44.120Z caller=push.go:171 level=error user=anonymous msg="detected an error while ingesting Prometheus remote-write request" httpCode=500 err="at least 2 live replicas required, could only find 0 - unhealthy instances: 10.96.83.83:9095"',
          ]),
          values,
        },
        'mimir/mimir-querier': {
          does: unready([
            'ts=2026-11-23T09:28:51.771Z caller=errors.go:26 level=error msg="expanding series: too many unhealthy instances in the ring" addr=mimir-ingester.mimir.svc.cluster.local:9095',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/mimir/mimir-ingester',
        accepts: ['PersistentVolumeClaim/mimir/data-mimir-ingester-0'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//gp3', 'Service/mimir/mimir-ingester'],
      });
    },
  ),

  // https://github.com/pingcap/tidb-operator/issues/3349, https://github.com/pingcap/docs-tidb-operator/pull/470
  'key-value-store-belongs-to-another-cluster': reported(
    'The placement of a distributed database is made anew with empty disks; the stores know another cluster and end, and with them SQL and a ledger',
    (cluster) => {
      const spec = disks(cluster);
      const pd = server(cluster, 'ledger/basic-pd', 'docker.io/pingcap/pd:v7.5.1', 2379, { spec });
      const image = 'docker.io/pingcap/tikv:v7.5.1';
      const tikv = server(cluster, 'ledger/basic-tikv', image, 20160, { replicas: 3, spec, clusterIP: '10.96.36.2' });
      cluster.at(after(0), () => pd.restart());
      cluster.at(after(25), () => {
        cluster.image(
          image,
          ends(
            [
              '[2026/11/23 09:11:02.208 +00:00] [INFO] [util.rs:604] ["connecting to PD endpoint"] [endpoints=http://basic-pd.ledger.svc:2379]',
              '[2026/11/23 09:11:02.512 +00:00] [FATAL] [server.rs:1099] ["cluster ID mismatch, local 6898102345671233412 != remote 7434011276510023941, you are trying to connect to another cluster, please reconnect to the correct PD"]',
            ],
            1,
            3,
          ),
        );
        tikv.restart();
      });
      const values = { TIKV_ADDRESS: 'basic-tikv.ledger.svc.cluster.local:20160' };
      const innocents = clients(cluster, 50, {
        'ledger/basic-tidb': {
          does: ends(
            [
              '[2026/11/23 09:11:40.118 +00:00] [WARN] [region_request.go:871] ["tikv reports `RegionNotFound`"] [addr=basic-tikv.ledger.svc.cluster.local:20160]',
              '[2026/11/23 09:12:10.404 +00:00] [FATAL] [terror.go:300] ["unexpected error"] [error="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial tcp 10.96.36.2:20160: connect: connection refused\\""]',
            ],
            1,
            30,
          ),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/ledger/basic-tikv',
        accepts: ['StatefulSet/ledger/basic-pd'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//gp3', 'Service/ledger/basic-pd'],
      });
    },
  ),

  // https://github.com/arkmq-org/arkmq-org-broker-operator/issues/1056, https://github.com/EnMasseProject/enmasse/issues/357
  'broker-cannot-open-its-lock': reported(
    'An upgrade of a message broker looks for its journal where there is none; it ends for its lock, and two that listen fail',
    (cluster, firm) => {
      const repository = 'quay.io/arkmq-org/activemq-artemis-broker-kubernetes';
      const spec = disks(cluster);
      const broker = server(cluster, 'freight/artemis', `${repository}:artemis.2.36.0`, 61616, {
        ...{ clusterIP: '10.96.50.16', spec },
      });
      innocentRelease(cluster, after(-30), firm);
      cluster.image(
        `${repository}:artemis.2.38.0`,
        ends(
          [
            '2026-11-23 09:23:43,822 INFO  [org.apache.activemq.artemis.integration.bootstrap] AMQ101000: Starting ActiveMQ Artemis Server version 2.38.0',
            '2026-11-23 09:23:44,380 WARN  [org.apache.activemq.artemis.core.server] AMQ222141: Node Manager can not open file /opt/artemis-broker/data/journal/server.lock',
            'java.io.IOException: No such file or directory',
            '2026-11-23 09:23:44,402 ERROR [org.apache.activemq.artemis.core.server] AMQ224000: Failure in initialisation',
          ],
          1,
          7,
        ),
      );
      cluster.at(after(0), () => broker.setImage(`${repository}:artemis.2.38.0`));
      const values = { BROKER_URL: 'tcp://artemis.freight.svc.cluster.local:61616' };
      const innocents = clients(cluster, 12, {
        'freight/waybills': {
          does: unready([
            "o.s.j.l.DefaultMessageListenerContainer  : Could not refresh JMS Connection for destination 'waybills' - retrying using FixedBackOff{interval=5000}. Cause: Failed to create session factory; nested exception is ActiveMQNotConnectedException[errorType=NOT_CONNECTED message=AMQ219007: Cannot connect to server(s). Tried with all available servers.]",
            'Caused by: java.net.ConnectException: Connection refused: artemis.freight.svc.cluster.local/10.96.50.16:61616',
          ]),
          values,
        },
        'customs/declarations': {
          does: ends([
            'jakarta.jms.JMSException: Could not connect to broker URL: tcp://artemis.freight.svc.cluster.local:61616. Reason: java.net.ConnectException: Connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/freight/artemis',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//gp3', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/aiven/devportal/pull/1426, https://github.com/apache/flink-cdc/issues/1058
  'replication-slot-is-held-by-the-run-before': reported(
    'A capture of changes is restarted while the database still holds its replication slot for the connection before; two that follow the changes stand still',
    (cluster) => {
      server(cluster, 'stock/stock-db', 'docker.io/library/postgres:14.11', 5432, { clusterIP: '10.96.15.15' });
      const image = 'quay.io/debezium/server:2.5.4.Final';
      const capture = cluster.deployment('stock/debezium', {
        ...{ image, spec: { strategy: { type: 'Recreate' } } },
        values: { DEBEZIUM_SOURCE_DATABASE_HOSTNAME: 'stock-db.stock.svc.cluster.local' },
      });
      cluster.service('stock/debezium');
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23 09:05:41,790 INFO  [io.deb.con.pos.con.PostgresReplicationConnection] (debezium-postgresconnector-stock-change-event-source-coordinator) Obtained valid replication slot ReplicationSlot [active=true, latestFlushedLsn=LSN{0/15D68D50}]',
              "2026-11-23 09:05:51,843 ERROR [io.deb.server.ConnectorLifecycle] (pool-7-thread-1) Connector completed: success = 'false', message = 'Failed to start replication stream at LSN{0/15D68D50}', error = 'io.debezium.DebeziumException: org.postgresql.util.PSQLException: ERROR: replication slot \"debezium\" is active for PID 79319'",
            ],
            1,
            15,
          ),
        );
        capture.restart();
      });
      const values = { CHANGES_URL: 'http://debezium.stock.svc.cluster.local/changes' };
      const innocents = clients(cluster, 20, {
        'stock/search-indexer': {
          does: unready([
            'level=warn msg="no changes for 120s" source=http://debezium.stock.svc.cluster.local/changes error="connection refused"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/stock/debezium',
        accepts: ['StatefulSet/stock/stock-db'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/apache/couchdb/issues/3229: members are kept by the name of the namespace they came from.
  'restored-members-look-for-their-old-namespace': reported(
    'A document store is restored into another namespace; its members look for each other by the names of before and never become ready',
    (cluster) => {
      const image = 'docker.io/library/couchdb:3.1.1';
      const spec = disks(cluster);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          unready(
            [
              "[error] 2026-11-23T09:03:22.610384Z couchdb@couch-0.couch.justcouch-restored.svc.cluster.local emulator -------- Error in process <0.275.0> on node 'couchdb@couch-0.couch.justcouch-restored.svc.cluster.local' with exit value:",
              '{{rexi_DOWN,{\'couchdb@couch-1.couch.justcouch-ns.svc.cluster.local\',noconnect}},[{mem3_rpc,rexi_call,3,[{file,"src/mem3_rpc.erl"},{line,394}]}]}',
              '[notice] 2026-11-23T09:03:42.400712Z couchdb@couch-0.couch.justcouch-restored.svc.cluster.local <0.529.0> fb5c28d307 10.244.0.133:5984 10.244.0.242 undefined GET /_up 404 ok 0',
            ],
            'HTTP probe failed with statuscode: 404',
          ),
        );
        server(cluster, 'justcouch-restored/couch', image, 5984, { replicas: 2, spec });
      });
      cluster.expectIncident({
        root: 'StatefulSet/justcouch-restored/couch',
        messages: { resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Service/justcouch-restored/couch', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/sairamkrish/trino-superset-demo/issues/1, https://github.com/apache/hudi/issues/3242: a catalogue whose table of versions is empty
  'catalogue-of-tables-has-no-version': reported(
    'The catalogue of a data lake is restored without its table of versions and does not start; two engines cannot find their tables',
    (cluster, firm) => {
      const image = 'docker.io/apache/hive:4.0.0';
      const metastore = cluster.deployment('hive/hive-metastore', {
        ...{ image, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('hive/hive-metastore', {
        clusterIP: '10.96.29.83',
        ports: [{ name: 'thrift', port: 9083, targetPort: 9083, protocol: 'TCP' }],
      });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23T09:31:07,204 ERROR [main] metastore.HiveMetaStore: Metastore Thrift Server threw an exception...',
              'org.apache.hadoop.hive.metastore.api.MetaException: Version information not found in metastore.',
              '\tat org.apache.hadoop.hive.metastore.ObjectStore.checkSchema(ObjectStore.java:9532) ~[hive-standalone-metastore-server-4.0.0.jar:4.0.0]',
            ],
            1,
            14,
          ),
        );
        metastore.restart();
      });
      const values = { HIVE_METASTORE_URI: 'thrift://hive-metastore.hive.svc.cluster.local:9083' };
      const innocents = clients(cluster, 18, {
        'hive/spark-thrift': {
          does: ends([
            'Caused by: MetaException(message:Could not connect to meta store using any of the URIs provided. Most recent failure: org.apache.thrift.transport.TTransportException: java.net.ConnectException: Connection refused (hive-metastore.hive.svc.cluster.local:9083)',
          ]),
          values,
        },
        'hive/presto': {
          does: unready([
            'com.facebook.presto.spi.PrestoException: Failed connecting to Hive metastore: [hive-metastore.hive.svc.cluster.local:9083]',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/hive/hive-metastore',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/sonatype/nexus-public/issues/150, https://github.com/orientechnologies/orientdb/issues/9040: mended after a quarter of an hour.
  'repository-manager-may-not-write-after-a-restart': reported(
    'A repository manager is moved to another machine and may not write its own files there; builds and a mirror of packages fail',
    (cluster) => {
      const image = 'docker.io/sonatype/nexus3:3.41.1';
      server(cluster, 'build/nexus', image, 8081, { clusterIP: '10.96.81.81', spec: disks(cluster) });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              "mkdir: cannot create directory '../sonatype-work/nexus3/log': Permission denied",
              'Unable to update instance pid: Unable to create directory /nexus-data/instances',
              '/nexus-data/log/karaf.log (Permission denied)',
              'com.orientechnologies.orient.core.exception.OStorageException: Cannot create the storage with url: /nexus-data/db/OSystem',
            ],
            1,
            9,
          ),
        );
        cluster.evict('build', 'nexus');
      });
      const values = { NEXUS_URL: 'http://nexus.build.svc.cluster.local:8081' };
      const places = {
        'build/build-agent': {
          does: ends([
            'npm ERR! FetchError: request to http://nexus.build.svc.cluster.local:8081/repository/npm-all/react failed, reason: connect ECONNREFUSED 10.96.81.81:8081',
          ]),
          values,
        },
        'build/package-mirror': {
          does: unready([
            'level=error msg="upstream" url=http://nexus.build.svc.cluster.local:8081 error="dial tcp 10.96.81.81:8081: connect: connection refused"',
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 14, places);
      cluster.at(after(900), () => cluster.befall(image, {}));
      recover(cluster, 910, ...Object.keys(places));
      cluster.expectIncident({
        root: 'StatefulSet/build/nexus',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//gp3'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/jfrog/charts/issues/725, https://github.com/jfrog/charts/issues/1567
  'parts-of-a-repository-wait-for-its-master-key': reported(
    'A repository server is given a new database and starts without its master key; all its parts wait for it, and two that fetch packages fail',
    (cluster) => {
      const repository = 'releases-docker.jfrog.io/jfrog/artifactory-oss';
      const artifactory = server(cluster, 'packages/artifactory', `${repository}:7.19.4`, 8082, {
        clusterIP: '10.96.82.3',
      });
      cluster.image(
        `${repository}:7.27.5`,
        unready([
          '2026-11-23T09:08:03.098Z [jfrou] [INFO ] [3888f333c2769453] [security_keys.go:149          ] [main                ] - Master key is missing. Pending for 5 seconds with 2m0s timeout',
          '2026-11-23T09:10:00.414Z [jfmd ] [FATAL] [3e4915ae7ff917f ] [bootstrap.go:99               ] [main                ] - Could not retrieve master key: context deadline exceeded [init]',
          '2026-11-23T09:10:05.020Z [jffe ] [INFO ] [] [frontend-service.log] [main                ] - pinging artifactory attempt number 40 failed with code : ECONNREFUSED',
        ]),
      );
      cluster.at(after(0), () => artifactory.setImage(`${repository}:7.27.5`));
      const values = { PACKAGES_URL: 'http://artifactory.packages.svc.cluster.local:8082/artifactory' };
      const innocents = clients(cluster, 12, {
        'packages/license-scan': {
          does: ends([
            'error: cannot fetch http://artifactory.packages.svc.cluster.local:8082/artifactory/api/pypi: [Errno 111] Connection refused (10.96.82.3:8082)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/packages/artifactory',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 900,
        mustNotBlame: [...innocents, 'Service/packages/artifactory'],
      });
    },
  ),

  // https://github.com/sentry-kubernetes/charts/issues/1161, https://github.com/sentry-kubernetes/charts/issues/1135: a Recreate of the set mended it.
  'broker-of-an-error-tracker-does-not-come-back': reported(
    'The chart of an error tracker replaces its brokers, which do not start with the files of before; three consumers lose them',
    (cluster, firm) => {
      const repository = 'docker.io/bitnamilegacy/kafka';
      const spec = { ...disks(cluster), podManagementPolicy: 'Parallel' };
      const kafka = server(cluster, 'trouble/trouble-kafka', `${repository}:3.2.3`, 9092, {
        ...{ clusterIP: '10.96.92.9', spec },
      });
      innocentRelease(cluster, after(-60), firm);
      cluster.image(
        `${repository}:3.6.0`,
        ends(
          [
            'kafka 09:27:52.10 INFO  ==> ** Starting Kafka setup **',
            'kafka 09:27:52.31 ERROR ==> The KAFKA_KRAFT_CLUSTER_ID environment variable is required when Kraft mode is enabled and meta.properties has none',
            'Exception in thread "main" org.apache.kafka.common.KafkaException: No `meta.properties` found in /bitnami/kafka/data (have you run `kafka-storage.sh` to format the directory?)',
          ],
          1,
          5,
        ),
      );
      cluster.at(after(0), () => kafka.setImage(`${repository}:3.6.0`));
      const values = { KAFKA_BROKERS: 'trouble-kafka.trouble.svc.cluster.local:9092' };
      const does = ends(
        [
          '%3|1709133853.525|FAIL|rdkafka#consumer-1| [thrd:trouble-kafka.trouble.svc.cluster.local:9092/bootstrap]: trouble-kafka.trouble.svc.cluster.local:9092/bootstrap: Connect to ipv4#10.96.92.9:9092 failed: Connection refused (after 0ms in state CONNECT)',
          'arroyo.errors.ConsumerError: KafkaError{code=_ALL_BROKERS_DOWN,val=-187,str="1/1 brokers are down"}',
        ],
        1,
        8,
      );
      const innocents = clients(cluster, 15, {
        'trouble/ingest-consumer-events': { does, values },
        'trouble/ingest-consumer-attachments': { does, values },
        'trouble/generic-metrics-consumer': { does, values },
      });
      cluster.expectIncident({
        root: 'StatefulSet/trouble/trouble-kafka',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StorageClass//gp3', 'Deployment/logistics/tracking'],
      });
    },
  ),
};
