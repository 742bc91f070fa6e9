import { innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Databases that are moved from one version to another, and those that cannot do without them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/apache/couchdb/pull/2389, https://github.com/docker-library/official-images/pull/7524
  'documents-without-an-administrator': reported(
    'A CouchDB is raised to its third version, which wants an administrator that nobody ever set; two applications lose it',
    (cluster) => {
      const repository = 'docker.io/library/couchdb';
      const couch = server(cluster, 'field/couchdb', `${repository}:2.3.1`, 5984, {
        ...{ clusterIP: '10.96.33.17', spec: disks(cluster) },
      });
      cluster.image(
        `${repository}:3.3.3`,
        ends(
          [
            '*************************************************************',
            'ERROR: CouchDB 3.0+ will no longer run in "Admin Party"',
            '       mode. You *MUST* specify an admin user and',
            '       password, either via your own .ini file mapped',
            '       into the container at /opt/couchdb/etc/local.ini',
            '       or inside /opt/couchdb/etc/local.d, or with',
            '       "-e COUCHDB_USER=admin -e COUCHDB_PASSWORD=password"',
          ],
          1,
          1,
        ),
      );
      cluster.at(after(0), () => couch.setImage(`${repository}:3.3.3`));
      const values = { COUCH_URL: 'http://couchdb.field.svc.cluster.local:5984/surveys' };
      const innocents = clients(cluster, 11, {
        'field/surveys': {
          does: unready([
            'FetchError: request to http://couchdb.field.svc.cluster.local:5984/surveys failed, reason: connect ECONNREFUSED 10.96.33.17:5984',
          ]),
          values,
        },
        'field/sync-gateway': {
          does: ends([
            '2026-11-23 09:07:12 ERROR: Error: connect ECONNREFUSED 10.96.33.17:5984',
            "    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16) { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '10.96.33.17', port: 5984 }",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/field/couchdb',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/field/couchdb', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/influxdata/influxdb/issues/27378, https://github.com/AnalogJ/scrutiny/issues/540
  'series-store-goes-back-a-version': reported(
    'An InfluxDB is put back to the version before, which finds a migration that it does not know; two collectors have nowhere to write',
    (cluster, firm) => {
      const repository = 'docker.io/library/influxdb';
      const influx = server(cluster, 'plant/influxdb', `${repository}:2.8.0`, 8086, {
        ...{ clusterIP: '10.96.14.6', spec: disks(cluster) },
      });
      innocentRelease(cluster, after(-25), firm);
      cluster.image(
        `${repository}:2.7.12`,
        ends(
          [
            'ts=2026-11-23T09:40:14.935727Z lvl=info msg="Resources opened" log_id=12UIQRq0000 service=bolt path=/var/lib/influxdb2/influxd.bolt',
            'ts=2026-11-23T09:40:14.938000Z lvl=error msg="Failed to apply KV migrations" log_id=12UIQRq0000 error="DB contains record of unknown migration \\"create index TSDB buckets\\" - if you are downgrading from a more recent version of influxdb, please run the \\"influxd downgrade\\" command from that version to revert your metadata to be compatible with this version prior to starting influxd."',
            "See 'influxd -h' for help",
          ],
          1,
          2,
        ),
      );
      cluster.at(after(0), () => influx.setImage(`${repository}:2.7.12`));
      const values = { INFLUX_HOST: 'http://influxdb.plant.svc.cluster.local:8086' };
      const innocents = clients(cluster, 13, {
        'plant/telegraf': {
          does: unready([
            '2026-11-23T09:40:31Z E! [outputs.influxdb_v2] When writing to [http://influxdb.plant.svc.cluster.local:8086/api/v2/write]: Post "http://influxdb.plant.svc.cluster.local:8086/api/v2/write?bucket=line&org=plant": dial tcp 10.96.14.6:8086: connect: connection refused',
            '2026-11-23T09:40:31Z E! [agent] Error writing to outputs.influxdb_v2: failed to send metrics to any configured server(s)',
          ]),
          values,
        },
        'plant/forecast': {
          does: ends([
            "urllib3.exceptions.MaxRetryError: HTTPConnectionPool(host='influxdb.plant.svc.cluster.local', port=8086): Max retries exceeded with url: /api/v2/query?org=plant (Caused by NewConnectionError: [Errno 111] Connection refused)",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/plant/influxdb',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/arangodb/kube-arangodb/issues/667, https://github.com/arangodb/arangodb-docker/issues/74
  'graph-store-is-not-told-to-upgrade-its-files': reported(
    'An ArangoDB gets its next version without the option to upgrade its files; two services of a recommender fail; mended after thirteen minutes',
    (cluster) => {
      const repository = 'docker.io/library/arangodb';
      const arango = server(cluster, 'suggest/arangodb', `${repository}:3.6.5`, 8529, {
        ...{ clusterIP: '10.96.85.40', spec: disks(cluster) },
      });
      cluster.image(
        `${repository}:3.7.3`,
        ends(
          [
            '2026-11-23T09:29:44Z [1] ERROR [3bc7f] {startup} Database directory version (30605) is lower than current version (30703).',
            '2026-11-23T09:29:44Z [1] ERROR [24e3c] {startup} It seems like you have upgraded the ArangoDB binary.',
            '2026-11-23T09:29:44Z [1] ERROR [8bcec] {startup} If this is what you wanted to do, please restart with the',
            '2026-11-23T09:29:44Z [1] ERROR [b0360] {startup}   --database.auto-upgrade true',
            '2026-11-23T09:29:44Z [1] ERROR [13414] {startup} option to upgrade the data in the database directory.',
          ],
          1,
          5,
        ),
      );
      cluster.at(after(0), () => arango.setImage(`${repository}:3.7.3`));
      const values = { ARANGO_ENDPOINT: 'http://arangodb.suggest.svc.cluster.local:8529' };
      const places = {
        'suggest/similar': {
          does: unready([
            "ConnectionAbortedError: Can't connect to host(s) within limit (3): http://arangodb.suggest.svc.cluster.local:8529",
          ]),
          values,
        },
        'suggest/trainer': {
          does: ends([
            '2026/11/23 09:30:03 failed to open database: Get "http://arangodb.suggest.svc.cluster.local:8529/_db/suggest/_api/database/current": dial tcp 10.96.85.40:8529: connect: connection refused',
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 12, places);
      cluster.at(after(780), () => cluster.befall(`${repository}:3.7.3`, {}));
      recover(cluster, 800, ...Object.keys(places));
      cluster.expectIncident({
        root: 'StatefulSet/suggest/arangodb',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/pingcap/tidb-operator/issues/3349, https://github.com/pingcap/docs/pull/1586: what places the parts began anew.
  'placement-driver-made-a-new-cluster': reported(
    'The placement driver of a TiDB comes back without its data and makes a new cluster; the stores know the old one, and the database loses them',
    (cluster, firm) => {
      const spec = disks(cluster);
      const pd = 'docker.io/pingcap/pd:v6.5.8';
      server(cluster, 'shopdb/basic-pd', pd, 2379, { clusterIP: '10.96.40.2', spec });
      const tikv = 'docker.io/pingcap/tikv:v6.5.8';
      server(cluster, 'shopdb/basic-tikv', tikv, 20160, { replicas: 3, spec });
      const tidb = 'docker.io/pingcap/tidb:v6.5.8';
      server(cluster, 'shopdb/basic-tidb', tidb, 4000, { replicas: 2, clusterIP: '10.96.40.9' });
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () => {
        cluster.image(pd, {
          log: [
            '[2026/11/23 09:07:44.021 +00:00] [INFO] [server.go:372] ["init cluster id"] [cluster-id=7311048270521386471]',
          ],
        });
        cluster.evict('shopdb', 'basic-pd');
      });
      cluster.at(after(25), () =>
        cluster.befall(
          tikv,
          ends(
            [
              '[2026/11/23 09:08:10.402 +00:00] [INFO] [mod.rs:118] ["connected to PD member"] [endpoints=http://basic-pd.shopdb.svc.cluster.local:2379]',
              '[2026/11/23 09:08:10.455 +00:00] [FATAL] [server.rs:1099] ["cluster ID mismatch, local 6883541259413425203 != remote 7311048270521386471, you are trying to connect to another cluster, please reconnect to the correct PD"]',
            ],
            1,
            4,
          ),
        ),
      );
      cluster.at(after(40), () =>
        cluster.befall(
          tidb,
          ends([
            '[2026/11/23 09:08:31.913 +00:00] [FATAL] [terror.go:300] ["unexpected error"] [error="[tikv:9005]Region is unavailable, last err: rpc error: code = Unavailable desc = dial tcp: basic-tikv.shopdb.svc.cluster.local:20160: connect: connection refused"]',
          ]),
        ),
      );
      const innocents = clients(cluster, 55, {
        'shopdb/orders-api': {
          does: unready([
            'Error 2003: dial tcp 10.96.40.9:4000: connect: connection refused (basic-tidb.shopdb.svc.cluster.local)',
          ]),
          values: { DB_HOST: 'basic-tidb.shopdb.svc.cluster.local:4000' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/shopdb/basic-pd',
        accepts: ['StatefulSet/shopdb/basic-tikv', 'Service/shopdb/basic-pd'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/shopdb/basic-tidb', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/apache/flink-cdc/issues/271, https://github.com/risingwavelabs/risingwave/issues/12313
  'change-stream-starts-where-nothing-is-any-more': reported(
    'A Debezium was off for maintenance; meanwhile the MySQL threw away the journal that it had read to, and it ends at each start',
    (cluster) => {
      const image = 'quay.io/debezium/server:2.4.2.Final';
      server(cluster, 'cdc/mysql', 'docker.io/library/mysql:8.0.36', 3306, { spec: disks(cluster) });
      const debezium = cluster.deployment('cdc/debezium-server', {
        image,
        values: { DEBEZIUM_SOURCE_DATABASE_HOSTNAME: 'mysql.cdc.svc.cluster.local' },
      });
      cluster.deployment('cdc/search-feed', { replicas: 2, image: 'registry.borealis.example/search-feed:5' });
      cluster.at('60s', () => debezium.scale(0));
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23 09:27:30,332 INFO  [io.deb.con.mys.MySqlConnection] (pool-7-thread-1) MySQL current GTID set does not contain the GTID set required by the connector',
              "2026-11-23 09:27:30,401 ERROR [io.deb.ser.ConnectorLifecycle] (pool-7-thread-1) Connector completed: success = 'false', message = 'Unable to initialize and start connector's task class 'io.debezium.connector.mysql.MySqlConnectorTask' with config",
              'io.debezium.DebeziumException: The connector is trying to read binlog starting at SourceInfo [currentGtid=null, currentBinlogFilename=mysql-bin.000054, currentBinlogPosition=95437458, currentRowNumber=0], but this is no longer available on the server. Reconfigure the connector to use a snapshot when needed.',
            ],
            1,
            9,
          ),
        );
        debezium.scale(1);
      });
      cluster.expectIncident({
        root: 'Deployment/cdc/debezium-server',
        accepts: ['StatefulSet/cdc/mysql'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/cdc/search-feed', 'Service/cdc/mysql'],
      });
    },
  ),
};
